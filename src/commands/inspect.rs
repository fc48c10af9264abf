//! `bagheera inspect`: identifies and verifies files, and shows their contents.

mod bars;
#[cfg(feature = "train")]
mod checkpoint;
mod collection;
mod games;
mod kind;
mod manifest;
mod network;
mod npy;
#[cfg(feature = "train")]
mod run;
mod samples;
mod shard;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::ThreadPool;

use self::kind::Kind;
pub(super) use self::kind::listed;
use super::common::ThreadsArgument;
use super::{CommandError, Games};
use crate::kit::Kit;
#[cfg(feature = "train")]
use crate::pipeline::Config;
#[cfg(feature = "train")]
use crate::record::RunPaths;
use crate::reporter::print_error;
use crate::shard::{Collection, Manifest, read_header};

/// Identify and verify files, and show their contents: shards, manifests, networks, checkpoints, games
/// files and run directories.
///
/// Every byte of a shard, network or checkpoint is verified; the files of a run are also checked
/// against each other. If one of several files is damaged, the others are still inspected.
#[derive(Debug, Args)]
pub(super) struct InspectCommand {
    /// Files, run directories, or folders of shards with their manifest.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object per file, or per sample.
    #[arg(long)]
    json: bool,
    /// Print the samples of shards instead, symmetric copies included, one per line.
    ///
    /// Six columns separated by tabs: position, score in logits with its sign, outcome (the winner,
    /// draw or none), ply, number of the game in its generation, and flags separated by commas
    /// ("noisy", "random", "image" for a symmetric copy) or "-". With --json, one object per line.
    #[arg(long)]
    text: bool,
    /// As --text, but only the first N samples of each shard.
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Copy the intact blocks of a damaged shard into a new shard.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["samples", "text"])]
    salvage: Option<PathBuf>,
    /// Write all samples of the shards, symmetric copies included, as NumPy arrays to the folder OUT_DIR.
    ///
    /// One row per sample in the order of the shards: features.npy (active features, padded with -1),
    /// side.npy (side to move: 1 for the maximizing side, -1 for the other), score.npy (logits),
    /// outcome.npy (1, 0.5 or 0 points of the maximizing side, NaN if unknown), ply.npy, game.npy,
    /// original.npy (false for symmetric copies). samples.json describes them. Existing arrays are
    /// replaced.
    #[arg(long, value_name = "OUT_DIR", conflicts_with_all = ["samples", "text", "salvage"])]
    npy: Option<PathBuf>,
    /// Feature set of --npy; the default is the game's default set.
    #[arg(
        long,
        value_name = "SET",
        default_value = "",
        hide_default_value = true,
        requires = "npy"
    )]
    features: String,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// An action on a file whose game is known.
#[derive(Debug)]
pub(super) struct Task<'a> {
    path: &'a Path,
    json: bool,
    action: Action<'a>,
}

