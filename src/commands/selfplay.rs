//! `bagheera selfplay`: writes self-play games to shards.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::common::{
    GameArgument, OutputArguments, RulesArgument, TablesArgument, ThreadsArgument, book,
    or_hand_written, player_factory, print, print_json,
};
use super::match_arguments::Resources;
use super::{CommandError, GameTask};
use crate::game::{ExactValues, Outcome, QUIET_LIMIT, write_rules};
use crate::kit::{EndgameTables as _, Kit, PlayerSpec};
use crate::search::Limits;
use crate::selfplay::{ExactUse, GameSettings, Opening, Produced, SelfplayJob, SelfplaySettings};
use crate::settings::{Section as _, identity};
use crate::shard::{Augment, Manifest};

/// Generate training data: play self-play games and write their positions to shards.
///
/// The same arguments give the same bytes for any number of threads. After an interruption, the same
/// command resumes.
#[derive(Debug, Args)]
pub(super) struct SelfplayCommand {
    /// Player of both sides, limited by nodes or depth; the default is the hand-written evaluation at 800
    /// nodes.
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    /// Output folder for shards and manifest.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Generation number recorded in the files; a different one gives different games.
    #[arg(long, default_value_t = 1, value_name = "N")]
    generation: u32,
    /// Minimum and maximum number of random opening plies.
    #[arg(long, value_name = "LOW,HIGH", value_parser = plies, default_value = "4,16")]
    opening_plies: (u32, u32),
    /// Number of random openings searched per game; the most balanced one is played.
    #[arg(long, value_name = "N", default_value_t = 1)]
    opening_choices: u32,
    /// Start from the openings of this book, followed by the random plies.
    #[arg(long, value_name = "BOOK", conflicts_with = "rules")]
    book: Option<String>,
    /// Probability of a random move at each ply.
    #[arg(long, default_value_t = SelfplaySettings::default().random_move, value_name = "SHARE")]
    random_move: f64,
    /// Probability, at each ply, of an additional sample a few random plies off the game (exploration).
    #[arg(long, default_value_t = SelfplaySettings::default().branches, value_name = "SHARE")]
    branches: f64,
    /// Use of endgame tables: "label" gives samples their exact outcome, "end" adjudicates games; the
    /// default is none.
    #[arg(long)]
    exact: Option<ExactUseArgument>,
    #[command(flatten)]
    tables: TablesArgument,
    /// Games per shard.
    #[arg(long, default_value_t = SelfplaySettings::default().games_per_shard, value_name = "N")]
    games_per_shard: u32,
    /// Augmentation by symmetric copies: when shards are written, or when they are read.
    #[arg(long, default_value = "write")]
    augment: AugmentArgument,
    /// No-progress limit: plies without an irreversible move after which a game is drawn.
    #[arg(long, default_value_t = QUIET_LIMIT, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(4..))]
    quiet_limit: u32,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    rules: RulesArgument,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AugmentArgument {
    Write,
    Read,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ExactUseArgument {
    Off,
    Label,
    End,
}

/// Parses two numbers of plies, for example `4,16`.
fn plies(text: &str) -> Result<(u32, u32), String> {
    let read = |number: &str| number.trim().parse().ok();
    text.split_once(',')
        .and_then(|(low, high)| Some((read(low)?, read(high)?)))
        .ok_or_else(|| "write the minimum and maximum like 4,16".to_owned())
}

impl GameTask for SelfplayCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        produce::<G>(self)
    }
}

impl SelfplayCommand {
    fn settings(&self) -> Result<SelfplaySettings, CommandError> {
        let settings = SelfplaySettings {
            games: self.games,
            opening_plies: self.opening_plies,
            opening_choices: self.opening_choices,
            random_move: self.random_move,
            branches: self.branches,
            exact: match self.exact {
                None | Some(ExactUseArgument::Off) => ExactUse::Off,
                Some(ExactUseArgument::Label) => ExactUse::Label,
                Some(ExactUseArgument::End) => ExactUse::End,
            },
            games_per_shard: self.games_per_shard,
            augment: match self.augment {
                AugmentArgument::Write => Augment::Write,
                AugmentArgument::Read => Augment::Read,
            },
            ..SelfplaySettings::default()
        };
        settings.check().map_err(CommandError::usage)?;
        Ok(settings)
    }
}

