//! How a command ended if not well.

use std::error::Error;
use std::fmt::Display;
use std::io;

/// Why a command did not end well; each carries one line for the person.
#[derive(Debug)]
pub enum CommandError {
    /// The command was asked for something that cannot be.
    Usage(String),
    /// Something went wrong.
    Failure(String),
    /// The person stopped it.
    Interrupted(String),
    /// Whoever read the results had enough of them.
    BrokenPipe,
}

impl CommandError {
    /// Wrong usage.
    pub(super) fn usage(message: impl Display) -> Self {
        Self::Usage(one_line(message))
    }

    /// A failure.
    pub(super) fn failure(message: impl Display) -> Self {
        Self::Failure(one_line(message))
    }
}

fn one_line(message: impl Display) -> String {
    message
        .to_string()
        .split('\n')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
}

impl<E: Error> From<E> for CommandError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        // Messages that repeat their source's words need no second telling.
        while let Some(cause) = source {
            let words = cause.to_string();
            if !message.contains(&words) {
                message = format!("{message}: {words}");
            }
            source = cause.source();
        }
        Self::failure(message)
    }
}

/// The end that failed writing to standard output stands for.
pub(super) fn from_output(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        CommandError::BrokenPipe
    } else {
        CommandError::failure(format!("standard output cannot be written: {error}"))
    }
}
