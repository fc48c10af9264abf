//! ClaudePlayer's evaluation, hand-written terms with fitted weights, and the plain one that it has
//! to beat.
//!
//! A score is the sum of the terms, each times its weight, which changes evenly from that with all
//! sheep in hand to that with none. Terms are counts that no symmetry changes, and they are added
//! in one order, so all images of a position evaluate to exactly the same.

mod counts;
mod weights;

use self::counts::{NAMES, TERMS, count};
use self::weights::WEIGHTS;
use super::board::TOTAL_SHEEP;
use super::geometry::{DELTAS, shift};
use super::position::Position;
use crate::search::{Evaluation, ScoreType};

/// The phases that each term has a weight for: all sheep in hand, and none.
const STRATA: [&str; 2] = ["placing", "sliding"];

/// How much each of [`STRATA`] counts with so many sheep in hand.
const fn phases(in_hand: usize) -> [f32; 2] {
    let placing = in_hand as f32 / TOTAL_SHEEP as f32;
    [placing, 1.0 - placing]
}

/// The weights of all terms by sheep in hand.
#[derive(Clone, Debug)]
struct Table([[f32; TERMS]; TOTAL_SHEEP as usize + 1]);

impl Table {
    /// Spreads the weights of both phases over the sheep in hand.
    const fn new(placing: &[f32; TERMS], sliding: &[f32; TERMS]) -> Self {
        let mut rows = [[0.0; TERMS]; TOTAL_SHEEP as usize + 1];
        let mut in_hand = 0;
        while in_hand < rows.len() {
            let [early, late] = phases(in_hand);
            let mut term = 0;
            while term < TERMS {
                rows[in_hand][term] = early * placing[term] + late * sliding[term];
                term += 1;
            }
            in_hand += 1;
        }
        Self(rows)
    }

    /// The table of [`WEIGHTS`].
    const fn usual() -> Self {
        let (mut placing, mut sliding) = ([0.0; TERMS], [0.0; TERMS]);
        let mut term = 0;
        while term < TERMS {
            (placing[term], sliding[term]) = (WEIGHTS[term].1, WEIGHTS[term].2);
            term += 1;
        }
        Self::new(&placing, &sliding)
    }
}

/// The table that [`ClaudeEvaluation`] weighs by.
static USUAL: Table = Table::usual();

/// The sum of the terms by weight, compiled twice: for processors that count bits at once, and for
/// any of the kind. Both give the same bits, as neither fuses multiplications with additions.
#[multiversion::multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn score(position: &Position, table: &Table) -> ScoreType {
    let terms = count(position);
    let in_hand = position.board.sheep_left().min(TOTAL_SHEEP) as usize;
    let weights = &table.0[in_hand];
    let mut lanes = [0.0; 8];
    for (terms, weights) in terms.chunks_exact(8).zip(weights.chunks_exact(8)) {
        for ((lane, term), weight) in lanes.iter_mut().zip(terms).zip(weights) {
            *lane += term * weight;
        }
    }
    lanes.iter().sum()
}

/// ClaudePlayer's evaluation, version 1: fitted to games of its own, and frozen. What is claimed of a
/// player is measured against it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClaudeEvaluation;

impl ClaudeEvaluation {
    /// The names of what its score is linear in, each term in each phase.
    #[must_use]
    pub fn terms() -> Vec<String> {
        let names = NAMES.iter();
        names
            .flat_map(|name| STRATA.map(|phase| format!("{name}, {phase}")))
            .collect()
    }

    /// Its weights, in the order of [`ClaudeEvaluation::terms`].
    #[must_use]
    pub fn weights() -> Vec<f32> {
        let weights = WEIGHTS.iter();
        weights
            .flat_map(|&(_, placing, sliding)| [placing, sliding])
            .collect()
    }

    /// Replaces the content of `values` with what the weights are multiplied with, in the order of
    /// [`ClaudeEvaluation::terms`].
    pub fn values(position: &Position, values: &mut Vec<f32>) {
        let phases = phases(position.board.sheep_left() as usize);
        values.clear();
        let counts = count(position).into_iter();
        values.extend(counts.flat_map(|count| phases.map(|phase| count * phase)));
    }
}

impl Evaluation<Position> for ClaudeEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        score(position, &USUAL)
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// ClaudePlayer's evaluation with other weights.
#[derive(Clone, Debug)]
pub struct WeightedEvaluation(Box<Table>);

impl WeightedEvaluation {
    /// The evaluation with `weights`, in the order of [`ClaudeEvaluation::terms`].
    ///
    /// # Panics
    /// If there are fewer weights than terms.
    #[must_use]
    pub fn new(weights: &[f32]) -> Self {
        let of_phase = |phase| std::array::from_fn(|term| weights[STRATA.len() * term + phase]);
        Self(Box::new(Table::new(&of_phase(0), &of_phase(1))))
    }
}

impl Evaluation<Position> for WeightedEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        score(position, &self.0)
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// The plain evaluation: dead sheep, and a tenth of that for each trapped tiger.
///
/// It is no judge of chances, so its unit is as arbitrary as that of most such evaluations.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialEvaluation;

impl Evaluation<Position> for MaterialEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        let board = &position.board;
        let mut mobile = 0;
        for (d, delta) in DELTAS.into_iter().enumerate() {
            let (steps, jumps) = board.tiger_targets(d);
            mobile |= shift(steps, -delta) | shift(jumps, -2 * delta);
        }
        let trapped = (board.tiger_points() & !mobile).count_ones();
        10.0 * board.dead_sheep() as f32 - trapped as f32
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::position::tests::positions;
    use super::*;
    use crate::game::Game;

    #[test]
    fn every_weight_stands_by_the_name_of_its_term() {
        assert_eq!(WEIGHTS.map(|(name, ..)| name), NAMES);
    }

    proptest! {
        #[test]
        fn images_evaluate_to_exactly_the_same(position in positions(), sym in 0_usize..8) {
            let image = position.transformed(sym);
            let (mut claude, mut material) = (ClaudeEvaluation, MaterialEvaluation);
            prop_assert_eq!(
                claude.evaluate(&position).to_bits(),
                claude.evaluate(&image).to_bits()
            );
            prop_assert_eq!(material.evaluate(&position), material.evaluate(&image));
            prop_assert!(claude.evaluate(&position).abs() < 16.0);
        }

        #[test]
        fn the_score_is_linear_in_the_terms(position in positions()) {
            let weights = ClaudeEvaluation::weights();
            let mut values = Vec::new();
            ClaudeEvaluation::values(&position, &mut values);
            prop_assert_eq!(values.len(), ClaudeEvaluation::terms().len());
            let sum: f32 = values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            prop_assert!((ClaudeEvaluation.evaluate(&position) - sum).abs() < 1e-4);
            prop_assert_eq!(
                WeightedEvaluation::new(&weights).evaluate(&position).to_bits(),
                ClaudeEvaluation.evaluate(&position).to_bits()
            );
        }
    }
}
