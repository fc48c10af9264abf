//! What can be wrong with a manifest.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::shard::ShardError;
use crate::shard::error::MAKE_AGAIN;

/// Why a manifest cannot be written or read.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no manifest.
    #[error("{path} is not a manifest: {source}; {MAKE_AGAIN}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A manifest of another version of the program.
    #[error(
        "the manifest {path} is format version {found}; this program reads version {reads}: \
         {MAKE_AGAIN}"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is read.
        reads: u32,
    },
    /// The manifest contradicts itself.
    #[error("the manifest {path} is wrong: {reason}; {MAKE_AGAIN}")]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// The contradiction.
        reason: String,
    },
    /// More shards than a list of them can name.
    #[error("{path} cannot list {shards} shards, it would be too long; put more samples into each")]
    TooMany {
        /// The file.
        path: PathBuf,
        /// How many there are.
        shards: usize,
    },
    /// A shard is not the one that the manifest lists.
    #[error(
        "the shard {shard} is not the one that the manifest {path} lists: {reason}; \
         {MAKE_AGAIN}"
    )]
    Stranger {
        /// The manifest.
        path: PathBuf,
        /// The shard's file.
        shard: PathBuf,
        /// What differs.
        reason: String,
    },
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
}
