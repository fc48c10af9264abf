//! A shard in a few numbers.

use serde::{Deserialize, Serialize};

use super::footer::Footer;

/// Counts of a shard, and the digest by which it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardSummary {
    /// SHA-256 of the file up to the digest itself, in hexadecimal.
    pub digest: String,
    /// Length of the file.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u32,
    /// Samples, images included.
    pub samples: u64,
    /// Samples without the images.
    pub originals: u64,
    /// Games that the samples are from.
    pub games: u32,
}

impl ShardSummary {
    pub(super) fn new(footer: &Footer, bytes: u64) -> Self {
        Self {
            digest: hex::encode(footer.digest),
            bytes,
            blocks: footer.totals.blocks,
            samples: footer.totals.samples,
            originals: footer.totals.originals,
            games: footer.totals.games,
        }
    }
}
