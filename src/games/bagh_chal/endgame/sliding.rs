//! Retrograde analysis of the sliding phase: value and distance of every position.
//!
//! One layer holds the positions with the same number of sheep. Within it, results spread backwards
//! from finished positions, one ply after the other: what leads to a lost position is won, and what
//! leads to won positions alone is lost. Captures lead to the layer with a sheep fewer, whose
//! results are there already and enter at the ply they belong to.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::super::board::{DEAD_SHEEP_TO_WIN, GameBoard, TOTAL_SHEEP};
use super::super::position::Turn;
use super::super::symmetry::transform_mask;
use super::entry::DRAW;
use super::half::Half;
use super::placement::{CLASSES, all_sets, rank, sets};
use super::steps::{Fixing, Retreat, captures, retreats, steps};
use crate::interrupt::Interrupt;

/// The fewest sheep of a position that is not over.
pub(super) const FEWEST_SHEEP: u32 = TOTAL_SHEEP - DEAD_SHEEP_TO_WIN + 1;
/// The most sheep there are.
pub(super) const MOST_SHEEP: u32 = TOTAL_SHEEP;

/// Entries of both sides to move, one for each class and set of sheep; see [`super::entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SlidingLayer {
    /// Sheep on the board.
    pub sheep: u32,
    /// With the tigers to move.
    pub tiger: Vec<u8>,
    /// With the sheep to move.
    pub flock: Vec<u8>,
}

struct Solver<'a> {
    row: usize,
    sets: Vec<u32>,
    tiger: Half,
    flock: Half,
    retreats: Vec<Vec<Retreat>>,
    smaller: Option<&'a SlidingLayer>,
    sheep: u32,
}

/// Solves the layer with `sheep` sheep; `smaller` is the layer with one fewer, if positions with
/// one fewer are not over. None if interrupted.
///
/// `progress` hears, after every ply, of how many positions the result is known so far.
pub(super) fn solve(
    sheep: u32,
    smaller: Option<&SlidingLayer>,
    interrupt: &Interrupt,
    mut progress: impl FnMut(u64),
) -> Option<SlidingLayer> {
    let solver = Solver::new(sheep, smaller);
    let mut known = 0;
    for plies in 0..DRAW {
        if interrupt.requested() {
            return None;
        }
        if !solver.is_due(plies) {
            break;
        }
        known += solver.spread(plies);
        progress(known);
    }
    Some(solver.finish())
}

impl<'a> Solver<'a> {
    fn new(sheep: u32, smaller: Option<&'a SlidingLayer>) -> Self {
        let row = sets(sheep);
        let solver = Self {
            row,
            sets: all_sets(sheep).collect(),
            tiger: Half::new(row),
            flock: Half::new(row),
            retreats: CLASSES.list.iter().map(retreats).collect(),
            smaller,
            sheep,
        };
        let classes = 0..CLASSES.list.len();
        classes
            .into_par_iter()
            .for_each(|class| solver.begin(class));
        solver
    }

    /// Counts the moves of all positions of a class, and enters what is known at once.
    fn begin(&self, number: usize) {
        let class = &CLASSES.list[number];
        for (index, &set) in self.sets.iter().enumerate() {
            let sheep = class.expand(set);
            if class.stabilizer.len() > 1 && class.canonical_rank(sheep) != index {
                continue;
            }
            let board = GameBoard::from_masks(class.tigers, sheep);
            let entry = number * self.row + index;
            let fixing = Fixing::of(class, sheep);

            let steps = fixing.count(|d| board.sheep_steps(d));
            self.flock.pending[entry].store(steps, Ordering::Relaxed);
            if steps == 0 {
                self.flock.schedule(number, entry, 0);
            }

            let mut pending = fixing.count(|d| board.tiger_targets(d).0);
            let mut known = if board.has_moves(Turn::Tiger) {
                DRAW
            } else {
                0
            };
            for after in captures(&board) {
                match self.after_capture(&after) {
                    DRAW => pending += 1,
                    // Lost for the sheep: the quickest win counts.
                    plies if plies & 1 == 0 => {
                        let quicker = known & 1 == 0 || plies < known;
                        known = if quicker { plies + 1 } else { known };
                    }
                    // Won by the sheep: the longest resistance counts.
                    plies if known == DRAW => known = plies + 1,
                    plies if known & 1 == 0 => known = known.max(plies + 1),
                    _ => {}
                }
            }
            self.tiger.pending[entry].store(pending, Ordering::Relaxed);
            self.tiger.plies[entry].store(known, Ordering::Relaxed);
            if known != DRAW && (known & 1 == 1 || pending == 0) {
                self.tiger.schedule(number, entry, known);
            }
        }
    }

