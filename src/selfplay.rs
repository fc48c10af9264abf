//! Self-play: a teacher plays itself, and its games become shards.

mod game;
mod generation;
mod log;
mod settings;

pub use game::{Opening, PlayedGame, SelfplayGame};
pub use generation::{Generation, Produced, SelfplayError};
pub use log::GameSummary;
pub use settings::{ExactUse, SelfplaySettings, SettingsError};
