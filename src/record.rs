//! Typed results and their JSON: what the loop writes and people and programs read.

mod contest;
mod generation;
mod training;

pub use contest::{MatchRecord, SequentialRecord, WinDrawLoss};
pub use generation::{GateRecord, GenerationRecord, SelfplayRecord};
pub use training::{CalibrationRecord, MetricsLine, TrainingRecord, ValidationRecord};
