//! Errors of self-play.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::shard::{ManifestError, ShardError};

/// Why self-play failed.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The game log of a shard cannot be read or written.
    #[error(
        "The file {} beside its shard cannot be used: {source}; remove the shard to play its \
         games again.",
        path.display()
    )]
    Log {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// An existing shard belongs to another job.
    #[error(
        "The shard {} was made with other settings ({what}); give another folder, or remove it.",
        path.display()
    )]
    OtherJob {
        /// The shard.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A game found no undecided opening.
    #[error(
        "Game {game} found no opening that was not decided already; lower selfplay.opening_plies, \
         or take decided positions out of the book."
    )]
    NoOpening {
        /// The game's number.
        game: u32,
    },
    /// Games end where the tablebase value is known, which is so from the start.
    #[error(
        "No game would be played: the tables know the start of the game already, and \
         selfplay.exact is \"end\"; make it \"label\", or use tables with fewer layers."
    )]
    AllKnown,
    /// A shard cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The manifest cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}
