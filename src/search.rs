//! The shared alpha-beta search, and the players that need no network.
//!
//! [`Search`] gives any [`Evaluation`] iterative deepening with aspiration windows, a
//! transposition table, principal variation search, quiescence, pruning and reductions, draws by
//! repetition and, given a source, tablebase values. It is one struct whose methods stand in these files:
//!
//! | file | methods |
//! | --- | --- |
//! | `deepening` | iterative deepening, root with known values |
//! | `root` | one iteration, aspiration windows, several lines |
//! | `minimax` | a node: repetition, tablebase, transposition table |
//! | `move_loop` | the moves of a node, principal variation search |
//! | `pruning` | reverse futility, null move, futility, late move reductions |
//! | `quiescence` | leaves |

mod analysis;
mod budget;
mod cache;
mod control;
mod deepening;
mod evaluation;
mod greedy;
mod history;
mod limits;
mod line;
mod minimax;
mod move_loop;
mod ordering;
mod path;
mod player;
mod pruning;
mod quiescence;
mod random;
pub mod reference;
mod root;
mod statistics;
mod tablebase_root;
mod techniques;
mod transposition;
mod weakened;
mod window;

pub use analysis::{Analysis, MoveScore};
pub use cache::{CacheEntry, CacheHit, CacheKey, NoCache, ScoreCache};
pub use control::{Iteration, SearchControl};

pub use evaluation::Evaluation;
pub use greedy::GreedyPlayer;
pub use limits::{Clock, Limits, MAX_DEPTH};
pub use minimax::Search;
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

/// The largest score of a position without a proven result; the smallest is its negative.
pub(crate) const LARGEST_EVALUATION: ScoreType = ScoreType::MAX;

/// The score of a finished game.
#[must_use]
pub fn outcome_score(outcome: Outcome) -> ScoreType {
    match outcome {
        Outcome::Max => WIN,
        Outcome::Draw => DRAW,
        Outcome::Min => -WIN,
    }
}
