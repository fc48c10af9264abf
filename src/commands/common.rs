//! Arguments and helper functions that commands share.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::ThreadPool;
use serde::Serialize;

use super::error::{CommandError, from_output};
use crate::arena::{Book, BookError};
use crate::game::{
    Exact, ExactValues as _, Game, MOST_SHOWN, Notation, Playthrough, read_position, read_rules,
};
use crate::interrupt::Interrupt;
use crate::kit::{
    EndgameTables as _, Kit, NetworkSource, PlayerFactory, PlayerSpec, tables_folder,
};
use crate::reporter::Reporter;
use crate::search::{Forced, Limits, ScoreType};
use crate::selfplay::SelfplayJob;
use crate::workers;

/// The most threads accepted; a typing error must not stall the machine.
const MAX_THREADS: usize = 1024;

/// `--game`.
#[derive(Debug, Clone, Args)]
pub(super) struct GameArgument {
    /// The game.
    // `Games::accept` adds the names of the games.
    #[arg(long)]
    pub game: String,
}

impl GameArgument {
    /// Returns the name of the game.
    pub fn name(&self) -> Result<String, CommandError> {
        Ok(self.game.clone())
    }
}

/// `--rules`.
#[derive(Debug, Clone, Args)]
pub(super) struct RulesArgument {
    /// Options of the game's rules, for example side=5 for the size of the board [default: the game's
    /// default rules]
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',')]
    pub rules: Vec<String>,
}

impl RulesArgument {
    /// Parses the rules.
    pub fn read<G: Game>(&self) -> Result<G::Rules, CommandError> {
        let mut table = toml::Table::new();
        for text in &self.rules {
            let pair: toml::Table = text.parse().map_err(|_| {
                CommandError::usage(format!(
                    "--rules takes KEY=VALUE, for example side=5, not \"{text}\""
                ))
            })?;
            table.extend(pair);
        }
        read_rules::<G>(&table).map_err(|reason| CommandError::usage(format!("--rules: {reason}")))
    }

    /// Returns the start of a game by the rules.
    pub fn start<G: Game>(&self) -> Result<G, CommandError> {
        Ok(G::start(&self.read::<G>()?))
    }
}

/// `--threads`.
#[derive(Debug, Clone, Args)]
pub(super) struct ThreadsArgument {
    /// Worker threads; 0 means one per core. Results do not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub threads: usize,
}

impl ThreadsArgument {
    pub fn pool(&self) -> Result<ThreadPool, CommandError> {
        pool(self.threads)
    }
}

/// Starts a thread pool.
pub(super) fn pool(threads: usize) -> Result<ThreadPool, CommandError> {
    if threads > MAX_THREADS {
        return Err(CommandError::usage(format!(
            "{threads} threads are too many; use at most {MAX_THREADS}, or 0 for one per core"
        )));
    }
    workers::pool(threads)
        .map_err(|error| CommandError::failure(format!("cannot start {threads} threads: {error}")))
}

/// `--tables`.
#[derive(Debug, Clone, Args)]
pub(super) struct TablesArgument {
    /// The folder of the endgame tables [default: the game's folder in the user's data directory]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

impl TablesArgument {
    /// Returns the folder.
    pub fn folder<G: Kit>(&self) -> Result<PathBuf, CommandError> {
        if let Some(folder) = &self.tables {
            return Ok(folder.clone());
        }
        let folder = tables_folder(G::NAME);
        folder.ok_or_else(|| CommandError::failure("there is no data directory; give --tables DIR"))
    }
}

/// `--exact` and `--tables`.
#[derive(Debug, Clone, Args)]
pub(super) struct ExactArgument {
    /// Use the endgame tables in the user's data directory.
    #[arg(long)]
    pub exact: bool,
    /// Use the endgame tables in this folder.
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

impl ExactArgument {
    /// Opens the tables if either option is given.
    pub fn open<G: Kit>(&self) -> Result<Option<G::Tables>, CommandError> {
        if !self.exact && self.tables.is_none() {
            return Ok(None);
        }
        let tables = self.tables.clone();
        let folder = TablesArgument { tables }.folder::<G>()?;
        Ok(Some(G::Tables::open(&folder)?))
    }
}

/// `--json` and `--quiet`.
#[derive(Debug, Clone, Args)]
pub(super) struct OutputArguments {
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// Suppress progress output.
    #[arg(long, short)]
    pub quiet: bool,
}

impl OutputArguments {
    pub fn talk(&self) -> Reporter {
        Reporter::new(self.quiet)
    }
}

/// Writes a result to standard output.
pub(super) fn print(text: impl AsRef<str>) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", text.as_ref())
        .and_then(|()| out.flush())
        .map_err(|error| from_output(&error))
}

/// Writes a result to standard output as JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    print(serde_json::to_string(value)?)
}

