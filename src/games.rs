//! The games, a folder each.

pub mod bagh_chal;
pub mod y;
