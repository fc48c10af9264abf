//! Rules in, strong network out.

pub mod arena;
pub mod commands;
pub mod features;
pub mod files;
pub mod game;
pub mod games;
pub mod interrupt;
pub mod kit;
pub mod network;
pub mod perft;
#[cfg(feature = "train")]
pub mod pipeline;
pub mod record;
pub mod registry;
pub mod search;
pub mod seed;
pub mod selfplay;
pub mod shard;
pub mod statistics;
pub mod talk;
pub mod training;
pub mod workers;
