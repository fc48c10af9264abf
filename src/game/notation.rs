//! Positions and moves as text.

use thiserror::Error;

use super::{ForeignNotation, Game, Outcome, Side};

/// Why a text is no position or no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The text is no position.
    #[error("position \"{text}\": {reason}")]
    Position {
        /// The text as given.
        text: String,
        /// What is wrong, where, and what would be right.
        reason: String,
    },
    /// The text is no move that can be played.
    #[error("move \"{text}\": {reason}")]
    Move {
        /// The text as given.
        text: String,
        /// What is wrong, and what would be right.
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
    /// Names the place of the first fault.
    fn parse_position(text: &str) -> Result<Self, NotationError>;

    /// The position on one line.
    fn format_position(&self) -> String;

    /// Reads a move that is legal here.
    ///
    /// # Errors
    /// Says why the text is no move, or why the move is not legal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// The move as text.
    fn format_move(&self, mv: Self::Move) -> String;

    /// The board drawn for people, several lines.
    fn draw(&self) -> String;

    /// What the game calls a side, in lower case.
    fn side_name(side: Side) -> &'static str;

    /// What the game calls an outcome: the winner's name, or `draw`.
    fn outcome_name(outcome: Outcome) -> &'static str {
        outcome.winner().map_or("draw", Self::side_name)
    }

    /// Other programs' notations of the game that can be read and written too.
    #[must_use]
    fn foreign_notations() -> &'static [&'static dyn ForeignNotation<Self>] {
        &[]
    }
}
