//! The 25 points and the lines between them, as masks of bits.

/// A point `(x, y)`, both in `0..5`; `(0, 0)` is a5, top left.
pub type Pos = (u8, u8);

/// What stands on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceType {
    /// A tiger.
    Tiger,
    /// A sheep.
    Sheep,
    /// Nothing.
    Empty,
}

/// The length of a side of the board, in points.
pub(super) const SIDE: u8 = 5;
/// Number of points.
pub(super) const POINTS: usize = 25;
/// The bits of all points.
pub(super) const BOARD: u32 = (1 << POINTS) - 1;

/// The directions of lines as `(dx, dy)`: four orthogonal ones, then four diagonal ones.
pub const DIRS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

/// What one step in each of [`DIRS`] adds to a bit index.
pub const DELTAS: [i8; 8] = {
    let mut deltas = [0; 8];
    let mut d = 0;
    while d < 8 {
        deltas[d] = DIRS[d].0 + SIDE as i8 * DIRS[d].1;
        d += 1;
    }
    deltas
};

/// For each of [`DIRS`], the points from which one step follows a line of the board.
pub const STEP_SOURCES: [u32; 8] = sources(1);

/// For each of [`DIRS`], the points from which two steps follow a line of the board.
pub const JUMP_SOURCES: [u32; 8] = sources(2);

const fn sources(dist: i8) -> [u32; 8] {
    let mut masks = [0; 8];
    let mut d = 0;
    while d < 8 {
        masks[d] = line_sources(DIRS[d], dist);
        d += 1;
    }
    masks
}

/// The points from which `dist` steps in a direction stay on the board and on a line.
const fn line_sources((dx, dy): (i8, i8), dist: i8) -> u32 {
    let side = SIDE as i8;
    let diagonal = dx != 0 && dy != 0;
    let mut mask = 0;
    let mut bit = 0;
    while bit < POINTS as i8 {
        let (x, y) = (bit % side, bit / side);
        let (to_x, to_y) = (x + dx * dist, y + dy * dist);
        let inside = to_x >= 0 && to_x < side && to_y >= 0 && to_y < side;
        if inside && (!diagonal || (x + y) % 2 == 0) {
            mask |= 1 << bit;
        }
        bit += 1;
    }
    mask
}

/// The points that one step from each point leads to.
pub(super) const STEPS_FROM: [u32; POINTS] = reach(1);

/// The points that two steps in one direction from each point lead to.
pub(super) const JUMPS_FROM: [u32; POINTS] = reach(2);

const fn reach(dist: i8) -> [u32; POINTS] {
    let mut masks = [0; POINTS];
    let mut d = 0;
    while d < 8 {
        let sources = line_sources(DIRS[d], dist);
        let mut bit = 0;
        while bit < POINTS {
            if sources >> bit & 1 == 1 {
                masks[bit] |= 1 << (bit as i8 + DELTAS[d] * dist);
            }
            bit += 1;
        }
        d += 1;
    }
    masks
}

/// The points by bit index.
const POS_OF_BIT: [Pos; POINTS] = {
    let mut points = [(0, 0); POINTS];
    let mut bit = 0;
    while bit < POINTS {
        points[bit] = (bit as u8 % SIDE, bit as u8 / SIDE);
        bit += 1;
    }
    points
};

/// The bit index of a point: x + 5·y.
///
/// # Panics
/// If the point is off the board.
#[must_use]
#[inline]
pub const fn bit_idx((x, y): Pos) -> usize {
    assert!(x < SIDE && y < SIDE, "the point is off the board");
    x as usize + SIDE as usize * y as usize
}

/// The point of a bit index below 25.
#[inline]
pub(super) const fn pos_of_bit(bit: u32) -> Pos {
    POS_OF_BIT[bit as usize]
}

/// The mask with the bit of one point.
#[inline]
pub(super) const fn bit(pos: Pos) -> u32 {
    1 << bit_idx(pos)
}

/// Whether the point exists.
pub(super) const fn on_board((x, y): Pos) -> bool {
    x < SIDE && y < SIDE
}

/// Whether a single move of `dist` points leads from one point to the other along a line.
#[must_use]
pub const fn on_line(from: Pos, to: Pos, dist: u8) -> bool {
    let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    let orthogonal = (dx == dist && dy == 0) || (dx == 0 && dy == dist);
    let diagonal = dx == dist && dy == dist && (from.0 + from.1).is_multiple_of(2);
    orthogonal || diagonal
}

/// The point half-way between two points that are two apart on a line.
#[must_use]
#[inline]
pub const fn midpoint(from: Pos, to: Pos) -> Pos {
    (u8::midpoint(from.0, to.0), u8::midpoint(from.1, to.1))
}

/// Moves every point of a mask by `delta` bits.
#[inline]
pub(super) const fn shift(mask: u32, delta: i8) -> u32 {
    if delta >= 0 {
        mask << delta
    } else {
        mask >> -delta
    }
}

/// The bit indices of a mask, lowest first.
#[inline]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u32::BITS).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_DEGREE: [u32; 25] = [
        3, 3, 5, 3, 3, 3, 8, 4, 8, 3, 5, 4, 8, 4, 5, 3, 8, 4, 8, 3, 3, 3, 5, 3, 3,
    ];
    const JUMP_DEGREE: [u32; 25] = [
        3, 2, 5, 2, 3, 2, 3, 3, 3, 2, 5, 3, 8, 3, 5, 2, 3, 3, 3, 2, 3, 2, 5, 2, 3,
    ];

    fn degree(sources: &[u32], bit: usize) -> u32 {
        sources.iter().map(|mask| mask >> bit & 1).sum()
    }

    #[test]
    fn lines_have_the_degrees_of_the_board() {
        for bit in 0..POINTS {
            assert_eq!(degree(&STEP_SOURCES, bit), STEP_DEGREE[bit], "bit {bit}");
            assert_eq!(degree(&JUMP_SOURCES, bit), JUMP_DEGREE[bit], "bit {bit}");
        }
        let directed = |sources: &[u32]| sources.iter().map(|m| m.count_ones()).sum::<u32>();
        assert_eq!(directed(&STEP_SOURCES[..4]), 80);
        assert_eq!(directed(&STEP_SOURCES[4..]), 32);
        assert_eq!(directed(&JUMP_SOURCES[..4]), 60);
        assert_eq!(directed(&JUMP_SOURCES[4..]), 20);
    }

    #[test]
    fn on_line_agrees_with_the_source_masks() {
        for from in 0..POINTS as u32 {
            for to in 0..POINTS as u32 {
                for (dist, sources) in [(1, STEP_SOURCES), (2, JUMP_SOURCES)] {
                    let by_mask = (0..8)
                        .any(|d| shift(sources[d] & 1 << from, DELTAS[d] * dist as i8) == 1 << to);
                    let (a, b) = (pos_of_bit(from), pos_of_bit(to));
                    assert_eq!(on_line(a, b, dist), by_mask, "{a:?} {b:?} {dist}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "off the board")]
    fn a_point_off_the_board_has_no_bit() {
        let _ = bit_idx((5, 0));
    }
}
