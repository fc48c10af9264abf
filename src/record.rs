//! Typed results and their JSON: what the loop writes and people and programs read.

mod contest;
//PIPE mod generation;

pub use contest::{MatchRecord, SequentialRecord, WinDrawLoss};
//PIPE pub use generation::{GateRecord, GenerationRecord, SelfplayRecord};
