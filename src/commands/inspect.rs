//! `bagheera inspect`: what a file is, whether it is whole, and what it holds.

mod bars;
mod manifest;
mod network;
mod npy;
mod samples;
mod shard;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Ended;
use crate::network::is_network;
use crate::registry::GAMES;
use crate::shard::{is_manifest, is_shard};
use crate::talk::complain;

/// Say what files are, whether they are whole, and what they hold: shards, network files and
/// manifests.
///
/// Of a shard every byte is checked. If one of several files is damaged, the others are inspected
/// nevertheless.
#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a JSON object for each file, or for each sample.
    #[arg(long)]
    json: bool,
    /// Print the first N samples of each shard instead, images included.
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Copy the whole blocks of a damaged shard into a new shard.
    #[arg(long, value_name = "OUT", conflicts_with = "samples")]
    salvage: Option<PathBuf>,
    /// Write all samples of the shards, images included, as NumPy arrays to the folder OUT_DIR.
    ///
    /// Row by row in the shards' order: features.npy (the active features of a position, then -1),
    /// side.npy (to move: 1 for the side that wants high scores, -1 for the other), score.npy (in
    /// logits), outcome.npy (1, 0.5 or 0 points for the first side, NaN without), ply.npy,
    /// game.npy, original.npy (false for images). samples.json says what they are. Arrays of that
    /// name are replaced.
    #[arg(long, value_name = "OUT_DIR", conflicts_with_all = ["samples", "salvage"])]
    npy: Option<PathBuf>,
    /// The feature set of --npy; the game's usual one if not given.
    #[arg(
        long,
        value_name = "SET",
        default_value = "",
        hide_default_value = true,
        requires = "npy"
    )]
    features: String,
}

/// What inspect knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Shard,
    Network,
    Manifest,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Shard => "shard",
            Self::Network => "network",
            Self::Manifest => "manifest",
        }
    }
}

impl Inspect {
    pub fn run(&self) -> Result<(), Ended> {
        if let Some(out) = &self.salvage {
            let [file] = &self.files[..] else {
                return Err(Ended::usage(format!(
                    "--salvage copies one shard, and {} files are given",
                    self.files.len()
                )));
            };
            shards_only(file, kind_of(file)?, "--salvage")?;
            return shard::salvage(file, out, self.json);
        }
        if let Some(folder) = &self.npy {
            return npy::export(&self.files, folder, &self.features, self.json);
        }
        let mut failures = Vec::new();
        for file in &self.files {
            match self.inspect(file) {
                Err(Ended::Failure(message)) => failures.push(message),
                other => other?,
            }
        }
        let Some(last) = failures.pop() else {
            return Ok(());
        };
        for message in failures {
            complain(format!("bagheera: error: {message}"));
        }
        Err(Ended::Failure(last))
    }

    fn inspect(&self, file: &Path) -> Result<(), Ended> {
        let kind = kind_of(file)?;
        if let Some(count) = self.samples {
            shards_only(file, kind, "--samples")?;
            return samples::print_first(file, count, self.json);
        }
        match kind {
            Kind::Shard => shard::inspect(file, self.json),
            Kind::Network => network::inspect(file, self.json),
            Kind::Manifest => manifest::inspect(file, self.json),
        }
    }
}

/// Refuses an option that is for shards alone.
fn shards_only(file: &Path, kind: Kind, option: &str) -> Result<(), Ended> {
    if kind == Kind::Shard {
        return Ok(());
    }
    Err(Ended::usage(format!(
        "{} is a {}, and {option} is for shards",
        file.display(),
        kind.name()
    )))
}

fn kind_of(path: &Path) -> Result<Kind, Ended> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(64).read_to_end(&mut start))
        .map_err(|error| unreadable(path, &error))?;
    if is_shard(&start) {
        Ok(Kind::Shard)
    } else if is_network(&start) {
        Ok(Kind::Network)
    } else if is_manifest(&start) {
        Ok(Kind::Manifest)
    } else {
        Err(Ended::failure(format!(
            "{} is neither a shard, a network file nor a manifest; inspect knows no other files",
            path.display()
        )))
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Ended {
    Ended::failure(format!("cannot read {}: {error}", path.display()))
}

/// The failure of a file whose game the program does not have.
fn unknown_game(path: &Path, game: &str) -> Ended {
    Ended::failure(format!(
        "{} is of the game \"{game}\", which this program does not know; it knows {}",
        path.display(),
        GAMES.join(", ")
    ))
}
