//! Players against players: what their matches are worth.

pub mod statistics;
