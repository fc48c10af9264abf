//! Errors of commands.

use std::error::Error;
use std::fmt::Display;
use std::io;

/// Why a command did not succeed; each carries a one-line message.
#[derive(Debug)]
pub enum CommandError {
    /// The arguments are wrong.
    Usage(String),
    /// The command failed.
    Failure(String),
    /// The user stopped it.
    Interrupted(String),
    /// The reader of standard output closed it.
    BrokenPipe,
}

impl CommandError {
    /// Creates a usage error.
    pub(super) fn usage(message: impl Display) -> Self {
        Self::Usage(one_line(message))
    }

    /// Creates a failure.
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
        // Skip a source whose words the message contains already.
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

/// Converts an error of writing to standard output.
pub(super) fn from_output(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        CommandError::BrokenPipe
    } else {
        CommandError::failure(format!("cannot write to standard output: {error}"))
    }
}
