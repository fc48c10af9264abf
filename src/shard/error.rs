//! What can be wrong with a shard.

use std::path::PathBuf;

use thiserror::Error;

use super::FORMAT_VERSION;
use crate::files::FileError;

/// What helps against a damaged shard or manifest.
pub(super) const MAKE_AGAIN: &str = "remove it, and the command that made it makes it again";

/// Why a shard cannot be written or read.
#[derive(Debug, Error)]
pub enum ShardError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Some other file.
    #[error("{path} is not a shard: its first bytes are not those of one")]
    NotAShard {
        /// The file.
        path: PathBuf,
    },
    /// A shard of another version of the program.
    #[error(
        "the shard {path} is format version {found}; this program reads version {FORMAT_VERSION}: \
         {MAKE_AGAIN}"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A shard of another game.
    #[error("the shard {path} holds samples of the game {found}, not of {expected}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        expected: &'static str,
        /// The game of the file.
        found: String,
    },
    /// The header cannot be trusted, and so nothing after it.
    #[error("the header of the shard {path} is damaged: {reason}; {MAKE_AGAIN}")]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A block cannot be trusted.
    #[error(
        "block {block} of the shard {path}, at byte {offset}, is damaged: {reason}; \
         {MAKE_AGAIN}, or salvage its whole blocks"
    )]
    Block {
        /// The file.
        path: PathBuf,
        /// The index of the block.
        block: usize,
        /// Where the block begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// The footer is damaged or does not fit the blocks.
    #[error(
        "the end of the shard {path} is damaged: {reason}; {MAKE_AGAIN}, or salvage its whole \
         blocks"
    )]
    Footer {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A damaged shard without a whole block.
    #[error("the shard {path} has no whole block to salvage; {MAKE_AGAIN}")]
    NothingWhole {
        /// The file.
        path: PathBuf,
    },
    /// The header to be written cannot be one.
    #[error("the shard {path} cannot get this header: {reason}")]
    RefusedHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The sample to be written cannot be one of this shard.
    #[error("ply {ply} of game {game} cannot go into the shard {path}: {reason}")]
    RefusedSample {
        /// The file.
        path: PathBuf,
        /// The game of the sample.
        game: u32,
        /// The ply of the sample.
        ply: u16,
        /// What is wrong.
        reason: String,
    },
}
