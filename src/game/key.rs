//! Keys of positions and how they become hashes.

use std::fmt::Debug;
use std::hash::Hash;

/// A value that identifies a position.
pub trait Key: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The key folded to 64 bits; keys of up to 64 bits fold to themselves.
    fn fold(self) -> u64;
}

impl Key for u64 {
    fn fold(self) -> u64 {
        self
    }
}

impl Key for u128 {
    fn fold(self) -> u64 {
        const ODD: u64 = 0xD6E8_FEB8_6659_FD93;
        (self as u64) ^ ((self >> 64) as u64).wrapping_mul(ODD)
    }
}
