//! Why shards cannot be put together.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::shard::{ManifestError, ShardError};

/// Why shards cannot be put together; nothing is left of the attempt.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Some other file.
    #[error("{path} is neither a shard nor a manifest that lists shards; name such a file")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Images lie in one shard and not in the other.
    #[error(
        "the images of positions lie in one of the shards {first} and {second}, and are left to \
         the reader in the other; put shards of one kind together"
    )]
    Augment {
        /// A shard.
        first: PathBuf,
        /// One with its images elsewhere.
        second: PathBuf,
    },
    /// Two games have the same number, seed, generation and player.
    #[error(
        "{first} and {second} both say that they hold game {game} of one run, and these are two games; \
         what was played against a clock, or by two versions of the program, cannot be put together"
    )]
    TwoGames {
        /// The game's number.
        game: u32,
        /// A shard.
        first: PathBuf,
        /// One that has another game of that number.
        second: PathBuf,
    },
    /// No sample passed.
    #[error("no sample is left of {read}; ask for more generations, phases or outcomes")]
    NothingLeft {
        /// Samples read.
        read: u64,
    },
    /// A stop was requested.
    #[error("stopped; nothing was written")]
    Interrupted,
    /// A shard cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A list of shards cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}