/// Formats a score: the winner and the plies of a proven win, or else logits.
pub(super) fn score_text<G: Notation>(score: ScoreType, forced: Option<Forced>) -> String {
    match forced {
        Some(Forced {
            winner,
            plies: Some(plies),
        }) => format!("{} in {plies}", G::side_name(winner)),
        Some(Forced { winner, .. }) => format!("{} wins", G::side_name(winner)),
        // The size of a mate score that is not proven means nothing.
        None => format!("{:+.3}", score.clamp(-MOST_SHOWN, MOST_SHOWN)),
    }
}

/// Formats a tablebase value.
pub(super) fn exact_text<G: Notation>(exact: Exact) -> String {
    let name = G::outcome_name(exact.value);
    match (exact.value.winner(), exact.plies) {
        (None, _) => name.to_owned(),
        (Some(_), None) => format!("{name} wins"),
        (Some(_), Some(0)) => format!("{name} has won"),
        (Some(_), Some(plies)) => format!("{name} wins in {plies}"),
    }
}

/// Formats a tablebase value; `None` is a position outside the tables.
pub(super) fn known_text<G: Notation>(exact: Option<Exact>) -> String {
    exact.map_or_else(|| "not in the tables".to_owned(), exact_text::<G>)
}

/// Returns the tablebase value after a move, its plies counted from the position before the move.
pub(super) fn exact_of_move<G: Kit>(
    tables: &G::Tables,
    position: &G,
    mv: G::Move,
) -> Option<Exact> {
    let exact = tables.resolve(&position.play(mv))?;
    let plies = exact.plies.map(|plies| plies + 1);
    Some(Exact { plies, ..exact })
}

/// Returns the given player, or else the hand-written evaluation with `limits`.
pub(super) fn or_hand_written<G: Kit>(spec: Option<&PlayerSpec>, limits: Limits) -> PlayerSpec {
    spec.cloned()
        .unwrap_or_else(|| PlayerSpec::hand_written::<G>(limits))
}

/// Returns the given player, or else the shipped network with `limits` if it was trained by these
/// rules, or else the hand-written evaluation.
pub(super) fn or_best<G: Kit>(
    spec: Option<&PlayerSpec>,
    rules: &G::Rules,
    limits: Limits,
) -> PlayerSpec {
    match (spec, G::NETWORK) {
        (None, Some(_)) if *rules == G::Rules::default() => {
            PlayerSpec::network(NetworkSource::Shipped, limits)
        }
        _ => or_hand_written::<G>(spec, limits),
    }
}

/// Makes the factory of a player.
pub(super) fn player_factory<G: Kit>(spec: &PlayerSpec) -> Result<PlayerFactory<G>, CommandError> {
    spec.player_factory().map_err(|error| {
        if error.is_usage() {
            CommandError::usage(error)
        } else {
            error.into()
        }
    })
}

/// Returns the built-in book of that name, or else reads the file of that name.
pub(super) fn book<G: Kit>(name: &str) -> Result<Book<G>, CommandError> {
    Book::named(name).map_err(|error| match error {
        BookError::Unknown { .. } => CommandError::usage(error),
        error => error.into(),
    })
}

/// Parses a position; returns the start of a game by the rules if there is none.
pub(super) fn position<G: Notation>(
    text: Option<&str>,
    rules: &RulesArgument,
) -> Result<G, CommandError> {
    match text {
        None => rules.start(),
        Some(_) if !rules.rules.is_empty() => Err(CommandError::usage(
            "a position contains its rules; omit --rules",
        )),
        Some(text) => read_position(text).map_err(CommandError::usage),
    }
}

/// Plays `moves`, separated by spaces, from a position.
pub(super) fn playthrough<G: Notation>(
    start: G,
    moves: &str,
    quiet_limit: u32,
) -> Result<Playthrough<G>, CommandError> {
    let mut game = Playthrough::new(start, quiet_limit);
    for text in moves.split_whitespace() {
        if game.end().is_some() {
            return Err(CommandError::usage(format!(
                "move \"{text}\": the game is already over"
            )));
        }
        let mv = game
            .position()
            .parse_move(text)
            .map_err(CommandError::usage)?;
        game.play(mv);
    }
    Ok(game)
}

/// Installs the handler of Ctrl-C and returns the interrupt that it requests; a second Ctrl-C exits the
/// process.
pub(super) fn interrupt(talk: &Reporter) -> Interrupt {
    let interrupt = Interrupt::default();
    let (request, reporter) = (interrupt.clone(), talk.clone());
    let handler = move || {
        if request.requested() {
            std::process::exit(130);
        }
        request.request();
        reporter.say("Stopping at the next safe point; press Ctrl-C again to stop at once.");
    };
    if ctrlc::set_handler(handler).is_err() {
        talk.say("Ctrl-C will stop the program at once: cannot install its handler.");
    }
    interrupt
}

/// Returns the manifest of a folder of shards; any other path unchanged.
pub(super) fn manifest<G: Kit>(path: &Path) -> PathBuf {
    if path.is_dir() {
        SelfplayJob::<G>::manifest_path(path)
    } else {
        path.to_owned()
    }
}
