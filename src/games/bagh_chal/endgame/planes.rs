//! Sets of sheep as truth tables, one bit for each of the 2²¹ sets of free points.
//!
//! What holds for a set is one bit, so that one operation on a word settles 64 positions. The set's
//! mask is the index: its low six bits choose the bit in a word, the rest the word.

use super::placement::FREE;

/// Bits of an index that choose the bit in a word.
const IN_WORD: u32 = 6;
/// Words of a plane.
pub(super) const WORDS: usize = 1 << (FREE - IN_WORD);

/// For each of the low index bits, the bits of a word whose index has it.
const WITH: [u64; IN_WORD as usize] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The bits of word number `word` whose index has bit `bit`.
#[inline]
pub(super) fn with(bit: u32, word: usize) -> u64 {
    if bit < IN_WORD {
        WITH[bit as usize]
    } else {
        0u64.wrapping_sub((word >> (bit - IN_WORD)) as u64 & 1)
    }
}

/// Whether a plane has the bit of a set.
#[inline]
pub(super) fn has(plane: &[u64], set: u32) -> bool {
    plane[(set >> IN_WORD) as usize] >> (set & 63) & 1 == 1
}

/// Sets the bit of a set.
#[inline]
pub(super) fn insert(plane: &mut [u64], set: u32) {
    plane[(set >> IN_WORD) as usize] |= 1 << (set & 63);
}

/// A renumbering of the free points, prepared for planes.
///
/// The plane that it makes of `source` has, at a set, the bit that `source` has at the set of the
/// points' new numbers.
#[derive(Clone, Debug)]
pub(super) struct Renumbering {
    /// Pairs of index bits to swap, the lower one choosing a bit in a word.
    swaps: Vec<(u32, u32)>,
    /// What the low and the high half of a word's number become.
    words: [Vec<u16>; 2],
}

/// Word number bits that are looked up together.
const HALF: u32 = 8;

impl Renumbering {
    /// The renumbering in which point number i gets the number `new[i]`.
    pub fn new(mut new: [u32; FREE as usize]) -> Self {
        let mut swaps = Vec::new();
        for bit in 0..IN_WORD {
            let other = new[bit as usize];
            if other == bit {
                continue;
            }
            swaps.push((bit, other));
            for number in &mut new {
                if *number == bit {
                    *number = other;
                } else if *number == other {
                    *number = bit;
                }
            }
        }
        let image = |part: usize, from: u32| {
            let bits = from..FREE - IN_WORD;
            bits.filter(|bit| part >> (bit - from) & 1 == 1)
                .map(|bit| 1 << (new[(bit + IN_WORD) as usize] - IN_WORD))
                .sum()
        };
        let low = (0..1 << HALF).map(|part| image(part, 0)).collect();
        let high_parts = 0..1 << (FREE - IN_WORD - HALF);
        let high = high_parts.map(|part| image(part, HALF)).collect();
        Self {
            swaps,
            words: [low, high],
        }
    }

    /// Swaps what has to be swapped within and between words; the words then lie at other numbers.
    ///
    /// `scratch` is used if there is anything to swap.
    pub fn prepare<'a>(&self, source: &'a [u64], scratch: &'a mut [u64]) -> &'a [u64] {
        let Some((&first, rest)) = self.swaps.split_first() else {
            return source;
        };
        swap(first, source, scratch);
        for &pair in rest {
            swap_in_place(pair, scratch);
        }
        scratch
    }

    /// The number, in a prepared plane, of a word.
    #[inline]
    pub fn word(&self, word: usize) -> usize {
        usize::from(self.words[0][word & ((1 << HALF) - 1)] | self.words[1][word >> HALF])
    }
}

/// A word after two index bits below six change places.
#[inline]
fn swap_within(word: u64, low: u32, high: u32) -> u64 {
    let distance = (1 << high) - (1 << low);
    let only_low = WITH[low as usize] & !WITH[high as usize];
    let moved = (word ^ word >> distance) & only_low;
    word ^ moved ^ moved << distance
}

