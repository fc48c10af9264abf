//! `bagheera endgame`: builds, verifies, probes and counts tablebases.

use clap::{Args, Subcommand};
use indicatif::HumanBytes;
use serde_json::{Value, json};

use super::common::{
    GameArgument, OutputArguments, TablesArgument, ThreadsArgument, exact_text, interrupt, print,
    print_json,
};
use super::{CommandError, GameTask};
use crate::game::{Exact, ExactValues as _, read_position};
use crate::kit::{EndgameTables as _, Kit, TablesError};

/// Maximum number of moves shown of a best line.
const LINE_SHOWN: usize = 40;

/// Build, verify and probe endgame tables (tablebases): exact values of positions.
#[derive(Debug, Args)]
pub(super) struct EndgameCommand {
    #[command(subcommand)]
    command: EndgameSubcommand,
}

#[derive(Debug, Subcommand)]
enum EndgameSubcommand {
    Build(Build),
    /// Verify every entry against the entries of its successors.
    Verify(Whole),
    Probe(Probe),
    /// Count wins, draws and distances by layer and side to move, and show the longest wins.
    Stats(Whole),
}

/// Build the missing tables.
///
/// The sliding phase takes half a CPU-minute and 93 MB; the whole game (--in-hand 20) takes five
/// CPU-minutes and 4.2 GB. An interrupted build resumes after the last complete table.
#[derive(Debug, Args)]
struct Build {
    /// Include the placing phase with up to this many sheep in hand.
    #[arg(long, default_value_t = 0, value_name = "H")]
    in_hand: u32,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    /// Suppress progress output.
    #[arg(long, short)]
    quiet: bool,
}

// The subcommands have the help.
#[derive(Debug, Args)]
struct Whole {
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
}

