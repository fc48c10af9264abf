//! Players against players: what their matches are worth.

mod book;
mod games;
mod ladder;
mod match_play;
mod match_runner;
mod match_score;
mod openings;
mod pair;
mod survey;

pub use book::{Book, BookError};
pub use games::{GamesError, GamesFile, MismatchPolicy};
pub use ladder::{Ladder, LadderEntrant, LadderError, Scheme};
pub use match_play::{ContestError, Match, MatchSettings};
pub use match_runner::{MatchRunner, Played};
pub use match_score::MatchScore;
pub use openings::{OpeningRules, OpeningsError, make_openings};
pub use pair::{GameResult, PairResult, PlayedPair, play_pair};
pub use survey::{GamesSurvey, PlayerSurvey, is_games};
