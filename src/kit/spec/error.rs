//! Errors of player specifications.

use thiserror::Error;

use super::NetworkSource;
use crate::kit::{PlayerError, TablesError, WeightsError};
use crate::network::NetworkError;

/// Why a specification makes no player.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The text is invalid.
    #[error("player \"{text}\": {reason}")]
    Syntax {
        /// The text as given.
        text: String,
        /// The fault and its remedy.
        reason: String,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The network is for another game or cannot be quantised.
    #[error("{network}: {source}")]
    Player {
        /// The network.
        network: NetworkSource,
        /// The mismatch.
        source: PlayerError,
    },
    /// The endgame tables cannot be used.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The weights file cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The program contains no network of the game.
    #[error("the program contains no network for {game}; write neural:FILE")]
    NothingShipped {
        /// The game.
        game: &'static str,
    },
    /// The user has no data directory for tables.
    #[error("player \"{text}\": there is no data directory; write exact=DIR")]
    NoTablesFolder {
        /// The text as given.
        text: String,
    },
}

impl SpecError {
    /// Whether the text is wrong, rather than a file that it names.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Syntax { .. } | Self::NothingShipped { .. })
    }
}
