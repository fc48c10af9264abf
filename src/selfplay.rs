//! Self-play: a player plays itself, and its games are written to shards.

mod error;
mod game;
mod generation;
mod log;
mod settings;

pub use error::SelfplayError;
pub use game::{GameSettings, Opening, PlayedGame};
pub use generation::{Produced, SelfplayJob};
pub use log::GameSummary;
pub use settings::{ExactUse, SelfplaySettings};
