//! The pieces, and every step and jump of the tigers.

use super::super::board::GameBoard;
use super::super::geometry::{JUMPS_FROM, STEPS_FROM, bits};
use super::super::position::{Position, TRAVEL_INDEX, TRAVELS};
use super::Points;
use crate::features::{FeatureSet, Switch};
use crate::game::Side;

/// First feature of a tiger move.
const MOVES: usize = <Points as FeatureSet<Position>>::SIZE;
/// Largest number of tiger moves: a tiger has at most one step or jump in each direction.
const MAX_MOVES: usize = 4 * 8;

/// The features of [`Points`], then one for each step (112) and each jump (80) that a tiger can make,
/// whichever side is to move.
///
/// Steps come before jumps; each kind is ordered by starting point, then in the order of [`DIRS`](super::super::DIRS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps;

/// Calls `visit` with the features of the moves from one point to the points of a mask.
#[inline]
fn visit_moves(from: u32, to: u32, mut visit: impl FnMut(usize)) {
    let indices = &TRAVEL_INDEX[from as usize];
    bits(to).for_each(|to| visit(MOVES + usize::from(indices[to as usize])));
}

/// Returns the points that a tiger on `from` can reach by a step or a jump.
#[inline]
fn targets(board: &GameBoard, from: u32) -> u32 {
    let empty = board.empty_points();
    let steps = STEPS_FROM[from as usize] & empty;
    let sheep = STEPS_FROM[from as usize] & board.sheep_points();
    let behind = JUMPS_FROM[from as usize] & empty;
    let mut jumps = 0;
    for to in bits(behind) {
        // The index of the point jumped over is the mean of the two ends' indices.
        if sheep >> ((from + to) / 2) & 1 == 1 {
            jumps |= 1 << to;
        }
    }
    steps | jumps
}

/// Returns the points on which the features of a tiger on `point` depend.
#[inline]
fn surroundings(point: u32) -> u32 {
    1 << point | STEPS_FROM[point as usize] | JUMPS_FROM[point as usize]
}

impl FeatureSet<Position> for Steps {
    const NAME: &'static str = "steps";
    const VERSION: u32 = 1;
    const SIZE: usize = MOVES + TRAVELS;
    const MAX_ACTIVE: usize = <Points as FeatureSet<Position>>::MAX_ACTIVE + MAX_MOVES;

    fn visit_active(position: &Position, view: Side, mut visit: impl FnMut(usize)) {
        Points::visit_active(position, view, &mut visit);
        let board = &position.board;
        for from in bits(board.tiger_points()) {
            visit_moves(from, targets(board, from), &mut visit);
        }
    }

    #[inline]
    fn visit_changes(
        before: &Position,
        after: &Position,
        view: Side,
        mut visit: impl FnMut(usize, Switch),
    ) {
        Points::visit_changes(before, after, view, &mut visit);
        let (old, new) = (&before.board, &after.board);
        let changed =
            old.tiger_points() ^ new.tiger_points() | old.sheep_points() ^ new.sheep_points();
        let targets = |board: &GameBoard, from: u32| {
            let tiger = board.tiger_points() >> from & 1 == 1;
            if tiger { targets(board, from) } else { 0 }
        };
        for from in bits(old.tiger_points() | new.tiger_points()) {
            if surroundings(from) & changed == 0 {
                continue;
            }
            let (lost, gained) = (targets(old, from), targets(new, from));
            visit_moves(from, lost & !gained, |feature| visit(feature, Switch::Off));
            visit_moves(from, gained & !lost, |feature| visit(feature, Switch::On));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::geometry::{bit_idx, pos_of_bit};
    use super::super::super::movement::Move;
    use super::super::super::position::{Turn, tests::positions};
    use super::super::super::symmetry::{SYMMETRIES, transform_pos};
    use super::*;
    use crate::features::tests::check_changes;
    use crate::game::{Game, Notation};

    fn active(position: &Position) -> Vec<usize> {
        let mut features = Vec::new();
        Steps::visit_active(position, Side::Max, |feature| features.push(feature));
        features
    }

    fn active_moves(position: &Position) -> Vec<usize> {
        let mut features = active(position);
        features.retain(|feature| *feature >= MOVES);
        features.sort_unstable();
        features
    }

    /// Returns the feature of a tiger move, computed from its move index.
    fn feature(mv: Move) -> usize {
        MOVES + Position::move_index(mv)
    }

    /// Returns the feature that a symmetry maps `feature` to.
    fn image(feature: usize, sym: usize) -> usize {
        let point = |bit: usize| bit_idx(transform_pos(pos_of_bit(bit as u32), sym));
        match feature {
            0..25 => point(feature),
            25..50 => 25 + point(feature - 25),
            MOVES.. => {
                let index = (feature - MOVES) as u8;
                let (from, row) = TRAVEL_INDEX
                    .iter()
                    .enumerate()
                    .find(|(_, row)| row.contains(&index))
                    .unwrap();
                let to = row.iter().position(|found| *found == index).unwrap();
                MOVES + usize::from(TRAVEL_INDEX[point(from)][point(to)])
            }
            other => other,
        }
    }

    #[test]
    fn there_are_112_steps_and_80_jumps() {
        assert_eq!(Steps::SIZE, 77 + 112 + 80);
        let count = |reach: &[u32]| reach.iter().map(|mask| mask.count_ones()).sum::<u32>();
        assert_eq!((count(&STEPS_FROM), count(&JUMPS_FROM)), (112, 80));
    }

    /// Exact numbers, since networks are trained on them.
    #[test]
    fn the_order_of_the_features_never_changes() {
        let start = active_moves(&Position::start(&()));
        let steps = [0, 1, 2, 14, 15, 16, 95, 96, 97, 109, 110, 111];
        assert_eq!(start, steps.map(|step| 77 + step));
        let jumps = Position::parse_position("T1S1T/1S3/5/5/T3T t 18").unwrap();
        let jumps: Vec<_> = active_moves(&jumps).split_off(11);
        assert_eq!(jumps, [77 + 112 + 2]);
    }

    proptest! {
        #[test]
        fn features_are_the_points_and_the_tiger_moves(position in positions()) {
            let features = active(&position);
            prop_assert!(features.len() <= Steps::MAX_ACTIVE);
            let mut points = Vec::new();
            Points::visit_active(&position, Side::Max, |feature| points.push(feature));
            prop_assert_eq!(&features[..points.len()], &points[..]);
            let moves = position.board.get_moves(Turn::Tiger);
            let mut moves: Vec<_> = moves.iter().map(|mv| feature(*mv)).collect();
            moves.sort_unstable();
            prop_assert_eq!(active_moves(&position), moves);
        }

        #[test]
        fn changes_transform_any_position_into_any_other(a in positions(), b in positions()) {
            check_changes::<_, Steps>(&a, &b);
            for mv in a.moves() {
                check_changes::<_, Steps>(&a, &a.play(mv));
                check_changes::<_, Steps>(&a.play(mv), &a);
            }
        }

        #[test]
        fn a_symmetry_permutes_the_features(position in positions(), sym in 0..SYMMETRIES) {
            let mut there = active(&position.transformed(sym));
            let mut images: Vec<_> = active(&position).iter().map(|f| image(*f, sym)).collect();
            there.sort_unstable();
            images.sort_unstable();
            prop_assert_eq!(there, images);
        }
    }
}
