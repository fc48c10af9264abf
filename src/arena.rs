//! Players against players: what their matches are worth.

mod book;
mod contest;
mod pair;
pub mod statistics;

pub use book::{Book, BookError};
pub use contest::{Contest, ContestError, Referee};
pub use pair::{GameResult, PairResult, play_pair};
