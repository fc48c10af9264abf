//! Rules in, strong network out: small neural evaluations for alpha-beta engines by self-play.
//!
//! A game implements [`game::Game`]; a player supplies an evaluation and gets the search of
//! [`search`]; [`selfplay`] turns games into [`shard`]s, [`training`] fits a [`network`] to them,
//! [`arena`] plays matches, and `pipeline` runs the loop. A game with its [`kit::Kit`] gets the whole
//! command line from [`app()`].
//!
//! ```
//! use bagheera::game::{Game, Notation};
//! use bagheera::games::bagh_chal::{ClaudeEvaluation, Position};
//! use bagheera::search::{Search, Limits, Player, TranspositionTable};
//!
//! # fn main() -> Result<(), bagheera::game::NotationError> {
//! let position = Position::parse_position("SSSSS/STS1S/S1SST/S1TSS/S1SST t 0")?;
//! let table = TranspositionTable::new(16);
//! let mut claude = Search::new(ClaudeEvaluation, table, Limits::depth(5));
//! let report = claude.pick_move(&position, &[]);
//! assert_eq!(position.format_move(report.mv), "b4xd4");
//! assert_eq!(report.forced.and_then(|forced| forced.plies), Some(3));
//! assert_eq!(position.play(report.mv).board.dead_sheep(), 4);
//! # Ok(())
//! # }
//! ```

mod app;
pub mod arena;
mod commands;
pub mod exam;
pub mod features;
pub mod files;
pub mod fitting;
pub mod game;
pub mod games;
pub mod interrupt;
pub mod kit;
mod mismatch;
pub mod network;
pub mod perft;
#[cfg(feature = "train")]
pub mod pipeline;
pub mod record;
mod registry;
pub mod report;
pub mod reporter;
pub mod search;
pub mod seed;
pub mod selfplay;
pub mod settings;
pub mod shard;
pub mod statistics;
pub mod training;
pub mod workers;

pub use app::{App, app};
