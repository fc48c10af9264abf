//! The evaluation by a network.

use std::sync::Arc;

use super::{Accumulator, FeatureId, Quantized};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::search::{Evaluation, ScoreType, Search, TranspositionTable};

/// The player of a network.
pub type NeuralPlayer<G, F> = Search<G, NeuralEvaluation<G, F>, TranspositionTable<G>>;

impl FeatureId {
    /// Returns the identity of a feature set in files.
    #[must_use]
    pub fn of<G: Game, F: FeatureSet<G>>() -> Self {
        Self {
            name: F::NAME.to_owned(),
            version: F::VERSION,
            size: F::SIZE,
            views: F::VIEWS,
        }
    }
}

/// Evaluates positions by a network in integers, whose accumulator follows the search.
#[derive(Clone, Debug)]
pub struct NeuralEvaluation<G, F> {
    accumulator: Accumulator<G, F>,
}

impl<G: Game, F: FeatureSet<G>> NeuralEvaluation<G, F> {
    /// Creates the evaluation by a network that was trained on the feature set `F`.
    #[must_use]
    pub fn new(network: Arc<Quantized>) -> Self {
        Self {
            accumulator: Accumulator::new(network),
        }
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluation<G> for NeuralEvaluation<G, F> {
    #[inline]
    fn evaluate(&mut self, position: &G) -> ScoreType {
        self.accumulator.score(position)
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    #[inline]
    fn on_make(&mut self, before: &G, after: &G) {
        self.accumulator.push(before, after);
    }

    #[inline]
    fn on_unmake(&mut self) {
        self.accumulator.pop();
    }
}
