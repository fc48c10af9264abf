//! Errors of merging shards.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::shard::{ManifestError, ShardError};

/// Why shards could not be merged; no output is left.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is neither a shard nor a list of shards.
    #[error("{path} is neither a shard nor a manifest; pass shards or manifests")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// One shard stores symmetric copies and another does not.
    #[error(
        "only one of the shards {first} and {second} contains symmetric copies; merge shards \
         with the same `augment` setting"
    )]
    Augment {
        /// A shard.
        first: PathBuf,
        /// A shard with the other setting.
        second: PathBuf,
    },
    /// Two different games have the same number, seed, generation and player.
    #[error(
        "{first} and {second} both contain game {game} of one run, but different games; games with \
         time limits or of different versions of the program cannot be merged"
    )]
    TwoGames {
        /// Number of the game.
        game: u32,
        /// A shard with the game.
        first: PathBuf,
        /// A shard with another game of that number.
        second: PathBuf,
    },
    /// The filter excluded all samples.
    #[error("no sample of {read} passes the filter; include more generations, phases or outcomes")]
    NothingLeft {
        /// Number of samples read.
        read: u64,
    },
    /// A stop was requested.
    #[error("stopped; nothing was written")]
    Interrupted,
    /// A shard could not be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A list of shards could not be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}
