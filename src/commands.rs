//! The subcommands, a file each: arguments in, library calls, words out.

mod analyze;
mod bench;
mod common;
#[cfg(feature = "train")]
mod compare;
mod completions;
mod convert;
mod endgame;
mod error;
mod evaluate;
mod exam;
mod fit;
mod inspect;
mod ladder;
mod match_command;
mod moves;
mod notations;
mod openings;
mod perft;
mod play;
#[cfg(feature = "train")]
mod report;
#[cfg(feature = "train")]
mod run;
mod selfplay;
mod shards;
#[cfg(feature = "train")]
mod status;
#[cfg(feature = "train")]
mod train;

pub use error::CommandError;

use clap::error::ErrorKind;
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
    #[cfg(feature = "train")]
    Run(run::RunCommand),
    #[cfg(feature = "train")]
    Status(status::StatusCommand),
    #[cfg(feature = "train")]
    Report(report::ReportCommand),
    #[cfg(feature = "train")]
    Compare(compare::CompareCommand),
    Selfplay(selfplay::SelfplayCommand),
    #[cfg(feature = "train")]
    Train(train::TrainCommand),
    Evaluate(evaluate::EvaluateCommand),
    Fit(fit::FitCommand),
    Endgame(endgame::EndgameCommand),
    Play(play::PlayCommand),
    Analyze(analyze::AnalyzeCommand),
    Match(match_command::MatchCommand),
    Ladder(ladder::LadderCommand),
    Openings(openings::OpeningsCommand),
    Bench(bench::BenchCommand),
    Moves(moves::MovesCommand),
    Perft(perft::PerftCommand),
    Convert(convert::ConvertCommand),
    Inspect(inspect::InspectCommand),
    Shards(shards::ShardsCommand),
    Completions(completions::CompletionsCommand),
}

/// Reads the command line; prints help or version and ends the process where they are asked for.
fn parse() -> Result<Arguments, CommandError> {
    Arguments::try_parse().map_err(|error| {
        if !error.use_stderr()
            || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            error.exit();
        }
        // One line: what is wrong and the tips, without the usage that --help has.
        let message = error.render().to_string();
        let told = message
            .split("\n\n")
            .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more"))
            .map(str::trim);
        let told = told.collect::<Vec<_>>().join("; ");
        CommandError::usage(told.strip_prefix("error: ").unwrap_or(&told))
    })
}

/// Runs the command that the program was started with.
///
/// # Errors
/// Says how it ended if not well; `--help` and `--version` end the process.
pub fn run() -> Result<(), CommandError> {
    match parse()?.command {
        #[cfg(feature = "train")]
        Command::Run(command) => command.run(),
        #[cfg(feature = "train")]
        Command::Status(command) => command.run(),
        #[cfg(feature = "train")]
        Command::Report(command) => command.run(),
        #[cfg(feature = "train")]
        Command::Compare(command) => command.run(),
        Command::Selfplay(command) => command.run(),
        #[cfg(feature = "train")]
        Command::Train(command) => command.run(),
        Command::Evaluate(command) => command.run(),
        Command::Fit(command) => command.run(),
        Command::Endgame(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Analyze(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Ladder(command) => command.run(),
        Command::Openings(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Moves(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Inspect(command) => command.run(),
        Command::Shards(command) => command.run(),
        Command::Completions(command) => command.run(),
    }
}
