//! The subcommands, a file each: arguments in, library calls, words out.

mod analyze;
mod bench;
mod common;
mod completions;
mod contest;
mod ended;
mod openings;
mod perft;

pub use ended::Ended;

use clap::{Parser, Subcommand};

/// Rules in, strong network out: trains small neural evaluations for alpha-beta engines by
/// self-play, on one machine.
#[derive(Debug, Parser)]
#[command(
    name = "bagheera",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::Analyze),
    Match(contest::Match),
    Openings(openings::Openings),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Completions(completions::Completions),
}

/// Runs the command that the program was started with.
///
/// # Errors
/// Says how it ended if not well; wrong arguments and `--help` end the process.
pub fn run() -> Result<(), Ended> {
    match Arguments::parse().command {
        Command::Analyze(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Openings(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Completions(command) => command.run(),
    }
}
