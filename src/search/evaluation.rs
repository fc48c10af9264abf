//! Evaluations, and the player that any of them makes.

use std::sync::Arc;

use super::limits::Limits;
use super::memory::SearchMemory;
use super::minimax::MinimaxPlayer;
use super::techniques::Techniques;
use super::{ScoreCache, ScoreType};
use crate::game::{ExactValues, Game};

/// A judgement of positions without looking ahead.
pub trait Evaluation<G: Game>: Send {
    /// The position's value for `Max`, in logits; finite.
    fn evaluate(&mut self, position: &G) -> ScoreType;

    /// Whether all images of a position have exactly the same value.
    fn is_symmetric(&self) -> bool;

    /// Puts moves of a position in the order in which they are worth trying. May leave some
    /// out, never all, nor a move that wins at once.
    #[inline]
    fn order_moves(&self, _position: &G, _moves: &mut G::Moves) {}

    /// Hears that the search goes by a move from `before` to `after`.
    #[inline]
    fn on_make(&mut self, _before: &G, _after: &G) {}

    /// Hears that the search takes back the last move made.
    #[inline]
    fn on_unmake(&mut self) {}
}

/// Plays by an evaluation and the shared search.
#[derive(Clone, Debug)]
pub struct Search<G: Game, E, C> {
    evaluation: E,
    memory: SearchMemory<G, C>,
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// A player with the techniques that suit its evaluation.
    pub fn new(evaluation: E, cache: C, limits: Limits) -> Self {
        let techniques = Techniques::for_symmetry(evaluation.is_symmetric());
        Self {
            evaluation,
            memory: SearchMemory::new(cache, limits, techniques),
        }
    }

    /// The player with other techniques.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> Self {
        self.memory.techniques = techniques;
        self
    }

    /// The player with a source of exact values, or without one.
    #[must_use]
    pub fn with_exact(mut self, exact: Option<Arc<dyn ExactValues<G>>>) -> Self {
        self.memory.exact = exact;
        self
    }
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G> + Send> MinimaxPlayer for Search<G, E, C> {
    type Game = G;
    type Cache = C;

    fn evaluate(&mut self, position: &G) -> ScoreType {
        self.evaluation.evaluate(position)
    }

    fn is_symmetric(&self) -> bool {
        self.evaluation.is_symmetric()
    }

    #[inline]
    fn order_moves(&self, position: &G, moves: &mut G::Moves) {
        self.evaluation.order_moves(position, moves);
    }

    #[inline]
    fn on_make(&mut self, before: &G, _mv: G::Move, after: &G) {
        self.evaluation.on_make(before, after);
    }

    #[inline]
    fn on_unmake(&mut self) {
        self.evaluation.on_unmake();
    }

    fn memory(&mut self) -> &mut SearchMemory<G, C> {
        &mut self.memory
    }
}