fn produce<G: Kit>(command: &SelfplayCommand) -> Result<(), CommandError> {
    let settings = command.settings()?;
    let player = or_hand_written::<G>(command.player.as_ref(), Limits::nodes(800));
    if !player.searches() {
        return Err(CommandError::usage(format!(
            "player \"{player}\" does not score positions, which training data requires"
        )));
    }
    if command.exact.is_none() && command.tables.tables.is_some() {
        return Err(CommandError::usage(
            "--tables requires --exact label or --exact end",
        ));
    }
    let teacher = player_factory::<G>(&player)?;
    let (opening, openings) = match &command.book {
        None => (Opening::Start(command.rules.start::<G>()?), None),
        Some(name) => {
            let book = book::<G>(name)?;
            if book.openings().is_empty() {
                return Err(CommandError::usage(format!("book {name} has no openings")));
            }
            (
                Opening::Book(book.openings().to_vec()),
                Some(book.digest().to_owned()),
            )
        }
    };
    let talk = command.output.talk();
    let exact: Option<Arc<dyn ExactValues<G>>> = match settings.exact {
        ExactUse::Off => None,
        _ => Some(Arc::new(G::Tables::open(&command.tables.folder::<G>()?)?)),
    };
    if settings.exact == ExactUse::End {
        talk.say("Games are adjudicated by the tables, so later positions are rare in the data.");
    }
    if !teacher.deterministic {
        talk.say("The player has a time limit, so the games cannot be reproduced.");
    }
    // Everything that the games depend on besides the seed, so that only the same job is resumed.
    let mut identified = settings.values();
    identity(
        "selfplay",
        &mut identified,
        &SelfplaySettings::default().values(),
    );
    let mut config = json!({
        "player": player.to_string(), "network": teacher.digest, "openings": openings,
        "quiet_limit": command.quiet_limit, "settings": identified,
        "tables": exact.as_ref().map(|exact| exact.digest().to_owned()),
    });
    let rules = write_rules::<G>(&command.rules.read::<G>()?);
    if !rules.is_empty() {
        config["rules"] = json!(rules);
    }
    let config = Sha256::digest(config.to_string());
    let job = SelfplayJob {
        game: GameSettings {
            settings,
            opening,
            quiet_limit: command.quiet_limit,
            exact,
            seed: command.seed,
            generation: command.generation,
        },
        teacher: &teacher,
        config: hex::encode(config),
        folder: &command.out,
    };
    let resources = Resources::new(command.threads.threads, talk)?;
    match job.produce(&resources.context())? {
        Produced::Interrupted { shards, of } => Err(CommandError::Interrupted(format!(
            "stopped with {shards} of {of} shards written; run the same command again to resume"
        ))),
        Produced::Complete(manifest) if command.output.json => print_json(&manifest),
        Produced::Complete(manifest) => {
            print(describe::<G>(&manifest))?;
            print(format!(
                "shards and manifest are in {}",
                command.out.display()
            ))
        }
    }
}

fn describe<G: Kit>(manifest: &Manifest) -> String {
    let games = &manifest.games;
    let share = |outcome| {
        format!(
            "{} {:.1} %",
            G::outcome_name(outcome),
            100.0 * games.outcomes.share(outcome)
        )
    };
    format!(
        "{} games, {} unique, {:.1} plies on average, {} drawn by the no-progress limit\n{}\n\
         {} positions, {} with symmetric copies, {} of them duplicates within their shard",
        games.outcomes.total(),
        games.unique,
        games.mean_length,
        games.cap_hits,
        [Outcome::Max, Outcome::Draw, Outcome::Min]
            .map(share)
            .join(", "),
        manifest.originals(),
        manifest.samples(),
        manifest.duplicates,
    )
}
