//! Exact values of Bagh-Chal, solved from the end: the sliding phase by retrograde analysis, with
//! distances, and the placing phase layer by layer above it.

mod build;
mod cell;
mod distance;
mod entry;
mod error;
mod file;
mod half;
mod layer;
mod placement;
mod placing;
mod planes;
mod sliding;
mod statistics;
mod steps;
mod tables;
mod verify;

pub use build::build;
pub use cell::Cell;
pub use error::TableError;
pub use layer::Layer;
pub use statistics::{LayerStatistics, LongestWin, ValueCounts, statistics};
pub use tables::{Tables, check_table};
pub use verify::verify;
