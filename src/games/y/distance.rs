//! The hand-written evaluation: how many stones each side still needs.

mod needed;
mod ordering;

use self::needed::stones_needed;
use self::ordering::order_moves;
use super::moves::Moves;
use super::position::Position;
use crate::game::{Game as _, Side};
use crate::search::{Evaluation, ScoreType};

/// The names of what a score is linear in.
const TERMS: [&str; 2] = ["stones ahead", "first to move"];

/// The weight of each of [`TERMS`], in logits for the first player; fitted to results of its own games.
const WEIGHTS: [f32; 2] = [1.1, 0.6];

/// How a [`DistanceEvaluation`] looks at a position: as has won, unless it is to be as weak as others that
/// count distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// Whether the ways to the edges may always meet on an empty cell, not only where no stone of one's
    /// own can be on all three; means nothing unless all stones are used.
    pub meet_anywhere: bool,
    /// Whether stones outside the chain cost nothing, as they should, or as much as empty cells.
    pub use_all_stones: bool,
    /// Whether moves far from all stones are looked at, not the fifteen most urgent near ones alone.
    pub look_everywhere: bool,
}

impl Habits {
    /// Those that won.
    pub const USUAL: Self = Self {
        meet_anywhere: false,
        use_all_stones: true,
        look_everywhere: true,
    };
}

impl Default for Habits {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Judges a position by the least number of stones that each side needs to connect one of its chains
/// to the three edges if the other one never moves: the second player's less the first player's.
///
/// Moves that are most urgent to block the enemy's largest chain and to extend one's own stones are tried
/// first.
#[derive(Clone, Copy, Debug)]
pub struct DistanceEvaluation {
    habits: Habits,
    weights: [f32; 2],
}

impl Default for DistanceEvaluation {
    fn default() -> Self {
        Self::with_habits(Habits::default())
    }
}

impl DistanceEvaluation {
    /// The evaluation with habits that may be weaker.
    #[must_use]
    pub fn with_habits(habits: Habits) -> Self {
        Self {
            habits,
            weights: WEIGHTS,
        }
    }

    /// The names of what its score is linear in.
    #[must_use]
    pub fn terms() -> Vec<String> {
        TERMS.map(str::to_owned).into()
    }

    /// Its weights, in the order of [`DistanceEvaluation::terms`].
    #[must_use]
    pub fn weights() -> Vec<f32> {
        WEIGHTS.into()
    }

    /// The evaluation with other weights, in the order of [`DistanceEvaluation::terms`]; missing ones
    /// are 0.
    #[must_use]
    pub fn with_weights(weights: &[f32]) -> Self {
        let weight = |term| weights.get(term).copied().unwrap_or_default();
        Self {
            weights: [weight(0), weight(1)],
            ..Self::default()
        }
    }

    /// Replaces the content of `values` with what the weights are multiplied with, in the order of
    /// [`DistanceEvaluation::terms`].
    pub fn values(position: &Position, values: &mut Vec<f32>) {
        values.clear();
        values.extend(terms(position, Habits::default()));
    }
}

fn terms(position: &Position, habits: Habits) -> [f32; 2] {
    let [first, second] =
        [Side::Max, Side::Min].map(|player| stones_needed(position, player, habits) as f32);
    [second - first, position.side_to_move().sign()]
}

impl Evaluation<Position> for DistanceEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        let [ahead, to_move] = terms(position, self.habits);
        self.weights[0] * ahead + self.weights[1] * to_move
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    #[inline]
    fn order_moves(&self, position: &Position, moves: &mut Moves) {
        order_moves(position, moves, self.habits.look_everywhere);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::position::tests::positions;
    use super::*;
    use crate::game::Notation as _;

    #[test]
    fn scores_are_the_stones_ahead_and_the_turn() {
        let mut evaluation = DistanceEvaluation::default();
        let mut score = |text: &str| evaluation.evaluate(&Position::parse_position(text).unwrap());
        assert_eq!(score("./../... b"), WEIGHTS[1]);
        // Blue needs a stone less, red as many as before.
        assert_eq!(score("./B./... r"), WEIGHTS[0] - WEIGHTS[1]);
    }

    proptest! {
        #[test]
        fn images_have_the_same_score(position in positions()) {
            if position.outcome().is_some() {
                return Ok(());
            }
            for habits in [
                Habits::default(),
                Habits { meet_anywhere: true, ..Habits::default() },
                Habits { use_all_stones: false, ..Habits::default() },
            ] {
                let mut evaluation = DistanceEvaluation::with_habits(habits);
                let score = evaluation.evaluate(&position);
                prop_assert!(score.is_finite());
                for image in position.images() {
                    prop_assert_eq!(evaluation.evaluate(&image), score);
                }
            }
        }
    }
}
