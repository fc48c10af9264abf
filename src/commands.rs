//! The subcommands, one file each: they parse arguments, call the library and print results.

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
mod games;
mod inspect;
mod ladder;
mod match_arguments;
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
pub use games::Games;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::kit::Kit;

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

// Clap sorts subcommands by `display_order`, then by name.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Game(Box<GameCommand>),
    #[cfg(feature = "train")]
    #[command(display_order = 1)]
    Status(status::StatusCommand),
    #[cfg(feature = "train")]
    #[command(display_order = 1)]
    Compare(compare::CompareCommand),
    Inspect(inspect::InspectCommand),
    Completions(completions::CompletionsCommand),
}

/// The commands that work on one game.
#[derive(Debug, Subcommand)]
enum GameCommand {
    #[cfg(feature = "train")]
    Run(run::RunCommand),
    #[cfg(feature = "train")]
    Report(report::ReportCommand),
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
    Shards(shards::ShardsCommand),
}

/// A command that works on one game.
trait GameTask {
    /// Returns the name of the game; empty for the default one.
    ///
    /// # Errors
    /// If a file that names the game cannot be read.
    fn game(&self) -> Result<String, CommandError>;

    /// Runs the command.
    ///
    /// # Errors
    /// If it does not end well.
    fn run<G: Kit>(&self) -> Result<(), CommandError>;
}

/// Evaluates an expression with the command of a [`GameCommand`], whichever it is.
macro_rules! with_command {
    ($any:expr, $command:ident => $result:expr) => {
        match $any {
            #[cfg(feature = "train")]
            GameCommand::Run($command) => $result,
            #[cfg(feature = "train")]
            GameCommand::Report($command) => $result,
            GameCommand::Selfplay($command) => $result,
            #[cfg(feature = "train")]
            GameCommand::Train($command) => $result,
            GameCommand::Evaluate($command) => $result,
            GameCommand::Fit($command) => $result,
            GameCommand::Endgame($command) => $result,
            GameCommand::Play($command) => $result,
            GameCommand::Analyze($command) => $result,
            GameCommand::Match($command) => $result,
            GameCommand::Ladder($command) => $result,
            GameCommand::Openings($command) => $result,
            GameCommand::Bench($command) => $result,
            GameCommand::Moves($command) => $result,
            GameCommand::Perft($command) => $result,
            GameCommand::Convert($command) => $result,
            GameCommand::Shards($command) => $result,
        }
    };
}

impl GameTask for GameCommand {
    fn game(&self) -> Result<String, CommandError> {
        with_command!(self, command => command.game())
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        with_command!(self, command => command.run::<G>())
    }
}

/// Parses the command line; prints help or version and exits the process where they are asked for.
fn parse(games: &Games) -> Result<Arguments, CommandError> {
    let mut command = games.accept(Arguments::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let arguments = matches.and_then(|matches| {
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    });
    arguments.map_err(|error| {
        if !error.use_stderr()
            || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            error.exit();
        }
        // One line: the error and the tips, without the usage that --help prints.
        let message = error.render().to_string();
        let parts = message
            .split("\n\n")
            .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more"))
            .map(str::trim);
        let line = parts.collect::<Vec<_>>().join("; ");
        CommandError::usage(line.strip_prefix("error: ").unwrap_or(&line))
    })
}

/// Parses the command line and runs its command.
///
/// # Errors
/// If the command does not end well.
pub fn run(games: &Games) -> Result<(), CommandError> {
    match parse(games)?.command {
        Command::Game(command) => games.run(&command),
        #[cfg(feature = "train")]
        Command::Status(command) => command.run(),
        #[cfg(feature = "train")]
        Command::Compare(command) => command.run(),
        Command::Inspect(command) => command.run(games),
        Command::Completions(command) => command.run(games),
    }
}
