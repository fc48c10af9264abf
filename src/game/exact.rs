//! Exact values of positions, as from tablebases.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::{Game, Outcome, Side};

/// The result of a position under best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exact {
    /// Who wins, if anyone can force it.
    pub value: Outcome,
    /// Plies to the end of the game with best play by both (distance to mate); `None` for a draw,
    /// or where only the value is known.
    pub plies: Option<u32>,
}

impl Exact {
    /// The value of a position in which nobody can force a win.
    #[must_use]
    pub fn draw() -> Self {
        Self {
            value: Outcome::Draw,
            plies: None,
        }
    }

    /// A value without a distance.
    #[must_use]
    pub fn value(value: Outcome) -> Self {
        Self { value, plies: None }
    }
}

impl Exact {
    /// A number that orders values for a side: a sooner win is more, a later loss is more.
    ///
    /// Wins and losses of unknown distance count as the latest ones.
    #[must_use]
    pub fn worth(self, side: Side) -> i64 {
        let sooner = i64::from(u32::MAX) - i64::from(self.plies.unwrap_or(u32::MAX)) + 1;
        match self.value.winner() {
            None => 0,
            Some(winner) if winner == side => sooner,
            Some(_) => -sooner,
        }
    }
}

/// A source of exact values, such as a tablebase.
///
/// Values ignore the history: repetitions of earlier positions are not considered.
pub trait ExactValues<G: Game>: Debug + Send + Sync {
    /// Looks up the value of a position, with the distance if the source holds it; `None` if the
    /// position is not in the source.
    ///
    /// Finished positions have a value as well, at distance 0, if they are in the source.
    fn probe(&self, position: &G) -> Option<Exact>;

    /// As [`ExactValues::probe`], with a distance computed where the source does not hold it, which takes longer.
    fn resolve(&self, position: &G) -> Option<Exact> {
        self.probe(position)
    }

    /// A digest of the source's content, in hexadecimal.
    fn digest(&self) -> &str;
}
