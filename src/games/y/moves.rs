//! A move: the cell that gets a stone.

use arrayvec::ArrayVec;

use super::geometry::{self, MOST_CELLS, bit, cells, row_and_column};

/// A list with room for all moves of a position.
pub type Moves = ArrayVec<Move, MOST_CELLS>;

/// The cell that gets a stone, by its distances from the three edges.
///
/// The distances tell the board's side too: they add up to one less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    coordinates: [u8; 3],
}

impl Move {
    /// The move to a cell of a board by the distances x, y and z from its edges; none if no board that
    /// can be has the cell.
    #[must_use]
    pub fn new(x: u8, y: u8, z: u8) -> Option<Self> {
        let mv = Self {
            coordinates: [x, y, z],
        };
        let most = u32::from(geometry::LARGEST_SIDE) - 1;
        let sum = [x, y, z].map(u32::from).iter().sum::<u32>();
        (sum <= most && sum + 1 >= u32::from(geometry::SMALLEST_SIDE)).then_some(mv)
    }

    /// The move to the cell of a bit.
    #[inline]
    pub(super) fn from_bit(bit: u32, side: u8) -> Self {
        let (row, column) = row_and_column(bit);
        Self {
            coordinates: [side - 1 - row, column, row - column],
        }
    }

    /// The cell's bit.
    #[inline]
    pub(super) fn bit(self) -> u32 {
        let [_, y, z] = self.coordinates;
        bit(y + z, y)
    }

    /// The distances x, y and z from the edges.
    #[must_use]
    pub fn coordinates(self) -> [u8; 3] {
        self.coordinates
    }

    /// The cell's number, row by row from the top vertex.
    #[must_use]
    pub fn index(self) -> usize {
        geometry::index(self.bit())
    }

    /// The side of the board that the cell lies on.
    #[must_use]
    pub fn side(self) -> u8 {
        self.coordinates.iter().sum::<u8>() + 1
    }

    /// The cell of a number; none if the board has fewer.
    #[must_use]
    pub fn from_index(index: usize, side: u8) -> Option<Self> {
        if index >= cells(side) {
            return None;
        }
        let row = (0..side).rfind(|row| cells(*row) <= index)?;
        let column = (index - cells(row)) as u8;
        Some(Self::from_bit(bit(row, column), side))
    }

    /// The move with other coordinates, a permutation of these.
    pub(super) fn permuted(self, [x, y, z]: [usize; 3]) -> Self {
        let from = self.coordinates;
        Self {
            coordinates: [from[x], from[y], from[z]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{LARGEST_SIDE, SMALLEST_SIDE};
    use super::*;

    #[test]
    fn numbers_bits_and_coordinates_name_the_same_cells() {
        for side in SMALLEST_SIDE..=LARGEST_SIDE {
            for index in 0..cells(side) {
                let mv = Move::from_index(index, side).unwrap();
                assert_eq!((mv.index(), mv.side()), (index, side));
                assert_eq!(Move::from_bit(mv.bit(), side), mv);
                let [x, y, z] = mv.coordinates();
                assert_eq!(Move::new(x, y, z), Some(mv));
            }
            assert_eq!(Move::from_index(cells(side), side), None);
        }
        assert_eq!(Move::from_index(1, 3).unwrap().coordinates(), [1, 0, 1]);
        for beyond in [(0, 0, 0), (8, 0, 0), (255, 1, 1)] {
            assert_eq!(Move::new(beyond.0, beyond.1, beyond.2), None);
        }
    }
}
