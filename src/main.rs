//! The command line: parse, run, print one error, exit code.

use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

use bagheera::commands::{self, CommandError};
use bagheera::reporter::print_error;

#[cfg(feature = "train")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|panic| print_error(fault(panic))));
    let (message, code) = match commands::run() {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CommandError::BrokenPipe) => return ExitCode::SUCCESS,
        Err(CommandError::Interrupted(message)) => (message, 130),
        Err(CommandError::Usage(message)) => (format!("error: {message}"), 2),
        Err(CommandError::Failure(message)) => (format!("error: {message}"), 1),
    };
    print_error(format!("bagheera: {message}"));
    ExitCode::from(code)
}

/// What is said of a panic, wherever it happens.
fn fault(panic: &PanicHookInfo) -> String {
    let place = panic.location().map(|place| format!(" at {place}"));
    format!(
        "bagheera: error: a fault of the program{}: {}; what is written stays, and a run goes on \
         by the same command; please report this line",
        place.unwrap_or_default(),
        panic
            .payload_as_str()
            .unwrap_or("no reason given")
            .replace('\n', " "),
    )
}
