//! Players against players: what their matches are worth.

mod book;
mod contest;
mod games;
mod ladder;
mod openings;
mod pair;
mod series;
mod survey;
mod tally;

pub use book::{Book, BookError};
pub use contest::{Contest, ContestError, Referee};
pub use games::{GamesError, GamesFile, Strange};
pub use ladder::{Entrant, Ladder, LadderError, Scheme};
pub use openings::{OpeningRules, OpeningsError, make_openings};
pub use pair::{GameResult, PairResult, PlayedPair, play_pair};
pub use series::{Played, Series};
pub use survey::{GamesSurvey, PlayerSurvey, is_games};
pub use tally::Tally;