    /// The entry, with the sheep to move, of a position of the smaller layer.
    fn after_capture(&self, board: &GameBoard) -> u8 {
        self.smaller.map_or(0, |smaller| smaller.flock(board))
    }

    fn is_due(&self, plies: u8) -> bool {
        self.tiger.is_due_from(plies) || self.flock.is_due_from(plies)
    }

    /// Spreads what becomes final at a ply to the positions before; returns how many do.
    fn spread(&self, plies: u8) -> u64 {
        let classes = 0..CLASSES.list.len();
        let spread = classes.into_par_iter().map(|class| {
            let mut known = 0;
            if self.tiger.is_due(class, plies) {
                known += self.spread_to_flock(class, plies);
            }
            if self.flock.is_due(class, plies) {
                known += self.spread_to_tigers(class, plies);
            }
            known
        });
        spread.sum()
    }

    /// From positions with the tigers to move to those with the sheep to move.
    fn spread_to_flock(&self, number: usize, plies: u8) -> u64 {
        let class = &CLASSES.list[number];
        let first = number * self.row;
        let mut known = 0;
        for index in 0..self.row {
            if !self.tiger.is_final(first + index, plies) {
                continue;
            }
            known += 1;
            let set = self.sets[index];
            let sheep = class.expand(set);
            let board = GameBoard::from_masks(class.tigers, sheep);
            let fixing = Fixing::of(class, sheep);
            for (from, to) in fixing.distinct(steps(|d| board.sheep_steps(d))) {
                let before = sheep ^ from ^ to;
                let entry = first + class.canonical_rank(before);
                self.flock.settle(number, entry, plies);
            }
        }
        known
    }

    /// From positions with the sheep to move to those with the tigers to move.
    fn spread_to_tigers(&self, number: usize, plies: u8) -> u64 {
        let class = &CLASSES.list[number];
        let first = number * self.row;
        let mut known = 0;
        for index in 0..self.row {
            if !self.flock.is_final(first + index, plies) {
                continue;
            }
            known += 1;
            let sheep = class.expand(self.sets[index]);
            let fixing = Fixing::of(class, sheep);
            for retreat in &self.retreats[number] {
                if sheep & retreat.to != 0 || !fixing.is_first(retreat.step) {
                    continue;
                }
                let before = transform_mask(sheep, retreat.symmetry);
                let rank = CLASSES.list[retreat.class].canonical_rank(before);
                let entry = retreat.class * self.row + rank;
                self.tiger.settle(retreat.class, entry, plies);
            }
        }
        known
    }

    fn finish(self) -> SlidingLayer {
        let (mut tiger, mut flock) = (self.tiger.finish(), self.flock.finish());
        // Images under the tigers' own symmetries were solved once; each gets its entry.
        for (number, class) in CLASSES.list.iter().enumerate() {
            if class.stabilizer.len() == 1 {
                continue;
            }
            let first = number * self.row;
            for (index, &set) in self.sets.iter().enumerate() {
                let canonical = class.canonical_rank(class.expand(set));
                tiger[first + index] = tiger[first + canonical];
                flock[first + index] = flock[first + canonical];
            }
        }
        SlidingLayer {
            sheep: self.sheep,
            tiger,
            flock,
        }
    }
}

impl SlidingLayer {
    /// The layer that a table holds.
    pub fn of_entries(sheep: u32, entries: &[u8]) -> Self {
        let (tiger, flock) = entries.split_at(entries.len() / 2);
        Self {
            sheep,
            tiger: tiger.to_vec(),
            flock: flock.to_vec(),
        }
    }

    /// The entry of a board with the sheep to move.
    #[inline]
    fn flock(&self, board: &GameBoard) -> u8 {
        self.flock[index(board, self.sheep)]
    }
}

/// Where a board with `sheep` sheep lies in its layer.
#[inline]
pub(super) fn index(board: &GameBoard, sheep: u32) -> usize {
    let (class, points) = CLASSES.locate(board);
    let set = CLASSES.list[class].compress(points);
    class * sets(sheep) + rank(set)
}
