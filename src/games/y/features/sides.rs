//! Stones of the own and the other side, as either side sees them.

use super::super::geometry::{LARGEST_SIDE, MOST_CELLS, SMALLEST_SIDE, bits, index};
use super::super::position::Position;
use super::visit_cells;
use crate::features::{FeatureSet, Switch};
use crate::game::Side;

/// First feature of the board's size.
const SIZES: usize = 2 * MOST_CELLS;

/// A set with two views: one feature for each cell with a stone of the viewing side, one for each cell
/// with a stone of the other side, and one for each size of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides;

/// Returns the feature of the board's size.
#[inline]
fn size(position: &Position) -> usize {
    SIZES + usize::from(position.side() - SMALLEST_SIDE)
}

impl FeatureSet<Position> for Sides {
    const NAME: &'static str = "sides";
    const VERSION: u32 = 1;
    const SIZE: usize = SIZES + (LARGEST_SIDE - SMALLEST_SIDE) as usize + 1;
    const MAX_ACTIVE: usize = MOST_CELLS + 1;
    const VIEWS: usize = 2;

    fn visit_active(position: &Position, view: Side, mut visit: impl FnMut(usize)) {
        for (first, player) in [(0, view), (MOST_CELLS, view.other())] {
            bits(position.stones(player)).for_each(|bit| visit(first + index(bit)));
        }
        visit(size(position));
    }

    #[inline]
    fn visit_changes(
        before: &Position,
        after: &Position,
        view: Side,
        mut visit: impl FnMut(usize, Switch),
    ) {
        for (first, player) in [(0, view), (MOST_CELLS, view.other())] {
            let (before, after) = (before.stones(player), after.stones(player));
            visit_cells(first, before, after, &mut visit);
        }
    }

    #[inline]
    fn needs_refresh(before: &Position, after: &Position, _view: Side) -> bool {
        before.side() != after.side()
    }
}
