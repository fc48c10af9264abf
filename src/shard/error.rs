//! Errors of shards.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::FileError;

/// Remedy for a damaged shard or manifest.
pub(super) const MAKE_AGAIN: &str = "remove it and run the command that made it again";

/// Why a shard could not be written or read.
#[derive(Debug, Error)]
pub enum ShardError {
    /// A file cannot be read or written, is not a shard of this version, or its header is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// The shard contains samples of another game.
    #[error("the shard {path} contains samples of the game {found}, not of {expected}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The expected game.
        expected: &'static str,
        /// The game of the file.
        found: String,
    },
    /// A block is damaged.
    #[error(
        "block {block} of the shard {path}, at byte {offset}, is damaged: {reason}; \
         {MAKE_AGAIN}, or save its intact blocks with `inspect --salvage`"
    )]
    Block {
        /// The file.
        path: PathBuf,
        /// Index of the block.
        block: usize,
        /// Byte offset of the block in the file.
        offset: u64,
        /// The reason.
        reason: String,
    },
    /// The footer is damaged or does not match the blocks.
    #[error(
        "the end of the shard {path} is damaged: {reason}; {MAKE_AGAIN}, or save its intact \
         blocks with `inspect --salvage`"
    )]
    Footer {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// No block of a damaged shard is intact.
    #[error("the shard {path} has no intact block to salvage; {MAKE_AGAIN}")]
    NothingWhole {
        /// The file.
        path: PathBuf,
    },
    /// The header to be written is not valid.
    #[error("invalid header for the shard {path}: {reason}")]
    RefusedHeader {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The sample does not belong in this shard.
    #[error("cannot write ply {ply} of game {game} to the shard {path}: {reason}")]
    RefusedSample {
        /// The file.
        path: PathBuf,
        /// Game of the sample.
        game: u32,
        /// Ply of the sample.
        ply: u16,
        /// The reason.
        reason: String,
    },
}
