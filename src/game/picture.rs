//! Positions as vector graphics.

use super::Notation;

/// Draws positions as parts of an SVG image; the page that shows it sets all colours but those of the
/// pieces.
///
/// Classes: `line` for the board's lines, `label` for its text, `max` and `min` for the pieces of the
/// sides.
pub trait Picture: Notation {
    /// The CSS colours of the pieces of `Max` and `Min`, on a light page and on a dark one.
    const COLOURS: [[&'static str; 2]; 2];

    /// The SVG `viewBox` of board and pieces.
    const VIEW_BOX: &'static str;

    /// Draws the empty board of the given rules.
    fn draw_board(rules: &Self::Rules) -> String;

    /// Draws the pieces of the position, and counts that are not visible on the board.
    fn draw_pieces(&self) -> String;
}
