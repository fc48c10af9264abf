//! Self-play: a teacher plays itself, and its games become shards.

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
