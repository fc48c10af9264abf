//! What the fuzz targets share.
//!
//! A target that fails says so by a panic, so nothing here returns an error.

pub mod scratch;
pub mod seal;
#[cfg(feature = "train")]
pub mod training;

use std::sync::OnceLock;

use bagheera::games::bagh_chal::Position;
use rayon::ThreadPool;

/// The game whose files are read.
pub type Game = Position;

/// Splits the first byte off, which says how much of a file is repaired before it is read.
pub fn mode(data: &[u8]) -> Option<(seal::Mode, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((seal::Mode::of(*first), rest))
}

/// The one thread that readers of blocks work on.
pub fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| bagheera::workers::pool(1).expect("one thread can be had"))
}
