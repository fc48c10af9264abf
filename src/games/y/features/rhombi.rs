//! Features of rhombi: four cells that a bridge consists of.

use super::super::geometry::{LARGEST_SIDE, MOST_CELLS, Mask, ROW, bits, cells, index};
use super::super::position::Position;
use super::{SETTING, visit_setting, visit_setting_changes};
use crate::features::{FeatureSet, Switch};
use crate::game::Side;

/// Number of states of four cells, each empty or with a stone of either player, except all empty.
const STATES: usize = 80;
const RHOMBI: usize = 3 * MOST_CELLS * STATES;

/// One feature for each state of each rhombus except the empty one, one for each size of the board, and
/// one that is active when the first player is to move.
///
/// A rhombus is two adjacent cells and the two cells adjacent to both, which may lie beyond the edge: the
/// cells of a bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rhombi;

/// Direction from the first to the second inner cell of a rhombus.
#[derive(Clone, Copy)]
enum Way {
    Beside,
    LowerLeft,
    LowerRight,
}

impl Way {
    const ALL: [Self; 3] = [Self::Beside, Self::LowerLeft, Self::LowerRight];

    /// Returns the distance in bits from the first inner cell to the second.
    const fn step(self) -> u32 {
        match self {
            Self::Beside => 1,
            Self::LowerLeft => ROW,
            Self::LowerRight => ROW + 1,
        }
    }

    /// Returns the rhombi, by their first cells, that contain any of these cells.
    #[inline]
    const fn around(self, cells: Mask) -> Mask {
        let inner = cells | cells >> self.step();
        inner
            | match self {
                Self::Beside => cells << ROW | cells >> (ROW + 1),
                Self::LowerLeft => cells << 1 | cells >> (ROW + 1),
                Self::LowerRight => cells >> 1 | cells >> ROW,
            }
    }

    /// Returns which of the four cells are in `stones`; cells beyond the edge are bits that are never set.
    #[inline]
    const fn among(self, stones: Mask, first: u32) -> usize {
        let below = stones >> first;
        let outer = match self {
            Self::Beside => stones << ROW >> first & 1 | below >> ROW & 2,
            Self::LowerLeft => stones << 1 >> first & 1 | below >> ROW & 2,
            Self::LowerRight => below >> 1 & 1 | below >> (ROW - 1) & 2,
        };
        (below & 1 | below >> self.step() << 1 & 2 | outer << 2) as usize
    }

    /// Returns the state of the four cells, below [`STATES`]; `None` if all are empty.
    #[inline]
    fn state(self, position: &Position, first: u32) -> Option<usize> {
        let [mine, other] =
            [Side::Max, Side::Min].map(|player| self.among(position.stones(player), first));
        (TERNARY[mine] + 2 * TERNARY[other]).checked_sub(1)
    }
}

/// For each number, the sum of the powers of three of its set bits.
const TERNARY: [usize; 16] = {
    let mut sums = [0; 16];
    let mut number = 0;
    while number < sums.len() {
        let (mut bit, mut power) = (0, 1);
        while bit < 4 {
            sums[number] += power * (number >> bit & 1);
            power *= 3;
            bit += 1;
        }
        number += 1;
    }
    sums
};

/// Returns the rhombi of a board, by their first cells.
#[inline]
fn rhombi(position: &Position, way: Way) -> Mask {
    let cells = position.board().cells;
    cells & cells >> way.step()
}

#[inline]
fn feature(way: Way, first: u32, state: usize) -> usize {
    (way as usize * MOST_CELLS + index(first)) * STATES + state
}

/// Returns the cells that differ; all if the boards do.
#[inline]
fn changed(before: &Position, after: &Position) -> Mask {
    if before.side() != after.side() {
        return Mask::MAX;
    }
    let of = |player| before.stones(player) ^ after.stones(player);
    of(Side::Max) | of(Side::Min)
}

impl FeatureSet<Position> for Rhombi {
    const NAME: &'static str = "rhombi";
    const VERSION: u32 = 1;
    const SIZE: usize = RHOMBI + SETTING;
    // A board has as many rhombi of each way as the board of one side less has cells.
    const MAX_ACTIVE: usize = 3 * cells(LARGEST_SIDE - 1) + 2;

    fn visit_active(position: &Position, _view: Side, mut visit: impl FnMut(usize)) {
        let stones = position.stones(Side::Max) | position.stones(Side::Min);
        for way in Way::ALL {
            for first in bits(way.around(stones) & rhombi(position, way)) {
                if let Some(state) = way.state(position, first) {
                    visit(feature(way, first, state));
                }
            }
        }
        visit_setting(RHOMBI, position, &mut visit);
    }

    #[inline]
    fn visit_changes(
        before: &Position,
        after: &Position,
        _view: Side,
        mut visit: impl FnMut(usize, Switch),
    ) {
        let changed = changed(before, after);
        for way in Way::ALL {
            let [old, new] = [before, after].map(|position| rhombi(position, way));
            for first in bits(way.around(changed) & (old | new)) {
                let of = |position, rhombi: Mask| match rhombi >> first & 1 {
                    0 => None,
                    _ => way.state(position, first),
                };
                let (old, new) = (of(before, old), of(after, new));
                if old == new {
                    continue;
                }
                if let Some(state) = old {
                    visit(feature(way, first, state), Switch::Off);
                }
                if let Some(state) = new {
                    visit(feature(way, first, state), Switch::On);
                }
            }
        }
        visit_setting_changes(RHOMBI, before, after, &mut visit);
    }
}
