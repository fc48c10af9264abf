//! Training samples in files: written whole or not at all, checked on the way back.
//!
//! `docs/shard-format.md` describes the bytes. bincode is used here and nowhere else.

mod block;
mod codec;
mod collection;
mod error;
mod filter;
mod footer;
mod header;
mod histogram;
mod listing;
mod manifest;
mod merge;
mod reader;
mod record;
mod salvage;
mod sample;
mod source;
mod statistics;
mod summary;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use block::BlockEntry;
pub use collection::{CollectedShard, Collection, FilterRecord, is_collection};
pub use error::ShardError;
pub use filter::Filter;
pub use header::{Augment, Header, is_shard, read_header};
pub use histogram::Histogram;
pub use listing::Listing;
pub use manifest::{GameCounts, MANIFEST_FILE, Manifest, ManifestError, ShardEntry, is_manifest};
pub use merge::{MergeError, MergeJob, MergeReport, Merged, open_inputs};
pub use reader::{Samples, ShardReader};
pub use salvage::{SalvageReport, salvage};
pub use sample::Sample;
pub use statistics::{OutcomeCounts, OutcomeTally, SampleStatistics, StratumCounts};
pub use summary::ShardSummary;
pub use verify::{ShardStatistics, verify};
pub use writer::ShardWriter;

/// The version of the format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;

/// Samples, images included, at which a block is complete.
pub const BLOCK_SAMPLES: u32 = 4096;
