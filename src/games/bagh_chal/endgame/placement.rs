//! Where a board lies in the tables: the class of its tigers, and the rank of its sheep.
//!
//! The 12,650 placements of the tigers fall into 1,666 classes of mirror images. The 21 points that
//! a class's tigers leave free are numbered in order, so that the sheep are a set of numbers below
//! 21, and sets of one size are ranked in colexicographic order: the order of their masks.

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::super::board::GameBoard;
use super::super::geometry::{BOARD, POINTS};
use super::super::symmetry::{SYMMETRIES, transform_mask};

/// Points that the tigers leave free.
pub(super) const FREE: u32 = 21;
/// Placements of four tigers.
const PLACEMENTS: usize = 12_650;

/// Binomial coefficients, `BINOMIAL[n][k]`.
const BINOMIAL: [[u32; 27]; 26] = {
    let mut table = [[0; 27]; 26];
    let mut n = 0;
    while n < 26 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Sets of `sheep` of the free points.
pub(super) const fn sets(sheep: u32) -> usize {
    BINOMIAL[FREE as usize][sheep as usize] as usize
}

/// Free points in the lower of the two parts that sets are ranked by.
const LOW_BITS: u32 = 11;

/// The ranks of sets within the lower part.
static LOW_RANKS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let ranks = (0..1u32 << LOW_BITS).map(|set| colex(set, 0, 0));
    ranks.collect()
});

/// What a set of the upper part adds, by the size of the lower one.
static HIGH_RANKS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let sets = 1u32 << (FREE - LOW_BITS);
    let ranks = (0..=LOW_BITS).flat_map(|below| (0..sets).map(move |set| (below, set)));
    ranks
        .map(|(below, set)| colex(set, LOW_BITS, below))
        .collect()
});

/// The sum of C(p + offset, i + 1) over the elements p of a set, the first of which is element
/// number i = `below`.
fn colex(mut set: u32, offset: u32, mut below: u32) -> u32 {
    let mut rank = 0;
    while set != 0 {
        let element = set.trailing_zeros() + offset;
        below += 1;
        rank += BINOMIAL[element as usize][below as usize];
        set &= set - 1;
    }
    rank
}

/// The rank of a set of free points among those of its size.
#[inline]
pub(super) fn rank(set: u32) -> usize {
    let low = set & ((1 << LOW_BITS) - 1);
    let high = (low.count_ones() << (FREE - LOW_BITS)) + (set >> LOW_BITS);
    (LOW_RANKS[low as usize] + HIGH_RANKS[high as usize]) as usize
}

/// All sets of `size` free points in the order of their ranks.
pub(super) fn all_sets(size: u32) -> impl Iterator<Item = u32> {
    let first = (1u32 << size) - 1;
    let next = |set: &u32| {
        let set = *set;
        if set == 0 {
            return None;
        }
        // The next larger number with as many bits, as Gosper showed.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        Some(ripple | ((set ^ ripple) / low) >> 2)
    };
    std::iter::successors(Some(first), next).take(sets(size))
}

/// Placements of the tigers that are images of one another.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// The points of its representative's tigers, the smallest mask of all images.
    pub tigers: u32,
    /// The symmetries that leave the tigers where they are, the identity first.
    pub stabilizer: ArrayVec<u8, SYMMETRIES>,
    /// Points below the first tiger, between the tigers, and above the last.
    gaps: [u32; 5],
}

impl Class {
    fn new(tigers: u32) -> Self {
        let mut gaps = [0; 5];
        let mut rest = tigers;
        let mut from = 0;
        for gap in &mut gaps {
            let to = rest.trailing_zeros().min(POINTS as u32);
            *gap = ((1 << to) - 1) & !((1 << from) - 1);
            from = to + 1;
            rest &= rest.wrapping_sub(1);
        }
        let stabilizer = (0..SYMMETRIES)
            .filter(|&symmetry| transform_mask(tigers, symmetry) == tigers)
            .map(|symmetry| symmetry as u8)
            .collect();
        Self {
            tigers,
            stabilizer,
            gaps,
        }
    }

    /// Placements in the class.
    pub fn orbit(&self) -> u64 {
        (SYMMETRIES / self.stabilizer.len()) as u64
    }

    /// The numbers of the points of a mask.
    #[inline]
    pub fn compress(&self, points: u32) -> u32 {
        let gaps = &self.gaps;
        (points & gaps[0])
            | (points & gaps[1]) >> 1
            | (points & gaps[2]) >> 2
            | (points & gaps[3]) >> 3
            | (points & gaps[4]) >> 4
    }

    /// The points of a set of numbers.
    #[inline]
    pub fn expand(&self, set: u32) -> u32 {
        let gaps = &self.gaps;
        (set & gaps[0])
            | (set << 1 & gaps[1])
            | (set << 2 & gaps[2])
            | (set << 3 & gaps[3])
            | (set << 4 & gaps[4])
    }

