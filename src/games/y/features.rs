//! What networks see of a position.

use super::geometry::{LARGEST_SIDE, MOST_CELLS, Mask, SMALLEST_SIDE, bits, index};
use super::position::Position;
use crate::features::{FeatureSet, Switch};
use crate::game::{Game, Side};

const FIRST: usize = 0;
const SECOND: usize = FIRST + MOST_CELLS;
const BOARD: usize = SECOND + MOST_CELLS;
const FIRST_TO_MOVE: usize = BOARD + (LARGEST_SIDE - SMALLEST_SIDE) as usize + 1;

/// One feature for each stone of each player by its cell, one for the size of the board, and one for
/// the first player being to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells;

fn board(position: &Position) -> usize {
    BOARD + usize::from(position.side() - SMALLEST_SIDE)
}

/// Calls `visit` with the stones that two sets do not share; the first cell is feature `first`.
#[inline]
fn visit_stones(first: usize, before: Mask, after: Mask, visit: &mut impl FnMut(usize, Switch)) {
    bits(before & !after).for_each(|bit| visit(first + index(bit), Switch::Off));
    bits(after & !before).for_each(|bit| visit(first + index(bit), Switch::On));
}

impl FeatureSet<Position> for Cells {
    const NAME: &'static str = "cells";
    const VERSION: u32 = 1;
    const SIZE: usize = FIRST_TO_MOVE + 1;
    const MAX_ACTIVE: usize = MOST_CELLS + 2;

    fn visit_active(position: &Position, mut visit: impl FnMut(usize)) {
        bits(position.stones(Side::Max)).for_each(|bit| visit(FIRST + index(bit)));
        bits(position.stones(Side::Min)).for_each(|bit| visit(SECOND + index(bit)));
        visit(board(position));
        if position.side_to_move() == Side::Max {
            visit(FIRST_TO_MOVE);
        }
    }

    #[inline]
    fn visit_changes(before: &Position, after: &Position, mut visit: impl FnMut(usize, Switch)) {
        for (first, player) in [(FIRST, Side::Max), (SECOND, Side::Min)] {
            visit_stones(
                first,
                before.stones(player),
                after.stones(player),
                &mut visit,
            );
        }
        let (from, to) = (board(before), board(after));
        if from != to {
            visit(from, Switch::Off);
            visit(to, Switch::On);
        }
        match (before.side_to_move(), after.side_to_move()) {
            (Side::Max, Side::Min) => visit(FIRST_TO_MOVE, Switch::Off),
            (Side::Min, Side::Max) => visit(FIRST_TO_MOVE, Switch::On),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Rules;
    use super::super::position::tests::positions;
    use super::*;
    use crate::features::tests::check_changes;

    fn active(position: &Position) -> Vec<usize> {
        let mut features = Vec::new();
        Cells::visit_active(position, |feature| features.push(feature));
        features
    }

    #[test]
    fn an_empty_board_switches_on_its_size_and_turn() {
        let start = Position::start(&Rules::new(7).unwrap());
        assert_eq!(active(&start), [BOARD + 5, FIRST_TO_MOVE]);
    }

    proptest! {
        #[test]
        fn changes_lead_from_any_position_to_any_other(a in positions(), b in positions()) {
            check_changes::<_, Cells>(&a, &b);
            for mv in a.moves() {
                check_changes::<_, Cells>(&a, &a.play(mv));
                check_changes::<_, Cells>(&a.play(mv), &a);
            }
        }

        #[test]
        fn features_are_in_range_and_tell_positions_apart(a in positions(), b in positions()) {
            let (of_a, of_b) = (active(&a), active(&b));
            prop_assert!(of_a.len() <= Cells::MAX_ACTIVE);
            prop_assert!(of_a.iter().all(|feature| *feature < Cells::SIZE));
            prop_assert_eq!(of_a == of_b, a == b);
        }
    }
}
