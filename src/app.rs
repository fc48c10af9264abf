//! A program that offers games: the whole command line for any list of them.

use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

use crate::commands::{self, CommandError, Games};
use crate::kit::Kit;
use crate::reporter::print_error;

/// Returns a program without games; add them with [`App::game`], then call [`App::run`].
#[must_use]
pub fn app() -> App {
    App::default()
}

/// A command line program for the games that it is given.
#[derive(Debug, Default)]
pub struct App {
    games: Games,
}

impl App {
    /// Adds a game. The first one is the default of `--game`, of configurations and of files of games
    /// that name none.
    #[must_use]
    pub fn game<G: Kit>(mut self) -> Self {
        self.games.add::<G>();
        self
    }

    /// Parses the command line, runs the command, prints its error if there is one, and returns the exit
    /// code: 0 for success, 1 for a failure, 2 for wrong usage, 130 for an interrupt.
    ///
    /// `--help` and `--version` exit the process.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        panic::set_hook(Box::new(|panic| print_error(panic_message(panic))));
        let (message, code) = match commands::run(&self.games) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(CommandError::BrokenPipe) => return ExitCode::SUCCESS,
            Err(CommandError::Interrupted(message)) => (message, 130),
            Err(CommandError::Usage(message)) => (format!("error: {message}"), 2),
            Err(CommandError::Failure(message)) => (format!("error: {message}"), 1),
        };
        print_error(format!("bagheera: {message}"));
        ExitCode::from(code)
    }
}

fn panic_message(panic: &PanicHookInfo) -> String {
    let place = panic.location().map(|place| format!(" at {place}"));
    format!(
        "bagheera: error: internal error{}: {}; files written so far are kept, and the same command \
         resumes a run; please report this line",
        place.unwrap_or_default(),
        panic
            .payload_as_str()
            .unwrap_or("no reason given")
            .replace('\n', " "),
    )
}
