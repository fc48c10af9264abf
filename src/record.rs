//! Typed results and their JSON: what the loop writes and people and programs read.

mod contest;

pub use contest::{MatchRecord, SequentialRecord, WinDrawLoss};
