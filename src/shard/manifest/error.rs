//! Errors of manifests and collections.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;
use crate::shard::ShardError;
use crate::shard::error::MAKE_AGAIN;

/// Why a manifest or collection could not be written or read.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a manifest.
    #[error("{path} is not a manifest: {source}; {MAKE_AGAIN}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The place and reason.
        source: serde_json::Error,
    },
    /// The manifest has another format version.
    #[error(
        "the manifest {path} has format version {found}; this program reads version {reads}: \
         {MAKE_AGAIN}"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: u32,
        /// The supported version.
        reads: u32,
    },
    /// The manifest is inconsistent.
    #[error("the manifest {path} is inconsistent: {reason}; {MAKE_AGAIN}")]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// The inconsistency.
        reason: String,
    },
    /// The list of shards is too long for its file.
    #[error("{path} cannot list {shards} shards: it would be too long; use larger shards")]
    TooMany {
        /// The file.
        path: PathBuf,
        /// Number of shards.
        shards: usize,
    },
    /// A shard differs from the one listed.
    #[error(
        "the shard {shard} is not the one listed in {path}: {reason}; \
         {MAKE_AGAIN}"
    )]
    Stranger {
        /// The manifest.
        path: PathBuf,
        /// The shard's file.
        shard: PathBuf,
        /// The difference.
        reason: String,
    },
    /// A shard could not be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
}
