//! Streams of random numbers, each derived from what it is for.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// One 64-bit number from several, by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[must_use]
pub fn derive(parts: &[u64]) -> u64 {
    parts.iter().fold(0x243F_6A88_85A3_08D3, |state, part| {
        let mut z = (state ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    })
}

/// The stream that belongs to `parts`: a run's seed and what the numbers are for.
#[must_use]
pub fn stream(parts: &[u64]) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(derive(parts))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn neighbouring_purposes_get_different_streams() {
        let mut seen = HashSet::new();
        for run in 0..20 {
            for generation in 0..20 {
                for game in 0..20 {
                    assert!(seen.insert(derive(&[run, generation, game])));
                }
            }
        }
        assert_ne!(derive(&[1, 2]), derive(&[2, 1]));
    }
}
