//! A match: pairs from a book, played on all threads and consumed in order.

use std::ops::ControlFlow;

use thiserror::Error;

use super::book::Book;
use super::pair::{PlayedPair, play_pair};
use crate::game::{GameRecord, Notation, Participant};
use crate::kit::{PlayerFactory, PlayerSpec};
use crate::mismatch::first_mismatch;
use crate::search::Player;
use crate::workers::{Context, Finish, ordered};

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The book is too short.
    #[error(
        "book {book} has {openings} openings, too few for {pairs} pairs of different openings; request \
         at most {openings} pairs or choose a longer book"
    )]
    ShortBook {
        /// The book.
        book: String,
        /// Its openings.
        openings: usize,
        /// The requested pairs.
        pairs: usize,
    },
}

/// Settings of every game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// No-progress limit: plies without an irreversible move after which a game is drawn.
    pub quiet_limit: u32,
    /// Random seed of the players.
    pub seed: u64,
}

/// A match between two players over the openings of a book.
#[derive(Debug)]
pub struct Match<'a, G> {
    pub(super) first: &'a PlayerFactory<G>,
    pub(super) second: &'a PlayerFactory<G>,
    pub(super) book: &'a Book<G>,
    pairs: usize,
    pub(super) settings: MatchSettings,
}

impl<'a, G: Notation> Match<'a, G> {
    /// Creates a match of up to `pairs` pairs.
    ///
    /// # Errors
    /// If the book has fewer openings.
    pub fn new(
        first: &'a PlayerFactory<G>,
        second: &'a PlayerFactory<G>,
        book: &'a Book<G>,
        pairs: usize,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        let openings = book.openings().len();
        if pairs > openings {
            return Err(MatchError::ShortBook {
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
            settings,
        })
    }

    /// Maximum number of pairs.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The players as game records name them.
    fn participants(&self) -> [Participant; 2] {
        [self.first, self.second].map(|player_factory| Participant {
            name: player_factory.name.clone(),
            digest: player_factory.digest.clone(),
            tables: player_factory.tables.clone(),
        })
    }

    /// Returns the record of pair `pair`'s first game with no moves yet; `None` past the end of the book.
    pub(super) fn begun(&self, pair: usize) -> Option<GameRecord<G>> {
        Some(GameRecord {
            round: Some(pair as u32 + 1),
            seed: Some(self.settings.seed),
            quiet_limit: Some(self.settings.quiet_limit),
            players: self.participants(),
            start: self.book.openings().get(pair)?.clone(),
            moves: Vec::new(),
            end: None,
        })
    }

    /// Names the first property in which `game` differs from game `half` (0 or 1) of pair `pair` of this
    /// match.
    pub(super) fn mismatch(
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
        let MatchSettings { quiet_limit, seed } = self.settings;
        let opening = self.book.openings().get(pair);
        let round = game.round.map(|round| round as usize);
        let same = |(one, other): (&Participant, &Participant)| {
            PlayerSpec::canonical_name(&one.name) == PlayerSpec::canonical_name(&other.name)
                && (&one.digest, &one.tables) == (&other.digest, &other.tables)
        };
        let same_players = game.players.iter().zip(&players).all(same);
        first_mismatch([
            (!same_players, "player"),
            (Some(&game.start) != opening, "opening"),
            (round != Some(pair + 1), "round"),
            (game.quiet_limit != Some(quiet_limit), "no-progress limit"),
            (game.seed != Some(seed), "seed"),
            (game.end.is_none(), "end (it is unfinished)"),
        ])
    }

    /// Plays the pairs from number `done` on and passes each to `judge` in the book's order.
    ///
    /// `judge` may end the match; the pairs that it gets do not depend on the number of threads.
    pub fn play<B>(
        &self,
        done: usize,
        context: &Context,
        mut judge: impl FnMut(PlayedPair<G>) -> ControlFlow<B>,
    ) -> Finish<B> {
        let names = self.participants();
        ordered(
            context,
            done as u64..self.pairs as u64,
            || (self.first.player(), self.second.player()),
            |(first, second), pair| {
                let opening = &self.book.openings()[pair as usize];
                let players: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
                play_pair(players, &names, opening, pair as u32, self.settings)
            },
            |_, pair| judge(pair),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::workers::with_context;

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19\nT3T/1S3/5/5/T3T t 19\nT3T/2S2/5/5/T3T t 19";
    const SETTINGS: MatchSettings = MatchSettings {
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
        let matchup = Match::new(&first, &second, &book, 6, SETTINGS).unwrap();
        let mut pairs = Vec::new();
        let judge = |pair| {
            pairs.push(pair);
            ControlFlow::<()>::Continue(())
        };
        let finish = with_context(threads, |context| matchup.play(done, context, judge));
        assert_eq!(finish, Finish::Completed);
        pairs
    }

    #[test]
    fn results_do_not_depend_on_threads_or_interruptions() {
        let all = results(1, 0);
        assert_eq!(all.len(), 6);
        assert_eq!(results(3, 0), all);
        assert_eq!(results(2, 4), all[4..]);
    }

    #[test]
    fn a_book_with_too_few_openings_is_refused() {
        let (first, second) = (player_factory("random"), player_factory("greedy"));
        let book = Book::parse("test", BOOK).unwrap();
        let fault = Match::new(&first, &second, &book, 7, SETTINGS).unwrap_err();
        assert!(fault.to_string().contains("has 6 openings"), "{fault}");
    }
}
