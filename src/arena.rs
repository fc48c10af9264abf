//! Matches between players: pairs of games, ladders, opening books and files of games.

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
pub use match_play::{Match, MatchError, MatchSettings};
pub use match_runner::{MatchRunner, PlayedMatch};
pub use match_score::MatchScore;
pub use openings::{OpeningsError, OpeningsJob};
pub use pair::{GameResult, PairResult, PlayedPair, play_pair};
pub use survey::{GamesSurvey, PlayerSurvey, is_games};