    /// The symmetries that leave the tigers and these sheep where they are.
    pub fn fixing(&self, sheep: u32) -> impl Iterator<Item = usize> {
        let symmetries = self.stabilizer.iter().map(|&symmetry| symmetry.into());
        symmetries.filter(move |&symmetry| transform_mask(sheep, symmetry) == sheep)
    }

    /// The least rank of the images of these sheep under the symmetries of the tigers.
    #[inline]
    pub fn canonical_rank(&self, sheep: u32) -> usize {
        let own = rank(self.compress(sheep));
        if self.stabilizer.len() == 1 {
            return own;
        }
        let others = self.stabilizer[1..].iter().map(|&symmetry| {
            let image = transform_mask(sheep, symmetry.into());
            rank(self.compress(image))
        });
        others.fold(own, usize::min)
    }
}

/// All classes, and which of them each placement is in.
#[derive(Debug)]
pub(super) struct Classes {
    /// The classes in the order of their representatives' masks.
    pub list: Vec<Class>,
    /// By placement, its class and a symmetry that leads to the class's representative.
    of: Vec<(u16, u8)>,
}

/// The classes of Bagh-Chal.
pub(super) static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::new);

impl Classes {
    fn new() -> Self {
        let mut list = Vec::new();
        let mut of = vec![(u16::MAX, 0); PLACEMENTS];
        let placements = (0..=BOARD).filter(|mask| mask.count_ones() == 4);
        for tigers in placements {
            if of[placement(tigers)].0 != u16::MAX {
                continue;
            }
            let class = list.len() as u16;
            for symmetry in 0..SYMMETRIES {
                let image = transform_mask(tigers, symmetry);
                let back = super::super::symmetry::inverse_symmetry(symmetry);
                of[placement(image)] = (class, back as u8);
            }
            list.push(Class::new(tigers));
        }
        Self { list, of }
    }

    /// The class of a placement, and a symmetry that leads to the class's representative.
    #[inline]
    pub fn of(&self, tigers: u32) -> (usize, usize) {
        let (class, symmetry) = self.of[placement(tigers)];
        (class.into(), symmetry.into())
    }

    /// The class of a board's tigers, and the sheep as the class's representative sees them.
    #[inline]
    pub fn locate(&self, board: &GameBoard) -> (usize, u32) {
        let (class, symmetry) = self.of(board.tiger_points());
        (class, transform_mask(board.sheep_points(), symmetry))
    }
}

/// The rank of a placement of four tigers.
#[inline]
fn placement(mut tigers: u32) -> usize {
    let tiger = |tigers: &mut u32, number: usize| {
        let point = tigers.trailing_zeros() as usize;
        *tigers &= tigers.wrapping_sub(1);
        BINOMIAL[point][number]
    };
    (1..=4)
        .map(|number| tiger(&mut tigers, number))
        .sum::<u32>() as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::position::tests::positions;
    use super::*;

    #[test]
    fn there_are_as_many_classes_as_images_allow() {
        assert_eq!(CLASSES.list.len(), 1666);
        let placements: u64 = CLASSES.list.iter().map(Class::orbit).sum();
        assert_eq!(placements, PLACEMENTS as u64);
    }

    #[test]
    fn sets_are_ranked_in_their_order() {
        for size in 0..=FREE {
            let mut last = None;
            for (number, set) in all_sets(size).enumerate() {
                assert_eq!(set.count_ones(), size);
                assert!(last < Some(set));
                assert_eq!(rank(set), number);
                last = Some(set);
            }
            let last = last.unwrap();
            assert_eq!(last, ((1 << size) - 1) << (FREE - size));
        }
    }

    proptest! {
        #[test]
        fn images_lie_in_one_place(position in positions(), symmetry in 0..SYMMETRIES) {
            let place = |board: &GameBoard| {
                let (class, sheep) = CLASSES.locate(board);
                (class, CLASSES.list[class].canonical_rank(sheep))
            };
            let board = position.board;
            prop_assert_eq!(place(&board), place(&board.transformed(symmetry)));
            let (class, sheep) = CLASSES.locate(&board);
            let class = &CLASSES.list[class];
            prop_assert_eq!(class.expand(class.compress(sheep)), sheep);
            prop_assert_eq!(class.compress(BOARD & !class.tigers), (1 << FREE) - 1);
            let image = GameBoard::from_masks(class.tigers, sheep);
            let images: Vec<_> = (0..SYMMETRIES).map(|s| board.transformed(s)).collect();
            prop_assert!(images.iter().any(|one| one.tiger_points() == image.tiger_points()
                && one.sheep_points() == sheep));
        }
    }
}
