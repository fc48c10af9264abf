//! What is known of positions for certain.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::{Game, Outcome, Side};

/// The result of a position under best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exact {
    /// Who wins, if anyone can force it.
    pub value: Outcome,
    /// Plies to the end of the game, the winner hurrying and the loser delaying; none for a draw,
    /// or where only the value is known.
    pub plies: Option<u32>,
}

impl Exact {
    /// A position that nobody can force a win in.
    #[must_use]
    pub fn draw() -> Self {
        Self {
            value: Outcome::Draw,
            plies: None,
        }
    }

    /// A position whose winner is known, and no more.
    #[must_use]
    pub fn value(value: Outcome) -> Self {
        Self { value, plies: None }
    }
}

impl Exact {
    /// What it is worth to a side: a sooner win is more, a later loss is more.
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

/// A source of exact values.
///
/// Values are those of positions without a history: earlier positions that could come back are not
/// looked at.
pub trait ExactValues<G: Game>: Debug + Send + Sync {
    /// The value of a position and, where it is known, the distance; none if it is not known.
    ///
    /// Finished positions have a value like others, with distance 0 if they are known at all.
    fn probe(&self, position: &G) -> Option<Exact>;

    /// As [`ExactValues::probe`], with a distance that takes longer to find where that is possible.
    fn resolve(&self, position: &G) -> Option<Exact> {
        self.probe(position)
    }

    /// Stands for everything that is known here, in hexadecimal: equal sources have equal ones.
    fn digest(&self) -> &str;
}
