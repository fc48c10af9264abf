//! Games drawn as vector graphics.

use super::Notation;

/// Draws positions as parts of an SVG image; the page that shows it has all colours but those of the
/// pieces.
///
/// Classes: `line` for the board's lines, `label` for its text, `max` and `min` for the pieces of the
/// sides.
pub trait Picture: Notation {
    /// The colours of the pieces of `Max` and of `Min`, on a light page and on a dark one, as CSS has them.
    const COLOURS: [[&'static str; 2]; 2];

    /// The part of the plane that board and pieces lie in, as SVG's `viewBox` has it.
    const VIEW_BOX: &'static str;

    /// The board of some rules, without pieces.
    fn draw_board(rules: &Self::Rules) -> String;

    /// The pieces of the position, and what else people want to know of it.
    fn draw_pieces(&self) -> String;
}
