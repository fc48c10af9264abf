//! The board as a set of bits.
//!
//! The cell of row r, counted from the top vertex, and column c is bit 8r + c, so that all six
//! directions are shifts. A row has one cell more than its number; the bits beyond are never set.

/// The cells along an edge of the smallest board.
pub const SMALLEST_SIDE: u8 = 2;
/// The cells along an edge of the largest board: a row is a byte.
pub const LARGEST_SIDE: u8 = 8;
/// Cells of the largest board.
pub(super) const MOST_CELLS: usize = cells(LARGEST_SIDE);
/// Bits of a row.
pub(super) const ROW: u32 = 8;

/// A set of cells.
pub(super) type Mask = u64;

/// The number of cells of a board.
pub(super) const fn cells(side: u8) -> usize {
    let side = side as usize;
    side * (side + 1) / 2
}

/// The bit of a cell.
pub(super) const fn bit(row: u8, column: u8) -> u32 {
    ROW * row as u32 + column as u32
}

/// The row and the column of a bit.
pub(super) const fn row_and_column(bit: u32) -> (u8, u8) {
    ((bit / ROW) as u8, (bit % ROW) as u8)
}

/// The number of a cell, row by row from the top vertex; the same on boards of all sides.
pub(super) const fn index(bit: u32) -> usize {
    let (row, column) = row_and_column(bit);
    cells(row) + column as usize
}

/// The bits that are set, the lowest first.
pub(super) fn bits(mut mask: Mask) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

/// A board of one size: sets of cells that stay what they are.
#[derive(Debug)]
pub(super) struct Board {
    /// All cells.
    pub cells: Mask,
    /// The cells of the edges x = 0, y = 0 and z = 0; corners belong to two.
    pub edges: [Mask; 3],
    /// Cells by their distance from the nearest edge, the farthest first.
    pub rings: [Mask; 3],
}

impl Board {
    const fn new(side: u8) -> Self {
        let mut board = Self {
            cells: 0,
            edges: [0; 3],
            rings: [0; 3],
        };
        let mut row = 0;
        while row < side {
            let mut column = 0;
            while column <= row {
                let cell = 1 << bit(row, column);
                board.cells |= cell;
                let coordinates = [side - 1 - row, column, row - column];
                let mut least = side;
                let mut edge = 0;
                while edge < 3 {
                    if coordinates[edge] == 0 {
                        board.edges[edge] |= cell;
                    }
                    if coordinates[edge] < least {
                        least = coordinates[edge];
                    }
                    edge += 1;
                }
                board.rings[2 - least as usize] |= cell;
                column += 1;
            }
            row += 1;
        }
        board
    }

    /// The board of a side from [`SMALLEST_SIDE`] to [`LARGEST_SIDE`].
    #[inline]
    pub fn of(side: u8) -> &'static Self {
        &BOARDS[usize::from(side)]
    }

    /// The cells next to those of a set, which may be among them.
    #[inline]
    pub fn neighbours(&self, set: Mask) -> Mask {
        self.cells
            & (set << 1 | set >> 1 | set << ROW | set >> ROW | set << (ROW + 1) | set >> (ROW + 1))
    }

    /// The cells of `ground` that connect to those of `seed`, which lie on it.
    #[inline]
    pub fn flood(&self, seed: Mask, ground: Mask) -> Mask {
        let mut reached = seed;
        loop {
            let next = reached | self.neighbours(reached) & ground;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The boards by their side; those below the smallest mean nothing.
static BOARDS: [Board; LARGEST_SIDE as usize + 1] = {
    let mut boards = [const { Board::new(0) }; LARGEST_SIDE as usize + 1];
    let mut side = SMALLEST_SIDE;
    while side <= LARGEST_SIDE {
        boards[side as usize] = Board::new(side);
        side += 1;
    }
    boards
};

/// Whether a chain among `stones` touches all three edges of a board.
///
/// Three cells that touch each other become one cell of a board of one side less, which is set if two
/// of the three are; this keeps whoever connects the edges (Schensted and Titus, Mudcrack Y and
/// Poly-Y, 1975). The last cell left is the answer.
#[inline]
pub(super) fn connects(stones: Mask, side: u8) -> bool {
    let mut set = stones;
    for _ in 1..side {
        let (left, right) = (set >> ROW, set >> (ROW + 1));
        set = set & (left | right) | left & right;
    }
    set & 1 != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What [`connects`] answers, chain by chain.
    fn connects_by_chains(stones: Mask, side: u8) -> bool {
        let board = Board::of(side);
        let touched = |chain: Mask| board.edges.iter().all(|edge| chain & edge != 0);
        bits(stones).any(|cell| touched(board.flood(1 << cell, stones)))
    }

    #[test]
    fn every_small_set_connects_as_its_chains_do() {
        for side in SMALLEST_SIDE..=4 {
            let board = Board::of(side);
            let mut stones: Mask = 0;
            loop {
                let expected = connects_by_chains(stones, side);
                assert_eq!(connects(stones, side), expected, "{side} {stones:#x}");
                stones = stones.wrapping_sub(board.cells) & board.cells;
                if stones == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn boards_have_their_cells_edges_and_rings() {
        for side in SMALLEST_SIDE..=LARGEST_SIDE {
            let board = Board::of(side);
            assert_eq!(board.cells.count_ones() as usize, cells(side));
            assert!(
                board
                    .edges
                    .iter()
                    .all(|edge| edge.count_ones() == u32::from(side))
            );
            let ringed: u32 = board.rings.iter().map(|ring| ring.count_ones()).sum();
            assert_eq!(ringed as usize, cells(side));
            let indices: Vec<usize> = bits(board.cells).map(index).collect();
            assert_eq!(indices, (0..cells(side)).collect::<Vec<_>>());
        }
        let inner = Board::of(4).neighbours(1 << bit(2, 1));
        assert_eq!(inner.count_ones(), 6);
        assert_eq!(Board::of(4).neighbours(1).count_ones(), 2);
    }

    proptest! {
        #[test]
        fn any_set_connects_as_its_chains_do(noise: u64, more: u64, side in SMALLEST_SIDE..=LARGEST_SIDE) {
            let cells = Board::of(side).cells;
            for stones in [noise & cells, (noise | more) & cells, noise & more & cells] {
                prop_assert_eq!(connects(stones, side), connects_by_chains(stones, side));
                // Exactly one side connects a full board.
                prop_assert_ne!(connects(stones, side), connects(cells & !stones, side));
            }
        }
    }
}
