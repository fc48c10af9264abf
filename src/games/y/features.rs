//! Feature sets of Y: stones by cell, rhombi, and stones as either side sees them.

mod rhombi;
mod sides;

pub use rhombi::Rhombi;
pub use sides::Sides;

use super::geometry::{LARGEST_SIDE, MOST_CELLS, Mask, SMALLEST_SIDE, bits, index};
use super::position::Position;
use crate::features::{FeatureSet, Switch};
use crate::game::{Game, Side};

/// Number of features of the board's size.
const SIZES: usize = (LARGEST_SIDE - SMALLEST_SIDE) as usize + 1;
/// Number of features of the board's size and the side to move.
const SETTING: usize = SIZES + 1;

/// Calls `visit` with the cells in which two sets differ; the first cell is feature `first`.
#[inline]
fn visit_cells(first: usize, before: Mask, after: Mask, visit: &mut impl FnMut(usize, Switch)) {
    bits(before & !after).for_each(|bit| visit(first + index(bit), Switch::Off));
    bits(after & !before).for_each(|bit| visit(first + index(bit), Switch::On));
}

/// Calls `visit` with the features, from `first` on, of the board's size and of the first player's turn.
fn visit_setting(first: usize, position: &Position, visit: &mut impl FnMut(usize)) {
    visit(first + usize::from(position.side() - SMALLEST_SIDE));
    if position.side_to_move() == Side::Max {
        visit(first + SIZES);
    }
}

/// Calls `visit` with the features of [`visit_setting`] in which two positions differ.
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

/// One feature for each cell with a stone of each player, one for each size of the board, and one that
/// is active when the first player is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells;

impl FeatureSet<Position> for Cells {
    const NAME: &'static str = "cells";
    const VERSION: u32 = 1;
    const SIZE: usize = 2 * MOST_CELLS + SETTING;
    const MAX_ACTIVE: usize = MOST_CELLS + 2;

    fn visit_active(position: &Position, _view: Side, mut visit: impl FnMut(usize)) {
        for (first, player) in [(0, Side::Max), (MOST_CELLS, Side::Min)] {
            bits(position.stones(player)).for_each(|bit| visit(first + index(bit)));
        }
        visit_setting(2 * MOST_CELLS, position, &mut visit);
    }

    #[inline]
    fn visit_changes(
        before: &Position,
        after: &Position,
        _view: Side,
        mut visit: impl FnMut(usize, Switch),
    ) {
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
        F::visit_active(position, Side::Max, |feature| features.push(feature));
        features
    }

    #[test]
    fn an_empty_board_activates_its_size_and_turn() {
        let start = Position::start(&Rules::new(7).unwrap());
        let setting = 2 * MOST_CELLS;
        assert_eq!(active::<Cells>(&start), [setting + 5, setting + SIZES]);
    }

    fn check_moves<F: FeatureSet<Position>>(a: &Position) {
        for mv in a.moves() {
            check_changes::<_, F>(a, &a.play(mv));
            check_changes::<_, F>(&a.play(mv), a);
        }
    }

    /// Checks that changes transform any position into any other, and that no two have the same features.
    fn check<F: FeatureSet<Position>>(a: &Position, b: &Position) {
        check_changes::<_, F>(a, b);
        check_moves::<F>(a);
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
            check_moves::<Sides>(&a);
        }

        #[test]
        fn exchanging_the_colours_exchanges_the_views(position in positions()) {
            let view = |position: &Position, view| {
                let mut features = Vec::new();
                Sides::visit_active(position, view, |feature| features.push(feature));
                features
            };
            let cells = |position: &Position, side| position.stones(side).count_ones() as usize;
            let mine = view(&position, Side::Max);
            let theirs = view(&position, Side::Min);
            prop_assert_eq!(mine.len(), theirs.len());
            let own = cells(&position, Side::Max);
            let exchanged = mine[..own].iter().map(|feature| feature + MOST_CELLS);
            prop_assert_eq!(exchanged.collect::<Vec<_>>(), &theirs[mine.len() - 1 - own..mine.len() - 1]);
        }
    }
}
