//! Size, totals and digest of a shard.

use serde::{Deserialize, Serialize};

use super::footer::Footer;

/// Totals of a shard and the digest that identifies it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardSummary {
    /// SHA-256 of the file up to the digest itself, in hexadecimal.
    pub digest: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Number of blocks.
    pub blocks: u32,
    /// Number of samples, symmetric copies included.
    pub samples: u64,
    /// Number of base samples.
    pub originals: u64,
    /// Number of games with samples.
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
