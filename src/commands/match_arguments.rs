//! Arguments of commands that play matches, and the context in which commands work.

use clap::Args;
use rayon::ThreadPool;

use super::CommandError;
use super::common::{GameArgument, OutputArguments, ThreadsArgument, interrupt, pool};
use crate::arena::MatchSettings;
use crate::game::QUIET_LIMIT;
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;
use crate::workers::Context;

/// The arguments of all matches of a command.
#[derive(Debug, Args)]
pub(super) struct MatchArguments {
    /// Pairs of games per match; each pair plays its own opening twice, with sides swapped.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    /// Opening book: gate, tuning, final, or a file.
    #[arg(long, default_value = "gate")]
    pub book: String,
    /// No-progress limit: plies without an irreversible move after which a game is drawn.
    #[arg(long, default_value_t = QUIET_LIMIT, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(4..))]
    pub quiet_limit: u32,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub threads: ThreadsArgument,
    #[command(flatten)]
    pub game: GameArgument,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl MatchArguments {
    /// The settings of every match.
    pub fn settings(&self) -> MatchSettings {
        MatchSettings {
            quiet_limit: self.quiet_limit,
            seed: self.seed,
        }
    }

    /// Starts the threads and handles Ctrl-C.
    pub fn resources(&self) -> Result<Resources, CommandError> {
        Resources::new(self.threads.threads, self.output.talk())
    }
}

/// The threads, stop request and progress output of a command.
#[derive(Debug)]
pub(super) struct Resources {
    pool: ThreadPool,
    interrupt: Interrupt,
    reporter: Reporter,
}

impl Resources {
    /// Starts `threads` threads (0: one per core) and lets Ctrl-C request a stop.
    pub fn new(threads: usize, reporter: Reporter) -> Result<Self, CommandError> {
        Ok(Self {
            pool: pool(threads)?,
            interrupt: interrupt(&reporter),
            reporter,
        })
    }

    /// The context to pass on.
    pub fn context(&self) -> Context<'_> {
        Context {
            pool: &self.pool,
            interrupt: &self.interrupt,
            reporter: &self.reporter,
        }
    }
}
