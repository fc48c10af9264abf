//! The simplest features: pieces by point, sheep in hand, dead sheep, the side to move.

use super::super::board::{GameBoard, TOTAL_SHEEP};
use super::super::geometry::{POINTS, bits};
use super::super::position::{Position, Turn};
use crate::features::{FeatureSet, Switch};
use crate::game::Side;

const TIGERS: usize = 0;
const SHEEP: usize = TIGERS + POINTS;
const IN_HAND: usize = SHEEP + POINTS;
const DEAD: usize = IN_HAND + TOTAL_SHEEP as usize + 1;
const TIGER_TO_MOVE: usize = DEAD + 5;

/// One feature for each tiger's point, each sheep's point, each number of sheep in hand and each
/// number of dead sheep below five, and one that is active when the tigers are to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points;

/// Returns the feature of the number of dead sheep.
#[inline]
fn dead(position: &Position) -> usize {
    DEAD + position.board.dead_sheep().min(4) as usize
}

/// Calls `visit` with the bits in which two masks differ; bit 0 is feature `first`.
#[inline]
fn visit_masks(first: usize, before: u32, after: u32, visit: &mut impl FnMut(usize, Switch)) {
    bits(before & !after).for_each(|bit| visit(first + bit as usize, Switch::Off));
    bits(after & !before).for_each(|bit| visit(first + bit as usize, Switch::On));
}

/// Calls `visit` with a feature that is replaced by another, unless they are the same.
#[inline]
fn visit_pair(before: usize, after: usize, visit: &mut impl FnMut(usize, Switch)) {
    if before != after {
        visit(before, Switch::Off);
        visit(after, Switch::On);
    }
}

impl FeatureSet<Position> for Points {
    const NAME: &'static str = "points";
    const VERSION: u32 = 1;
    const SIZE: usize = TIGER_TO_MOVE + 1;
    const MAX_ACTIVE: usize = 4 + TOTAL_SHEEP as usize + 3;

    fn visit_active(position: &Position, _view: Side, mut visit: impl FnMut(usize)) {
        let board = &position.board;
        bits(board.tiger_points()).for_each(|bit| visit(TIGERS + bit as usize));
        bits(board.sheep_points()).for_each(|bit| visit(SHEEP + bit as usize));
        visit(IN_HAND + board.sheep_left() as usize);
        visit(dead(position));
        if position.turn == Turn::Tiger {
            visit(TIGER_TO_MOVE);
        }
    }

    #[inline]
    fn visit_changes(
        before: &Position,
        after: &Position,
        _view: Side,
        mut visit: impl FnMut(usize, Switch),
    ) {
        let (from, to) = (&before.board, &after.board);
        visit_masks(TIGERS, from.tiger_points(), to.tiger_points(), &mut visit);
        if from.sheep_mask() != to.sheep_mask() {
            visit_masks(SHEEP, from.sheep_points(), to.sheep_points(), &mut visit);
            let in_hand = |board: &GameBoard| IN_HAND + board.sheep_left() as usize;
            visit_pair(in_hand(from), in_hand(to), &mut visit);
            visit_pair(dead(before), dead(after), &mut visit);
        }
        let tiger = |position: &Position| u32::from(position.turn == Turn::Tiger);
        visit_masks(TIGER_TO_MOVE, tiger(before), tiger(after), &mut visit);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::position::tests::positions;
    use super::*;
    use crate::features::tests::check_changes;
    use crate::game::Game;

    fn active(position: &Position) -> Vec<usize> {
        let mut features = Vec::new();
        Points::visit_active(position, Side::Max, |feature| features.push(feature));
        features
    }

    #[test]
    fn the_start_activates_four_corners_and_a_full_hand() {
        let features = active(&Position::start(&()));
        assert_eq!(features, [0, 4, 20, 24, IN_HAND + 20, DEAD]);
    }

    proptest! {
        #[test]
        fn changes_transform_any_position_into_any_other(a in positions(), b in positions()) {
            check_changes::<_, Points>(&a, &b);
            for mv in a.moves() {
                check_changes::<_, Points>(&a, &a.play(mv));
                check_changes::<_, Points>(&a.play(mv), &a);
            }
        }

        #[test]
        fn features_are_in_range_and_distinguish_positions(a in positions(), b in positions()) {
            let (of_a, of_b) = (active(&a), active(&b));
            prop_assert!(of_a.len() <= Points::MAX_ACTIVE);
            prop_assert!(of_a.iter().all(|feature| *feature < Points::SIZE));
            let unfinished = a.outcome().is_none() && b.outcome().is_none();
            prop_assert_eq!(of_a == of_b && unfinished, a == b && unfinished);
        }
    }
}
