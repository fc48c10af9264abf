//! The hand-written evaluation, and the input features of networks.

use bagheera::features::{FeatureSet, Switch};
use bagheera::game::Side;
use bagheera::search::Evaluation;

use crate::position::{CELLS, Position, completions};

/// Scores by the cells that complete four in a row, 0.3 logits each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluation<Position> for Threats {
    fn evaluate(&mut self, position: &Position) -> f32 {
        let [yellow, red] = [Side::Max, Side::Min].map(|side| {
            let cells = completions(position.stones(side)) & position.empty();
            cells.count_ones() as f32
        });
        0.3 * (yellow - red)
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// A feature for each cell and the side whose stone is on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells;

fn visit(first: usize, mut cells: u64, mut visit: impl FnMut(usize)) {
    while cells != 0 {
        visit(first + cells.trailing_zeros() as usize);
        cells &= cells - 1;
    }
}

impl FeatureSet<Position> for Cells {
    const NAME: &'static str = "cells";
    const VERSION: u32 = 1;
    const SIZE: usize = 2 * CELLS;
    const MAX_ACTIVE: usize = 42;

    fn visit_active(position: &Position, _: Side, mut feature: impl FnMut(usize)) {
        visit(0, position.stones(Side::Max), &mut feature);
        visit(CELLS, position.stones(Side::Min), &mut feature);
    }

    fn visit_changes(
        before: &Position,
        after: &Position,
        _: Side,
        mut change: impl FnMut(usize, Switch),
    ) {
        for (first, side) in [(0, Side::Max), (CELLS, Side::Min)] {
            let (before, after) = (before.stones(side), after.stones(side));
            visit(first, after & !before, |cell| change(cell, Switch::On));
            visit(first, before & !after, |cell| change(cell, Switch::Off));
        }
    }
}
