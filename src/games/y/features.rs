//! What networks see of a position.

mod rhombi;

pub use rhombi::Rhombi;

use super::geometry::{LARGEST_SIDE, MOST_CELLS, Mask, SMALLEST_SIDE, bits, index};
use super::position::Position;
use crate::features::{FeatureSet, Switch};
use crate::game::{Game, Side};

/// Features of the size of the board.
const SIZES: usize = (LARGEST_SIDE - SMALLEST_SIDE) as usize + 1;
/// Features of the size of the board and of the turn.
const SETTING: usize = SIZES + 1;

/// Calls `visit` with the cells that two sets do not share; the first cell is feature `first`.
#[inline]
fn visit_cells(first: usize, before: Mask, after: Mask, visit: &mut impl FnMut(usize, Switch)) {
    bits(before & !after).for_each(|bit| visit(first + index(bit), Switch::Off));
    bits(after & !before).for_each(|bit| visit(first + index(bit), Switch::On));
}

/// Calls `visit` with the features, `first` and after, of a board's size and of the first player's turn.
fn visit_setting(first: usize, position: &Position, visit: &mut impl FnMut(usize)) {
    visit(first + usize::from(position.side() - SMALLEST_SIDE));
    if position.side_to_move() == Side::Max {
        visit(first + SIZES);
    }
}

/// Calls `visit` with the features of [`visit_setting`] that two positions do not share.
#[inline]
fn visit_setting_changes(
    first: usize,
    before: &Position,
    after: &Position,
    visit: &mut impl FnMut(usize, Switch),
) {
    let size = |position: &Position| first + usize::from(position.side() - SMALLEST_SIDE);
    if before.side() != after.side() {
        visit(size(before), Switch::Off);
        visit(size(after), Switch::On);
    }
    match (before.side_to_move(), after.side_to_move()) {
        (Side::Max, Side::Min) => visit(first + SIZES, Switch::Off),
        (Side::Min, Side::Max) => visit(first + SIZES, Switch::On),
        _ => {}
    }
}

/// One feature for each stone of each player by its cell, one for the size of the board, and one for
/// the first player being to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells;

impl FeatureSet<Position> for Cells {
    const NAME: &'static str = "cells";
    const VERSION: u32 = 1;
    const SIZE: usize = 2 * MOST_CELLS + SETTING;
    const MAX_ACTIVE: usize = MOST_CELLS + 2;

    fn visit_active(position: &Position, mut visit: impl FnMut(usize)) {
        for (first, player) in [(0, Side::Max), (MOST_CELLS, Side::Min)] {
            bits(position.stones(player)).for_each(|bit| visit(first + index(bit)));
        }
        visit_setting(2 * MOST_CELLS, position, &mut visit);
    }

    #[inline]
    fn visit_changes(before: &Position, after: &Position, mut visit: impl FnMut(usize, Switch)) {
        for (first, player) in [(0, Side::Max), (MOST_CELLS, Side::Min)] {
            visit_cells(
                first,
                before.stones(player),
                after.stones(player),
                &mut visit,
            );
        }
        visit_setting_changes(2 * MOST_CELLS, before, after, &mut visit);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::Rules;
    use super::super::position::tests::positions;
    use super::*;
    use crate::features::tests::check_changes;

    fn active<F: FeatureSet<Position>>(position: &Position) -> Vec<usize> {
        let mut features = Vec::new();
        F::visit_active(position, |feature| features.push(feature));
        features
    }

    #[test]
    fn an_empty_board_switches_on_its_size_and_turn() {
        let start = Position::start(&Rules::new(7).unwrap());
        let setting = 2 * MOST_CELLS;
        assert_eq!(active::<Cells>(&start), [setting + 5, setting + SIZES]);
    }

    /// Changes lead from any position to any other, and no two have the same features.
    fn check<F: FeatureSet<Position>>(a: &Position, b: &Position) {
        check_changes::<_, F>(a, b);
        for mv in a.moves() {
            check_changes::<_, F>(a, &a.play(mv));
            check_changes::<_, F>(&a.play(mv), a);
        }
        let features = active::<F>(a);
        assert!(features.len() <= F::MAX_ACTIVE);
        assert!(features.iter().all(|feature| *feature < F::SIZE));
        let distinct: HashSet<_> = features.iter().collect();
        assert_eq!(distinct.len(), features.len());
        assert_eq!(features == active::<F>(b), a == b);
    }

    proptest! {
        #[test]
        fn all_sets_are_sound(a in positions(), b in positions()) {
            check::<Cells>(&a, &b);
            check::<Rhombi>(&a, &b);
        }
    }
}
