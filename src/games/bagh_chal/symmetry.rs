//! The eight symmetries of the board: rotations and reflections.
//!
//! Bit 2 of a symmetry swaps x and y, then bit 0 mirrors x and bit 1 mirrors y. All of them keep
//! the parity of x + y and so map lines to lines.

use super::board::GameBoard;
use super::geometry::{POINTS, Pos, SIDE};
use super::movement::Move;

/// Number of symmetries; 0 is the identity.
pub const SYMMETRIES: usize = 8;

/// The image of a point.
#[must_use]
#[inline]
pub const fn transform_pos((x, y): Pos, sym: usize) -> Pos {
    let (x, y) = if sym & 4 == 0 { (x, y) } else { (y, x) };
    let x = if sym & 1 == 0 { x } else { SIDE - 1 - x };
    let y = if sym & 2 == 0 { y } else { SIDE - 1 - y };
    (x, y)
}

/// The symmetry that undoes another.
#[must_use]
pub const fn inverse_symmetry(sym: usize) -> usize {
    // Mirroring before a swap is mirroring the other axis after it.
    if sym & 4 == 0 {
        sym
    } else {
        4 | (sym & 1) << 1 | (sym & 2) >> 1
    }
}

/// The image of a move.
#[must_use]
#[inline]
pub const fn transform_move(mv: Move, sym: usize) -> Move {
    match mv {
        Move::PlaceSheep { pos } => Move::PlaceSheep {
            pos: transform_pos(pos, sym),
        },
        Move::MoveSheep { from, to } => Move::MoveSheep {
            from: transform_pos(from, sym),
            to: transform_pos(to, sym),
        },
        Move::MoveTiger { from, to } => Move::MoveTiger {
            from: transform_pos(from, sym),
            to: transform_pos(to, sym),
        },
    }
}

const ROWS: usize = SIDE as usize;
const ROW_SETS: usize = 1 << ROWS;

/// For each symmetry and row, where each set of points of that row ends up.
const ROW_MAPS: [[[u32; ROW_SETS]; ROWS]; SYMMETRIES] = {
    let mut maps = [[[0; ROW_SETS]; ROWS]; SYMMETRIES];
    let mut sym = 0;
    while sym < SYMMETRIES {
        let mut bit = 0;
        while bit < POINTS {
            let (row, column) = (bit / ROWS, bit % ROWS);
            let (x, y) = transform_pos((column as u8, row as u8), sym);
            let image = 1 << (x + SIDE * y);
            let mut set = 0;
            while set < ROW_SETS {
                if set >> column & 1 == 1 {
                    maps[sym][row][set] |= image;
                }
                set += 1;
            }
            bit += 1;
        }
        sym += 1;
    }
    maps
};

/// The image of the 25 board bits; bits above them stay where they are.
#[inline]
pub(super) const fn transform_mask(mask: u32, sym: usize) -> u32 {
    let rows = &ROW_MAPS[sym];
    let mut image = mask & !((1 << POINTS) - 1);
    let mut row = 0;
    while row < ROWS {
        image |= rows[row][(mask >> (ROWS * row)) as usize & (ROW_SETS - 1)];
        row += 1;
    }
    image
}

impl GameBoard {
    /// The board seen through a symmetry; the sheep in hand stay.
    #[must_use]
    pub const fn transformed(&self, sym: usize) -> Self {
        Self::from_masks(
            transform_mask(self.tiger_points(), sym),
            transform_mask(self.sheep_mask(), sym),
        )
    }

    /// The image with the smallest key, and the first symmetry that leads to it.
    ///
    /// All images of a board have the same canonical one.
    #[must_use]
    pub fn canonical(&self) -> (Self, usize) {
        // The sheep are the key's high half: tigers only decide between equal sheep.
        let sheep: [u32; SYMMETRIES] =
            std::array::from_fn(|sym| transform_mask(self.sheep_mask(), sym));
        let least = sheep.into_iter().fold(u32::MAX, u32::min);
        let mut best = (u32::MAX, 0);
        for (sym, mask) in sheep.into_iter().enumerate() {
            if mask == least {
                let tigers = transform_mask(self.tiger_points(), sym);
                if tigers < best.0 {
                    best = (tigers, sym);
                }
            }
        }
        (Self::from_masks(best.0, least), best.1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::geometry::{bit, pos_of_bit};
    use super::super::position::tests::positions;
    use super::*;
    use crate::game::Game;

    #[test]
    fn inverses_undo() {
        for sym in 0..SYMMETRIES {
            for pos in (0..25).map(pos_of_bit) {
                let image = transform_pos(pos, sym);
                assert_eq!(transform_pos(image, inverse_symmetry(sym)), pos);
            }
        }
    }

    #[test]
    fn masks_turn_as_their_points_do() {
        for sym in 0..SYMMETRIES {
            for pos in (0..25).map(pos_of_bit) {
                assert_eq!(transform_mask(bit(pos), sym), bit(transform_pos(pos, sym)));
            }
        }
    }

    proptest! {
        #[test]
        fn an_image_has_the_images_of_the_moves(position in positions(), sym in 0..SYMMETRIES) {
            let image = position.transformed(sym);
            prop_assert_eq!(image.outcome(), position.outcome());
            let there = image.moves();
            let here = position.moves();
            prop_assert_eq!(there.len(), here.len());
            for mv in here {
                let turned = transform_move(mv, sym);
                prop_assert!(there.contains(&turned));
                prop_assert_eq!(image.play(turned), position.play(mv).transformed(sym));
            }
        }

        #[test]
        fn all_images_share_the_least_key(position in positions(), sym in 0..SYMMETRIES) {
            let board = position.board;
            let (canonical, turn) = board.canonical();
            prop_assert_eq!(board.transformed(turn), canonical);
            prop_assert_eq!(board.transformed(sym).canonical().0, canonical);
            let least = (0..SYMMETRIES).map(|s| board.transformed(s).key()).min();
            prop_assert_eq!(Some(canonical.key()), least);
        }
    }
}
