//! The symmetries of the triangle: the permutations of a cell's distances from the edges.

use super::geometry::{LARGEST_SIDE, Mask, SMALLEST_SIDE, bit, bits};
use super::moves::Move;

/// Number of symmetries; 0 is the identity.
pub const SYMMETRIES: usize = 6;

/// Which of a cell's coordinates become those of its image.
const PERMUTATIONS: [[usize; 3]; SYMMETRIES] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
    [1, 2, 0],
    [2, 0, 1],
];
/// The rotations undo each other, the reflections themselves.
const INVERSES: [usize; SYMMETRIES] = [0, 1, 2, 3, 5, 4];

/// The bit of each bit's image, by side and symmetry.
static IMAGES: [[[u8; 64]; SYMMETRIES]; LARGEST_SIDE as usize + 1] = {
    let mut images = [[[0; 64]; SYMMETRIES]; LARGEST_SIDE as usize + 1];
    let mut side = SMALLEST_SIDE;
    while side <= LARGEST_SIDE {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            let [_, second, third] = PERMUTATIONS[symmetry];
            let mut row = 0;
            while row < side {
                let mut column = 0;
                while column <= row {
                    let from = [side - 1 - row, column, row - column];
                    let (y, z) = (from[second], from[third]);
                    let image = bit(y + z, y) as u8;
                    images[side as usize][symmetry][bit(row, column) as usize] = image;
                    column += 1;
                }
                row += 1;
            }
            symmetry += 1;
        }
        side += 1;
    }
    images
};

/// The symmetry that undoes another.
pub(super) fn inverse_symmetry(symmetry: usize) -> usize {
    INVERSES[symmetry]
}

/// The move seen through a symmetry.
pub(super) fn transform_move(mv: Move, symmetry: usize) -> Move {
    mv.permuted(PERMUTATIONS[symmetry])
}

/// A set of cells seen through a symmetry.
#[inline]
pub(super) fn transformed(set: Mask, side: u8, symmetry: usize) -> Mask {
    let images = &IMAGES[usize::from(side)][symmetry];
    bits(set).fold(0, |image, bit| image | 1 << images[bit as usize])
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Board, cells};
    use super::*;

    #[test]
    fn cells_and_moves_turn_alike_and_come_back() {
        for side in SMALLEST_SIDE..=LARGEST_SIDE {
            for symmetry in 0..SYMMETRIES {
                for index in 0..cells(side) {
                    let mv = Move::from_index(index, side).unwrap();
                    let image = transform_move(mv, symmetry);
                    assert_eq!(transformed(1 << mv.bit(), side, symmetry), 1 << image.bit());
                    assert_eq!(transform_move(image, inverse_symmetry(symmetry)), mv);
                }
                let board = Board::of(side);
                assert_eq!(transformed(board.cells, side, symmetry), board.cells);
                for edge in board.edges {
                    assert!(board.edges.contains(&transformed(edge, side, symmetry)));
                }
            }
        }
    }

    #[test]
    fn no_two_symmetries_are_alike() {
        let mv = Move::new(0, 1, 2).unwrap();
        let mut images: Vec<_> = (0..SYMMETRIES)
            .map(|symmetry| transform_move(mv, symmetry).coordinates())
            .collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), SYMMETRIES);
    }
}
