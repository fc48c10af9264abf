//! Rules in, strong network out.

pub mod features;
pub mod game;
pub mod games;
pub mod search;
pub mod seed;
