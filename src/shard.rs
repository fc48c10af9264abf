//! Shard files: training samples, written atomically and validated when read.
//!
//! The byte format is documented in `docs/shard-format.md`. This is the only module that uses
//! bincode.

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
pub use header::{Augment, ShardHeader, is_shard, read_header};
pub use histogram::Histogram;
pub use listing::Listing;
pub use manifest::{GameCounts, MANIFEST_FILE, Manifest, ManifestError, ShardEntry, is_manifest};
pub use merge::{MergeError, MergeJob, MergeReport, Merged, open_inputs};
pub use reader::{Samples, ShardReader};
pub use salvage::{SalvageReport, salvage};
pub use sample::Sample;
pub use statistics::{OutcomeCounts, OutcomeTally, PhaseCounts, SampleStatistics};
pub use summary::ShardSummary;
pub use verify::{ShardStatistics, verify};
pub use writer::ShardWriter;

/// Number of samples, symmetric copies included, at which a block is closed.
pub const BLOCK_SAMPLES: u32 = 4096;
