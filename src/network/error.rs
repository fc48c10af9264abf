//! Errors of networks and their files.

use std::path::PathBuf;

use thiserror::Error;

use super::file::{MAX_FILE, VERSION};
use super::{ArchitectureError, MismatchError, WeightsError};
use crate::files::FileError;

/// A network file that could not be read or written.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file does not begin with the magic of network files.
    #[error("{} is not a network file of Bagheera", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "{} is a network file of format version {found}; this program reads version {VERSION}: use the \
         program version that wrote it, or train a new network",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The length of the file differs from its header.
    #[error(
        "{} is truncated or has grown: it is {found} bytes long and should be {expected}; copy it again",
        path.display()
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length by its header.
        expected: u64,
    },
    /// The file is too large to be a network.
    #[error(
        "{} is too large for a network file: {found} bytes, the limit is {MAX_FILE}",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
    },
    /// A checksum does not match.
    #[error("{} is damaged: the checksum of its {part} does not match; copy it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// "header" or "content".
        part: &'static str,
    },
    /// The description is too long.
    #[error(
        "{} has a description of {found} bytes, the limit is {max}; copy it again, or train it again",
        path.display(),
        max = super::file::MAX_DESCRIPTION
    )]
    Description {
        /// The file.
        path: PathBuf,
        /// Length of the description in bytes.
        found: usize,
    },
    /// The description cannot be parsed.
    #[error("{}: the description of the network cannot be parsed: {source}", path.display())]
    Metadata {
        /// The file.
        path: PathBuf,
        /// The parser's error.
        source: serde_json::Error,
    },
    /// The architecture is impossible.
    #[error("{}: {source}", path.display())]
    Architecture {
        /// The file.
        path: PathBuf,
        /// The bound that it exceeds.
        source: ArchitectureError,
    },
    /// The weights do not fit the architecture or are not finite.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// The error.
        source: WeightsError,
    },
    /// The network is for another game or for other features.
    #[error("{}: {source}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// Both values.
        source: MismatchError,
    },
}

/// Metadata and weights that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidNetwork {
    /// The architecture is impossible.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// The weights do not fit it or are not finite.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}
