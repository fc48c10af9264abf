//! The network as an evaluation: what makes a NeuralPlayer.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Accumulator, FeatureId, Inference, Quantized};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::search::{Evaluation, ScoreType, Search, TranspositionTable};

/// The player that a network makes with the shared search.
pub type NeuralPlayer<G, F> = Search<G, NeuralEvaluation<G, F>, TranspositionTable<G>>;

impl FeatureId {
    /// What files say of a feature set.
    #[must_use]
    pub fn of<G: Game, F: FeatureSet<G>>() -> Self {
        Self {
            name: F::NAME.to_owned(),
            version: F::VERSION,
            size: F::SIZE,
        }
    }
}

/// Judges positions by a network that all players of a process share.
#[derive(Clone, Debug)]
pub struct NeuralEvaluation<G, F> {
    inference: Arc<Inference>,
    active: Vec<u16>,
    sees: PhantomData<fn(G, F)>,
}

impl<G: Game, F: FeatureSet<G>> NeuralEvaluation<G, F> {
    /// An evaluation by a network that was trained on the feature set `F`.
    #[must_use]
    pub fn new(inference: Arc<Inference>) -> Self {
        Self {
            inference,
            active: Vec::with_capacity(F::MAX_ACTIVE),
            sees: PhantomData,
        }
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluation<G> for NeuralEvaluation<G, F> {
    fn evaluate(&mut self, position: &G) -> ScoreType {
        self.active.clear();
        // Feature sets have fewer than 2^16 features: a network file cannot say otherwise.
        F::visit_active(position, |feature| self.active.push(feature as u16));
        self.inference.forward(&self.active)
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

/// Judges positions by a network in integers, whose first layer follows the search.
#[derive(Clone, Debug)]
pub struct IntegerEvaluation<G, F> {
    accumulator: Accumulator<G, F>,
}

impl<G: Game, F: FeatureSet<G>> IntegerEvaluation<G, F> {
    /// An evaluation by a network that was trained on the feature set `F`.
    #[must_use]
    pub fn new(network: Arc<Quantized>) -> Self {
        Self {
            accumulator: Accumulator::new(network),
        }
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluation<G> for IntegerEvaluation<G, F> {
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
