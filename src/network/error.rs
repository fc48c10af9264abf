//! Errors of networks and their files.

use std::path::PathBuf;

use thiserror::Error;

use super::{ArchitectureError, MismatchError, WeightsError};
use crate::files::FileError;

/// A network file that could not be read or written.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The weights do not fit the architecture or are not finite, or the architecture is impossible.
    #[error("{}: {source}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The error.
        source: InvalidNetwork,
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