/// Show the exact value of a position and of every move, and a best line.
///
/// Distances are plies to the end of the game with best play by both sides; for a move they count from
/// the position after it.
#[derive(Debug, Args)]
struct Probe {
    /// Position, for example "TTSTS/1TSSS/SSSSS/SSSSS/SSSSS t 0".
    position: String,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    game: GameArgument,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

impl GameTask for EndgameCommand {
    fn game(&self) -> Result<String, CommandError> {
        match &self.command {
            EndgameSubcommand::Build(command) => command.game.name(),
            EndgameSubcommand::Verify(command) | EndgameSubcommand::Stats(command) => {
                command.game.name()
            }
            EndgameSubcommand::Probe(command) => command.game.name(),
        }
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        match &self.command {
            EndgameSubcommand::Build(command) => build::<G>(command),
            EndgameSubcommand::Verify(command) => verify::<G>(command),
            EndgameSubcommand::Probe(command) => probe::<G>(command),
            EndgameSubcommand::Stats(command) => stats::<G>(command),
        }
    }
}

/// Converts the result of a job on tables.
fn ended(error: TablesError) -> CommandError {
    match error {
        TablesError::Interrupted(how_to_go_on) => CommandError::Interrupted(how_to_go_on),
        error => error.into(),
    }
}

fn build<G: Kit>(command: &Build) -> Result<(), CommandError> {
    let most = G::Tables::MOST_EXTENT;
    if command.in_hand > most {
        return Err(CommandError::usage(format!(
            "--in-hand {} is out of range: 0 to {most}",
            command.in_hand
        )));
    }
    let folder = command.tables.folder::<G>()?;
    let talk = OutputArguments {
        json: false,
        quiet: command.quiet,
    }
    .talk();
    let pool = command.threads.pool()?;
    let (disk, memory) = G::Tables::needs(command.in_hand);
    talk.say(format!(
        "Building tables in {}: {} on disk, {} of memory, several minutes.",
        folder.display(),
        HumanBytes(disk),
        HumanBytes(memory)
    ));
    let interrupt = interrupt(&talk);
    pool.install(|| G::Tables::build(&folder, command.in_hand, &interrupt, &talk))
        .map_err(ended)?;
    print(format!("The tables are in {}", folder.display()))
}

fn verify<G: Kit>(command: &Whole) -> Result<(), CommandError> {
    let folder = command.tables.folder::<G>()?;
    let talk = command.output.talk();
    let pool = command.threads.pool()?;
    let interrupt = interrupt(&talk);
    let (entries, digest) = pool
        .install(|| {
            let tables = G::Tables::open(&folder)?;
            let entries = tables.verify(&interrupt, &talk)?;
            Ok((entries, tables.digest().to_owned()))
        })
        .map_err(ended)?;
    if command.output.json {
        return print_json(&json!({ "entries": entries, "wrong": 0, "digest": digest }));
    }
    print(format!(
        "All {entries} entries are consistent with their successors; digest {digest}"
    ))
}

fn stats<G: Kit>(command: &Whole) -> Result<(), CommandError> {
    let folder = command.tables.folder::<G>()?;
    let talk = command.output.talk();
    let pool = command.threads.pool()?;
    let interrupt = interrupt(&talk);
    let spinner = talk.spinner("counting");
    let report = pool.install(|| G::Tables::open(&folder)?.statistics(&interrupt));
    spinner.finish_and_clear();
    let report = report.map_err(ended)?;
    if command.output.json {
        return print_json(&report.json);
    }
    print(report.text)
}

fn probe<G: Kit>(command: &Probe) -> Result<(), CommandError> {
    let position = read_position::<G>(&command.position).map_err(CommandError::usage)?;
    let folder = command.tables.folder::<G>()?;
    let tables = G::Tables::open(&folder)?;
    let unknown = || {
        CommandError::failure(format!(
            "the tables in {folder} do not contain this position; `bagheera endgame build --tables \
             {folder}` with a larger --in-hand builds those that do",
            folder = folder.display()
        ))
    };
    let exact = tables.resolve(&position).ok_or_else(unknown)?;
    let mut moves: Vec<(G::Move, Exact)> = Vec::new();
    if position.outcome().is_none() {
        for &mv in position.moves().as_ref() {
            let after = tables.resolve(&position.play(mv)).ok_or_else(unknown)?;
            moves.push((mv, after));
        }
        let side = position.side_to_move();
        moves.sort_by_key(|(_, after)| std::cmp::Reverse(after.worth(side)));
    }
    let line = best_line(&tables, &position);
    if command.json {
        let moves: Vec<Value> = moves
            .iter()
            .map(|(mv, after)| {
                json!({
                    "move": position.format_move(*mv),
                    "value": G::outcome_name(after.value),
                    "plies": after.plies,
                })
            })
            .collect();
        return print_json(&json!({
            "value": G::outcome_name(exact.value), "plies": exact.plies, "moves": moves,
            "line": line,
        }));
    }
    print(format!(
        "{}\n{}",
        position.draw(),
        position.format_position()
    ))?;
    print(exact_text::<G>(exact))?;
    for (mv, after) in &moves {
        let text = exact_text::<G>(*after);
        print(format!("  {:6} {text}", position.format_move(*mv)))?;
    }
    if line.is_empty() {
        return Ok(());
    }
    let more = if line.len() > LINE_SHOWN { " …" } else { "" };
    let shown = &line[..line.len().min(LINE_SHOWN)];
    print(format!("best play: {}{more}", shown.join(" ")))
}

/// Returns a line of best play up to the end of the game, or to where distances are unknown; empty
/// for a draw.
fn best_line<G: Kit>(tables: &G::Tables, position: &G) -> Vec<String> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while position.outcome().is_none() {
        let known = |position: &G| {
            tables
                .resolve(position)
                .filter(|exact| exact.plies.is_some())
        };
        if known(&position).is_none() {
            break;
        }
        let side = position.side_to_move();
        let moves = position.moves();
        let after = moves.as_ref().iter().filter_map(|&mv| {
            let after = position.play(mv);
            Some((tables.resolve(&after)?.worth(side), mv, after))
        });
        // Among equal moves the first, which is also listed first.
        let best = after.min_by_key(|(worth, ..)| std::cmp::Reverse(*worth));
        let Some((_, mv, after)) = best else {
            break;
        };
        line.push(position.format_move(mv));
        position = after;
    }
    line
}
