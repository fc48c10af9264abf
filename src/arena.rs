//! Players against players: what their matches are worth.

mod book;
mod contest;
mod openings;
mod pair;
mod tally;

pub use book::{Book, BookError};
pub use contest::{Contest, ContestError, Referee};
pub use openings::{OpeningRules, OpeningsError, make_openings};
pub use pair::{GameResult, PairResult, play_pair};
pub use tally::Tally;
