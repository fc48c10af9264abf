//! Steps forward and in reverse, with mirror images told apart.

use super::super::board::GameBoard;
use super::super::geometry::{DELTAS, POINTS, STEP_SOURCES, bits, shift};
use super::super::symmetry::{SYMMETRIES, transform_mask};
use super::placement::{CLASSES, Class};

/// A move in reverse: the point left free, the point gained, both as masks.
pub(super) type Step = (u32, u32);

/// A tiger's step in reverse, from the representative of one class to that of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retreat {
    /// The point that it needs empty.
    pub to: u32,
    /// The class that it leads to.
    pub class: usize,
    /// The symmetry that turns the board into the class's.
    pub symmetry: usize,
    /// The points left and gained, for telling mirror images of a move.
    pub step: Step,
}

/// The symmetries of one board, by which moves are told apart.
///
/// Moves that are mirror images lead to mirror images: they count as one, both on the way forward
/// and back, so that as many arrive as were counted.
pub(super) struct Fixing(arrayvec::ArrayVec<usize, SYMMETRIES>);

impl Fixing {
    #[inline]
    pub fn of(class: &Class, sheep: u32) -> Self {
        if class.stabilizer.len() == 1 {
            return Self(arrayvec::ArrayVec::new());
        }
        Self(class.fixing(sheep).skip(1).collect())
    }

    /// Whether no image of a move comes before it.
    #[inline]
    pub fn is_first(&self, (from, to): Step) -> bool {
        let image = |symmetry: &usize| {
            (
                transform_mask(from, *symmetry),
                transform_mask(to, *symmetry),
            )
        };
        self.0.iter().all(|symmetry| image(symmetry) >= (from, to))
    }

    pub fn distinct(&self, steps: impl Iterator<Item = Step>) -> impl Iterator<Item = Step> {
        steps.filter(|step| self.is_first(*step))
    }

    /// Steps that count, given the points that steps in each direction lead to.
    #[inline]
    pub fn count(&self, targets: impl Fn(usize) -> u32) -> u8 {
        // There are at most 56 steps of either side.
        if self.0.is_empty() {
            (0..DELTAS.len())
                .map(|d| targets(d).count_ones())
                .sum::<u32>() as u8
        } else {
            self.distinct(steps(targets)).count() as u8
        }
    }
}

/// Steps given by the points that they lead to in each direction; the same ones in reverse.
#[inline]
pub(super) fn steps(targets: impl Fn(usize) -> u32) -> impl Iterator<Item = Step> {
    (0..DELTAS.len())
        .flat_map(move |d| bits(targets(d)).map(move |to| (shift(1 << to, -DELTAS[d]), 1 << to)))
}

/// The boards after the tigers' captures.
#[inline]
pub(super) fn captures(board: &GameBoard) -> impl Iterator<Item = GameBoard> {
    let board = *board;
    (0..DELTAS.len()).flat_map(move |d| {
        bits(board.tiger_targets(d).1).map(move |to| {
            let to: u32 = 1 << to;
            let over = shift(to, -DELTAS[d]);
            let from = shift(over, -DELTAS[d]);
            GameBoard::from_masks(
                board.tiger_points() ^ from ^ to,
                board.sheep_points() & !over,
            )
        })
    })
}

/// The tigers' steps in reverse that lead from a class's representative.
pub(super) fn retreats(class: &Class) -> Vec<Retreat> {
    let mut retreats = Vec::new();
    for (d, sources) in STEP_SOURCES.iter().enumerate() {
        for from in bits(class.tigers & sources) {
            let from: u32 = 1 << from;
            let to = shift(from, DELTAS[d]);
            if class.tigers & to != 0 {
                continue;
            }
            let (before, symmetry) = CLASSES.of(class.tigers ^ from ^ to);
            retreats.push(Retreat {
                to,
                class: before,
                symmetry,
                step: (from, to),
            });
        }
    }
    debug_assert!(retreats.len() <= 4 * 8 && POINTS == 25);
    retreats
}
