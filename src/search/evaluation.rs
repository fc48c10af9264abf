//! Static evaluations.

use super::ScoreType;
use crate::game::Game;

/// Scores positions without looking ahead.
pub trait Evaluation<G: Game>: Send {
    /// The value of an unfinished position for `Max`, in logits; finite, and a function of the
    /// position alone.
    fn evaluate(&mut self, position: &G) -> ScoreType;

    /// Whether all symmetric copies of a position have exactly the same value.
    fn is_symmetric(&self) -> bool;

    /// Puts the moves of a position in the order in which the search should try them, noisy ones
    /// still first. May remove some, never all, and no move that wins at once.
    #[inline]
    fn order_moves(&self, _position: &G, _moves: &mut G::Moves) {}

    /// Called after the search makes a move; not called for null moves, which leave the board
    /// unchanged.
    #[inline]
    fn on_make(&mut self, _before: &G, _after: &G) {}

    /// Called after the search unmakes the last move made.
    #[inline]
    fn on_unmake(&mut self) {}
}
