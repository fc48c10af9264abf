//! Why a player specification is refused.

use thiserror::Error;

use super::NetworkSource;
use crate::kit::{PlayerError, TablesError, WeightsError};
use crate::network::NetworkError;

/// Why a player specification is refused.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The text cannot be understood.
    #[error("player \"{text}\": {reason}")]
    Syntax {
        /// The text as given.
        text: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The network is not for this game, or not for integers.
    #[error("{network}: {source}")]
    Player {
        /// Where the network is from.
        network: NetworkSource,
        /// What does not fit.
        source: PlayerError,
    },
    /// The tables of exact values cannot be used.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// No network of the game comes with the program.
    #[error("No network for {game} comes with the program; write neural:FILE.")]
    NothingShipped {
        /// The game.
        game: &'static str,
    },
    /// The system has no place for tables.
    #[error("player \"{text}\": there is no data directory; write exact=DIR")]
    NoTablesFolder {
        /// The text as given.
        text: String,
    },
}

impl SpecError {
    /// Whether the text itself is wrong, rather than what it names.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Syntax { .. } | Self::NothingShipped { .. })
    }
}