#[derive(Debug)]
enum Action<'a> {
    InspectShard(&'a ThreadPool),
    PrintSamples(Option<usize>),
    Salvage {
        out: &'a Path,
    },
    Export {
        files: &'a [PathBuf],
        folder: &'a Path,
        features: &'a str,
    },
    InspectManifest(&'a Manifest),
    InspectCollection(&'a Collection),
    InspectGames,
    #[cfg(feature = "train")]
    InspectRun(&'a ThreadPool),
}

impl Task<'_> {
    pub fn run<G: Kit>(self) -> Result<(), CommandError> {
        let Self { path, json, action } = self;
        match action {
            Action::InspectShard(pool) => shard::inspect::<G>(path, pool, json),
            Action::PrintSamples(count) => samples::print_samples::<G>(path, count, json),
            Action::Salvage { out } => shard::salvage::<G>(path, out, json),
            Action::Export {
                files,
                folder,
                features,
            } => npy::export::<G>(files, folder, features, json),
            Action::InspectManifest(manifest) => manifest::inspect::<G>(path, manifest, json),
            Action::InspectCollection(collection) => {
                collection::inspect::<G>(path, collection, json)
            }
            Action::InspectGames => games::inspect::<G>(path, json),
            #[cfg(feature = "train")]
            Action::InspectRun(pool) => run::inspect::<G>(path, pool, json),
        }
    }

    fn run_for(self, games: &Games, game: &str) -> Result<(), CommandError> {
        match games.find(game) {
            Some(game) => (game.inspect)(self),
            None => Err(CommandError::failure(format!(
                "{} belongs to the game \"{game}\", which this program does not have; it has {}",
                self.path.display(),
                games.names()
            ))),
        }
    }
}

impl InspectCommand {
    pub fn run(&self, games: &Games) -> Result<(), CommandError> {
        if let Some(out) = &self.salvage {
            let [file] = &self.files[..] else {
                return Err(CommandError::usage(format!(
                    "--salvage takes one shard, but {} files are given",
                    self.files.len()
                )));
            };
            shards_only(file, Kind::of(file)?, "--salvage")?;
            let task = self.task(file, Action::Salvage { out });
            return task.run_for(games, &read_header(file)?.game);
        }
        if let Some(folder) = &self.npy {
            let action = Action::Export {
                files: &self.files,
                folder,
                features: &self.features,
            };
            let task = self.task(&self.files[0], action);
            return task.run_for(games, &npy::game_of(&self.files)?);
        }
        let pool = self.threads.pool()?;
        let mut failures = Vec::new();
        for file in &self.files {
            match self.inspect(&listed(file), &pool, games) {
                Err(CommandError::Failure(message)) => failures.push(message),
                other => other?,
            }
        }
        let Some(last) = failures.pop() else {
            return Ok(());
        };
        for message in failures {
            print_error(format!("bagheera: error: {message}"));
        }
        Err(CommandError::Failure(last))
    }

    fn task<'a>(&self, path: &'a Path, action: Action<'a>) -> Task<'a> {
        let json = self.json;
        Task { path, json, action }
    }

    fn inspect(&self, file: &Path, pool: &ThreadPool, games: &Games) -> Result<(), CommandError> {
        let (kind, json) = (Kind::of(file)?, self.json);
        let run = |game: &str, action| self.task(file, action).run_for(games, game);
        if self.text || self.samples.is_some() {
            let option = if self.text { "--text" } else { "--samples" };
            shards_only(file, kind, option)?;
            return run(&read_header(file)?.game, Action::PrintSamples(self.samples));
        }
        match kind {
            Kind::Shard => run(&read_header(file)?.game, Action::InspectShard(pool)),
            Kind::Network => network::inspect(file, json),
            Kind::Manifest => {
                let manifest = Manifest::load(file)?;
                run(&manifest.game, Action::InspectManifest(&manifest))
            }
            Kind::Collection => {
                let collection = Collection::load(file)?;
                run(&collection.game, Action::InspectCollection(&collection))
            }
            Kind::Games => run(&games::game_of(file)?, Action::InspectGames),
            #[cfg(feature = "train")]
            Kind::Checkpoint => checkpoint::inspect(file, json),
            #[cfg(feature = "train")]
            Kind::Run => {
                let config = Config::load(&RunPaths::new(file).config())?;
                run(&config.game, Action::InspectRun(pool))
            }
            #[cfg(not(feature = "train"))]
            Kind::Checkpoint | Kind::Run => Err(CommandError::failure(format!(
                "{} is a {}, which only a build with the cargo feature train can read",
                file.display(),
                kind.name()
            ))),
        }
    }
}

/// Returns an error if an option for shards is used with another file.
fn shards_only(file: &Path, kind: Kind, option: &str) -> Result<(), CommandError> {
    if kind == Kind::Shard {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "{} is a {}, but {option} requires shards",
        file.display(),
        kind.name()
    )))
}

fn unreadable(path: &Path, error: &io::Error) -> CommandError {
    CommandError::failure(format!("cannot read {}: {error}", path.display()))
}
