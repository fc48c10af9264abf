//! The search that all players share, and the players that need no network.
//!
//! A player supplies an evaluation; [`MinimaxPlayer`] gives it alpha-beta with iterative
//! deepening, a cache of scores, killer moves, draws by repetition and, where a source of them is
//! given, exact values.

mod analysis;
mod cache;
mod deepening;
mod evaluation;
mod exact_root;
mod greedy;
mod history;
mod limits;
mod memory;
mod minimax;
mod ordering;
mod path;
mod player;
mod quiescence;
mod random;
pub mod reference;
mod selective;
mod statistics;
mod techniques;
mod transposition;
mod weakened;
mod window;

pub use analysis::{Analysis, MoveScore};
pub use cache::{CacheEntry, CacheKey, NoCache, ScoreCache};
pub use evaluation::{Evaluation, Search};
pub use greedy::GreedyPlayer;
pub use history::History;
pub use limits::{Limits, MAX_DEPTH};
pub use memory::SearchMemory;
pub use minimax::{MinimaxPlayer, Prior};
pub use ordering::Killers;
pub use path::Path;
pub use player::{Forced, Player, SearchReport};
pub use random::RandomPlayer;
pub use statistics::SearchStats;
pub use techniques::{Sharing, Switches, Techniques};
pub use transposition::{Replacement, TranspositionTable};
pub use weakened::WeakenedPlayer;

use crate::game::Outcome;

/// The value of a position for `Max`, in logits: 1/(1 + e^−score) is `Max`'s expected share of
/// the point.
pub type ScoreType = f32;

/// The score of a game that `Max` wins by force; `Min`'s is its negative.
pub const WIN: ScoreType = f32::INFINITY;

/// The score of a drawn game.
pub const DRAW: ScoreType = 0.0;

/// The score of a finished game.
#[must_use]
pub fn outcome_score(outcome: Outcome) -> ScoreType {
    match outcome {
        Outcome::Max => WIN,
        Outcome::Draw => DRAW,
        Outcome::Min => -WIN,
    }
}