/// Two words, one without and one with the higher index bit, after a lower one changes places
/// with it.
#[inline]
fn swap_between(without: u64, with: u64, low: u32) -> (u64, u64) {
    let (mask, distance) = (WITH[low as usize], 1 << low);
    (
        without & !mask | (with & !mask) << distance,
        with & mask | (without & mask) >> distance,
    )
}

fn swap((low, high): (u32, u32), source: &[u64], target: &mut [u64]) {
    if high < IN_WORD {
        let (low, high) = (low.min(high), low.max(high));
        for (target, &word) in target.iter_mut().zip(source) {
            *target = swap_within(word, low, high);
        }
        return;
    }
    let run = 1 << (high - IN_WORD);
    for (target, source) in target
        .chunks_exact_mut(2 * run)
        .zip(source.chunks_exact(2 * run))
    {
        let ((t0, t1), (s0, s1)) = (target.split_at_mut(run), source.split_at(run));
        for i in 0..run {
            (t0[i], t1[i]) = swap_between(s0[i], s1[i], low);
        }
    }
}

fn swap_in_place((low, high): (u32, u32), plane: &mut [u64]) {
    if high < IN_WORD {
        let (low, high) = (low.min(high), low.max(high));
        for word in plane {
            *word = swap_within(*word, low, high);
        }
        return;
    }
    let run = 1 << (high - IN_WORD);
    for pair in plane.chunks_exact_mut(2 * run) {
        let (without, with) = pair.split_at_mut(run);
        for (without, with) in without.iter_mut().zip(with) {
            (*without, *with) = swap_between(*without, *with, low);
        }
    }
}

/// Calls `visit` with every word of `target` and, at the same index, the bits that `source` has at
/// the sets with one more element, point number `bit`. Sets that have it already get those of
/// `taken`.
#[inline]
pub(super) fn with_one_more(
    bit: u32,
    source: &[u64],
    taken: u64,
    target: &mut [u64],
    visit: impl Fn(&mut u64, u64),
) {
    if bit < IN_WORD {
        let distance = 1 << bit;
        for (target, &word) in target.iter_mut().zip(source) {
            let mask = WITH[bit as usize];
            visit(target, (word & mask) >> distance | taken & mask);
        }
        return;
    }
    let run = 1 << (bit - IN_WORD);
    for (target, source) in target
        .chunks_exact_mut(2 * run)
        .zip(source.chunks_exact(2 * run))
    {
        let (without, with) = target.split_at_mut(run);
        for (target, &word) in without.iter_mut().zip(&source[run..]) {
            visit(target, word);
        }
        for target in with {
            visit(target, taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn random(seed: u64) -> Vec<u64> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..WORDS).map(|_| random.random()).collect()
    }

    fn some_sets() -> impl Iterator<Item = u32> {
        (0..1u32 << FREE).step_by(37)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn planes_follow_the_numbers(
            new in Just(std::array::from_fn(|i| i as u32)).prop_shuffle(),
            seed: u64,
        ) {
            let new: [u32; FREE as usize] = new;
            let (source, mut scratch) = (random(seed), vec![0; WORDS]);
            let renumbering = Renumbering::new(new);
            let prepared = renumbering.prepare(&source, &mut scratch);
            let plane: Vec<u64> = (0..WORDS).map(|word| prepared[renumbering.word(word)]).collect();
            for set in some_sets() {
                let renumbered: u32 = (0..FREE)
                    .filter(|i| set >> i & 1 == 1)
                    .map(|i| 1 << new[i as usize])
                    .sum();
                prop_assert_eq!(has(&plane, set), has(&source, renumbered));
            }
        }

        #[test]
        fn one_more_is_the_set_with_the_bit(bit in 0..FREE, seed: u64, taken: bool) {
            let source = random(seed);
            let mut plane = vec![0; WORDS];
            let other = if taken { u64::MAX } else { 0 };
            with_one_more(bit, &source, other, &mut plane, |target, word| *target = word);
            for set in some_sets() {
                let more = match set >> bit & 1 {
                    0 => has(&source, set | 1 << bit),
                    _ => taken,
                };
                prop_assert_eq!(has(&plane, set), more);
                let word = (set >> IN_WORD) as usize;
                prop_assert_eq!(with(bit, word) >> (set & 63) & 1, u64::from(set >> bit & 1));
            }
        }
    }
}
