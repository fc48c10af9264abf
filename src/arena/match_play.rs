//! Matches: pair after pair of a book, on all threads, judged in order.

use std::ops::ControlFlow;

use rayon::ThreadPool;
use thiserror::Error;

use super::book::Book;
use super::pair::{PlayedPair, play_pair};
use crate::game::{GameRecord, Notation, Participant};
use crate::interrupt::Interrupt;
use crate::kit::{PlayerFactory, PlayerSpec};
use crate::search::Player;
use crate::workers::{Finish, ordered};

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The book is too short.
    #[error(
        "The book {book} has {openings} openings, too few for {pairs} pairs, each of which needs \
         one of its own; ask for at most {openings} pairs, or give a longer book."
    )]
    ShortBook {
        /// The book.
        book: String,
        /// What it holds.
        openings: usize,
        /// What was asked for.
        pairs: usize,
    },
}

/// What holds for every game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// Plies without an irreversible move that make a draw.
    pub quiet_limit: u32,
    /// What the players' chances follow from.
    pub seed: u64,
}

/// A match between two factories over the openings of a book.
#[derive(Debug)]
pub struct Match<'a, G> {
    first: &'a PlayerFactory<G>,
    second: &'a PlayerFactory<G>,
    book: &'a Book<G>,
    pairs: usize,
    referee: MatchSettings,
}

impl<'a, G: Notation> Match<'a, G> {
    /// A match of up to `pairs` pairs.
    ///
    /// # Errors
    /// If the book has fewer openings.
    pub fn new(
        first: &'a PlayerFactory<G>,
        second: &'a PlayerFactory<G>,
        book: &'a Book<G>,
        pairs: usize,
        referee: MatchSettings,
    ) -> Result<Self, ContestError> {
        let openings = book.openings().len();
        if pairs > openings {
            return Err(ContestError::ShortBook {
                book: book.name().to_owned(),
                openings,
                pairs,
            });
        }
        Ok(Self {
            first,
            second,
            book,
            pairs,
            referee,
        })
    }

    /// How many pairs it has.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Who plays, as records of games tell it.
    fn participants(&self) -> [Participant; 2] {
        [self.first, self.second].map(|player_factory| Participant {
            name: player_factory.name.clone(),
            digest: player_factory.digest.clone(),
            tables: player_factory.tables.clone(),
        })
    }

    /// The first game of a pair of a number before its first move; none beyond the book.
    pub(super) fn opened(&self, pair: usize) -> Option<GameRecord<G>> {
        Some(GameRecord {
            round: Some(pair as u32 + 1),
            seed: Some(self.referee.seed),
            quiet_limit: Some(self.referee.quiet_limit),
            players: self.participants(),
            start: self.book.openings().get(pair)?.clone(),
            moves: Vec::new(),
            end: None,
        })
    }

    /// In what a game differs from one of this match, if it does, that has its place in a pair of a
    /// number, the first player being `Max` in the first game.
    pub(super) fn difference(
        &self,
        game: &GameRecord<G>,
        pair: usize,
        half: usize,
    ) -> Option<&'static str> {
        let [first, second] = self.participants();
        let players = if half == 0 {
            [first, second]
        } else {
            [second, first]
        };
        let MatchSettings { quiet_limit, seed } = self.referee;
        let same = |(one, other): (&Participant, &Participant)| {
            PlayerSpec::canonical_name(&one.name) == PlayerSpec::canonical_name(&other.name)
                && (&one.digest, &one.tables) == (&other.digest, &other.tables)
        };
        if !game.players.iter().zip(&players).all(same) {
            Some("player")
        } else if Some(&game.start) != self.book.openings().get(pair) {
            Some("opening")
        } else if game.round.is_none_or(|round| round as usize != pair + 1) {
            Some("round")
        } else if game.quiet_limit != Some(quiet_limit) {
            Some("limit of quiet plies")
        } else if game.seed != Some(seed) {
            Some("seed")
        } else if game.end.is_none() {
            Some("end, as it was broken off")
        } else {
            None
        }
    }

    /// Plays the pairs from number `done` on and gives each to `judge` in the book's order.
    ///
    /// `judge` may end the match; what it sees does not depend on the number of threads.
    pub fn play<B>(
        &self,
        done: usize,
        pool: &ThreadPool,
        interrupt: &Interrupt,
        mut judge: impl FnMut(PlayedPair<G>) -> ControlFlow<B>,
    ) -> Finish<B> {
        let names = self.participants();
        ordered(
            pool,
            done as u64..self.pairs as u64,
            interrupt,
            || (self.first.player(), self.second.player()),
            |(first, second), pair| {
                let opening = &self.book.openings()[pair as usize];
                let players: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
                play_pair(players, &names, opening, pair as u32, self.referee)
            },
            |_, pair| judge(pair),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::workers::pool;

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19\nT3T/1S3/5/5/T3T t 19\nT3T/2S2/5/5/T3T t 19";
    const REFEREE: MatchSettings = MatchSettings {
        quiet_limit: 60,
        seed: 11,
    };

    fn player_factory(spec: &str) -> PlayerFactory<Position> {
        spec.parse::<PlayerSpec>()
            .unwrap()
            .player_factory()
            .unwrap()
    }

    fn results(threads: usize, done: usize) -> Vec<PlayedPair<Position>> {
        let (first, second) = (
            player_factory("claude@depth=2"),
            player_factory("random@seed=1"),
        );
        let book = Book::parse("test", BOOK).unwrap();
        let contest = Match::new(&first, &second, &book, 6, REFEREE).unwrap();
        let mut pairs = Vec::new();
        let pool = pool(threads).unwrap();
        let finish = contest.play(done, &pool, &Interrupt::default(), |pair| {
            pairs.push(pair);
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(finish, Finish::Completed);
        pairs
    }

    #[test]
    fn results_do_not_depend_on_threads_nor_on_a_break() {
        let all = results(1, 0);
        assert_eq!(all.len(), 6);
        assert_eq!(results(3, 0), all);
        assert_eq!(results(2, 4), all[4..]);
    }

    #[test]
    fn a_book_serves_each_opening_once() {
        let (first, second) = (player_factory("random"), player_factory("greedy"));
        let book = Book::parse("test", BOOK).unwrap();
        let fault = Match::new(&first, &second, &book, 7, REFEREE).unwrap_err();
        assert!(fault.to_string().contains("has 6 openings"), "{fault}");
    }
}
