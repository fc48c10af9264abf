//! Positions and moves as text.

use thiserror::Error;

use super::{ForeignNotation, Game, Outcome, Side};

/// Why a text is not a position or not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The text is not a position.
    #[error("position \"{text}\": {reason}")]
    Position {
        /// The text as given.
        text: String,
        /// The error, its place, and the expected form.
        reason: String,
    },
    /// The text is not a legal move.
    #[error("move \"{text}\": {reason}")]
    Move {
        /// The text as given.
        text: String,
        /// The error, and the expected form.
        reason: String,
    },
}

/// Reads and writes a game's positions and moves.
///
/// Writing then reading is the identity.
pub trait Notation: Game {
    /// Reads a position.
    ///
    /// # Errors
    /// Names the place of the first error.
    fn parse_position(text: &str) -> Result<Self, NotationError>;

    /// Writes the position on one line.
    fn format_position(&self) -> String;

    /// Reads a legal move of the position.
    ///
    /// # Errors
    /// Says why the text is not a move, or why the move is not legal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// Writes a move.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Draws the board in text, on several lines.
    fn draw(&self) -> String;

    /// The game's name of a side, in lower case.
    fn side_name(side: Side) -> &'static str;

    /// The game's name of an outcome: the winner's name, or `draw`.
    fn outcome_name(outcome: Outcome) -> &'static str {
        outcome.winner().map_or("draw", Self::side_name)
    }

    /// Notations of other programs that can be read and written as well.
    #[must_use]
    fn foreign_notations() -> &'static [&'static dyn ForeignNotation<Self>] {
        &[]
    }
}
