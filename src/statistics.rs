//! Match statistics: strength of two players, with uncertainty.
//!
//! Each opening is played twice with sides swapped, and the pair is the unit of every statistic:
//! the two games of a pair share their opening, so they are not independent, and the distribution over
//! pairs has the correct, smaller variance. [`Pentanomial`] counts pairs, [`Trinomial`] single games;
//! [`Estimate`] gives strength and intervals, [`Sprt`] decides when a match may stop, and
//! [`PairedDifference`] compares two players that played the same opponent from the same openings.
//!
//! The formulas are those of fishtest (`LLRcalc`, `stat_util`) and of Michel Van den Bergh's notes
//! on normalised Elo and on the generalised sequential probability ratio test.

mod concordance;
mod counts;
mod estimate;
mod likelihood;
mod logistic;
mod paired;
mod ratings;
mod score;
mod share;
mod sprt;

pub use concordance::concordance;
pub use counts::{Counts, Law, Pentanomial, Trinomial};
pub use estimate::{Estimate, Z_95};
pub(crate) use logistic::{Convergence, LogisticSums, optimum};
pub use logistic::{cross_entropy, expected_score};
pub use paired::{PairedDifference, PairedError};
pub use ratings::{RatedGame, Rating, Ratings};
pub use score::{GameScore, PairScore, PairScoreError};
pub use share::{paired_share_interval, share_interval};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};

/// Normalised Elo of one standard deviation of a game: 800 / ln 10, with which normalised and
/// logistic Elo agree near equality in a game without draws.
pub const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;
