//! The command line: parse, run, print one error, exit code.

use std::process::ExitCode;

use bagheera::commands::{self, Ended};
use bagheera::talk::complain;

#[cfg(feature = "train")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let (message, code) = match commands::run() {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Ended::BrokenPipe) => return ExitCode::SUCCESS,
        Err(Ended::Interrupted(message)) => (message, 130),
        Err(Ended::Usage(message)) => (format!("error: {message}"), 2),
        Err(Ended::Failure(message)) => (format!("error: {message}"), 1),
    };
    complain(format!("bagheera: {message}"));
    ExitCode::from(code)
}
