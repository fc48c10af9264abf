//! The plainest input of a network: what stands where, the hand, the dead, the side to move.

use super::super::board::TOTAL_SHEEP;
use super::super::geometry::{POINTS, bits};
use super::super::position::{Position, Turn};
use crate::features::FeatureSet;
use crate::game::Game;

const TIGERS: usize = 0;
const SHEEP: usize = TIGERS + POINTS;
const IN_HAND: usize = SHEEP + POINTS;
const DEAD: usize = IN_HAND + TOTAL_SHEEP as usize + 1;
const TIGER_TO_MOVE: usize = DEAD + 5;

/// One feature for each tiger's point, each sheep's point, each number of sheep in hand, each
/// number of dead sheep below five, and one for the tigers being to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points;

impl FeatureSet<Position> for Points {
    const NAME: &'static str = "points";
    const VERSION: u32 = 1;
    const SIZE: usize = TIGER_TO_MOVE + 1;
    const MAX_ACTIVE: usize = 4 + TOTAL_SHEEP as usize + 3;

    fn visit_active(position: &Position, mut visit: impl FnMut(usize)) {
        let board = &position.board;
        bits(board.tiger_points()).for_each(|bit| visit(TIGERS + bit as usize));
        bits(board.sheep_points()).for_each(|bit| visit(SHEEP + bit as usize));
        visit(IN_HAND + board.sheep_left() as usize);
        visit(DEAD + position.stratum().min(4));
        if position.turn == Turn::Tiger {
            visit(TIGER_TO_MOVE);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::position::tests::positions;
    use super::*;

    fn active(position: &Position) -> Vec<usize> {
        let mut features = Vec::new();
        Points::visit_active(position, |feature| features.push(feature));
        features
    }

    #[test]
    fn the_start_switches_on_its_corners_and_a_full_hand() {
        let features = active(&Position::start(&()));
        assert_eq!(features, [0, 4, 20, 24, IN_HAND + 20, DEAD]);
    }

    proptest! {
        #[test]
        fn features_are_in_range_and_tell_positions_apart(a in positions(), b in positions()) {
            let (of_a, of_b) = (active(&a), active(&b));
            prop_assert!(of_a.len() <= Points::MAX_ACTIVE);
            prop_assert!(of_a.iter().all(|feature| *feature < Points::SIZE));
            let unfinished = a.outcome().is_none() && b.outcome().is_none();
            prop_assert_eq!(of_a == of_b && unfinished, a == b && unfinished);
        }
    }
}
