//! What the fuzz targets share.
//!
//! A target that fails says so by a panic, so nothing here returns an error.

pub mod scratch;
pub mod seal;
#[cfg(feature = "train")]
pub mod training;

use bagheera::games::bagh_chal::Position;

/// The game whose files are read.
pub type Game = Position;

/// Splits the first byte off, which says how much of a file is repaired before it is read.
pub fn mode(data: &[u8]) -> Option<(seal::Mode, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((seal::Mode::of(*first), rest))
}
