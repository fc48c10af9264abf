//! A ladder: many players, all of whom meet, or some of whom meet the others.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::book::Book;
use super::games::{GamesError, MismatchPolicy};
use super::match_play::{ContestError, Match, MatchSettings};
use super::match_runner::{MatchRunner, Played};
use super::match_score::MatchScore;
use super::pair::GameResult;
use crate::game::{Notation, Side};
use crate::kit::PlayerFactory;
use crate::record::{LadderMatch, LadderPlayer, LadderRecord, WinDrawLoss};
use crate::statistics::{RatedGame, Ratings};
use crate::workers::Context;

/// The longest name that file systems allow.
const MOST_NAME_BYTES: usize = 255;

/// Why a ladder cannot be played.
#[derive(Debug, Error)]
pub enum LadderError {
    /// There is nobody to play.
    #[error(
        "A ladder needs two players or more; name some, or the --run whose networks are to play."
    )]
    TooFew,
    /// Two players would share their files of games.
    #[error(
        "The players \"{first}\" and \"{second}\" cannot be told apart by name; leave one of them \
         out, or rename its file."
    )]
    Alike {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// The names of two players make too long a name of a file.
    #[error(
        "The names \"{first}\" and \"{second}\" are too long for the name of their file of games; \
         give shorter paths."
    )]
    LongNames {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// The book is too short.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// Games cannot be kept.
    #[error(transparent)]
    Games(#[from] GamesError),
}

/// A player of a ladder.
#[derive(Clone, Debug)]
pub struct LadderEntrant<G> {
    /// The player.
    pub player_factory: PlayerFactory<G>,
    /// The generation of the run that made it, if one did.
    pub generation: Option<u32>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Everybody meets everybody.
    RoundRobin,
    /// The generations of a run meet the other players and not each other; without any, the first
    /// player meets all others.
    Gauntlet,
}

/// Players and how they are to meet.
#[derive(Debug)]
pub struct Ladder<'a, G> {
    entrants: &'a [LadderEntrant<G>],
    matches: Vec<(usize, usize)>,
    book: &'a Book<G>,
    pairs: usize,
    referee: MatchSettings,
}

impl<'a, G: Notation> Ladder<'a, G> {
    /// A ladder whose matches have `pairs` pairs each, all from the same openings.
    ///
    /// # Errors
    /// If there are too few players, or openings, or two players have the same name.
    pub fn new(
        entrants: &'a [LadderEntrant<G>],
        scheme: Scheme,
        book: &'a Book<G>,
        pairs: usize,
        referee: MatchSettings,
    ) -> Result<Self, LadderError> {
        let matches = meetings(entrants, scheme);
        if matches.is_empty() {
            return Err(LadderError::TooFew);
        }
        let mut names: BTreeMap<String, &str> = BTreeMap::new();
        for entrant in entrants {
            let name = entrant.player_factory.name.as_str();
            if let Some(first) = names.insert(file_name(name), name) {
                return Err(LadderError::Alike {
                    first: first.to_owned(),
                    second: name.to_owned(),
                });
            }
        }
        let ladder = Self {
            entrants,
            matches,
            book,
            pairs,
            referee,
        };
        ladder.contest(0)?;
        for number in 0..ladder.matches.len() {
            let name = ladder.games_path(Path::new(""), number);
            if name.as_os_str().len() > MOST_NAME_BYTES {
                let [first, second] = ladder.names(number).map(str::to_owned);
                return Err(LadderError::LongNames { first, second });
            }
        }
        Ok(ladder)
    }

    /// How many matches there are.
    #[must_use]
    pub fn matches(&self) -> usize {
        self.matches.len()
    }

    fn names(&self, number: usize) -> [&'a str; 2] {
        let (first, second) = self.matches[number];
        [first, second].map(|player| self.entrants[player].player_factory.name.as_str())
    }

    fn contest(&self, number: usize) -> Result<Match<'a, G>, ContestError> {
        let (first, second) = self.matches[number];
        let [first, second] = [first, second].map(|player| &self.entrants[player].player_factory);
        Match::new(first, second, self.book, self.pairs, self.referee)
    }

    /// Where the games of a match lie in a folder.
    fn games_path(&self, folder: &Path, number: usize) -> PathBuf {
        let [first, second] = self.names(number).map(file_name);
        folder.join(format!("{first}_{second}.games"))
    }

    /// Plays all matches, keeps their games in `folder` if one is given and goes on from those that
    /// it holds; none if a stop was requested.
    ///
    /// # Errors
    /// If games cannot be kept; what is there stays.
    pub fn play(
        &self,
        folder: Option<&Path>,
        crew: &Context,
    ) -> Result<Option<LadderRecord>, LadderError> {
        let mut tallies = Vec::new();
        for number in 0..self.matches.len() {
            let [first, second] = self.names(number);
            let path = folder.map(|folder| self.games_path(folder, number));
            let series = MatchRunner {
                contest: self.contest(number)?,
                label: format!(
                    "{} of {}, {first} vs {second}",
                    number + 1,
                    self.matches.len()
                ),
                games: path.as_deref().map(|path| (path, MismatchPolicy::Refuse)),
                sprt: None,
            };
            let Played { tally, interrupted } = series.play(crew)?;
            if interrupted {
                return Ok(None);
            }
            tallies.push(tally);
        }
        Ok(Some(self.record(&tallies)))
    }

    fn record(&self, tallies: &[MatchScore]) -> LadderRecord {
        let mut games = vec![WinDrawLoss::default(); self.entrants.len()];
        let (mut pairs, mut matches) = (Vec::new(), Vec::new());
        let mut unique = HashSet::new();
        for (tally, &(first, second)) in tallies.iter().zip(&self.matches) {
            let mut of_match = WinDrawLoss::default();
            for pair in tally.pairs() {
                for game in &pair.games {
                    let score = game.score();
                    unique.insert(game.moves);
                    of_match.count(score);
                    games[first].count(score);
                    games[second].count(score.reversed());
                }
                pairs.push(pair.games.map(|game| rated(&game, first, second)));
            }
            matches.push(LadderMatch {
                first,
                second,
                games: of_match,
            });
        }
        let ratings = Ratings::of(self.entrants.len(), &pairs);
        let player = |(number, entrant): (usize, &LadderEntrant<G>)| LadderPlayer {
            name: entrant.player_factory.name.clone(),
            digest: entrant.player_factory.digest.clone(),
            generation: entrant.generation,
            rating: ratings.overall[number],
            by_side: [Side::Max, Side::Min]
                .into_iter()
                .filter_map(|side| {
                    let rating = ratings.by_side[side as usize][number]?;
                    Some((G::side_name(side).to_owned(), rating))
                })
                .collect(),
            games: games[number],
        };
        LadderRecord {
            book: self.book.name().to_owned(),
            book_digest: self.book.digest().to_owned(),
            pairs: self.pairs,
            quiet_limit: self.referee.quiet_limit,
            seed: self.referee.seed,
            players: self.entrants.iter().enumerate().map(player).collect(),
            unique_games: unique.len() as u64,
            matches,
            advantage: ratings.advantage,
            deterministic: self
                .entrants
                .iter()
                .all(|entrant| entrant.player_factory.deterministic),
        }
    }
}

/// The pairs of players who meet.
fn meetings<G>(entrants: &[LadderEntrant<G>], scheme: Scheme) -> Vec<(usize, usize)> {
    let all =
        (0..entrants.len()).flat_map(|one| (one + 1..entrants.len()).map(move |two| (one, two)));
    let any = entrants.iter().any(|entrant| entrant.generation.is_some());
    let runs = |player: usize| match any {
        true => entrants[player].generation.is_some(),
        false => player == 0,
    };
    let meet = |&(one, two): &(usize, usize)| match scheme {
        Scheme::RoundRobin => true,
        Scheme::Gauntlet => runs(one) != runs(two),
    };
    all.filter(meet).collect()
}

/// A game as the ratings see it.
fn rated(game: &GameResult, first: usize, second: usize) -> RatedGame {
    let (max, min) = match game.side {
        Side::Max => (first, second),
        Side::Min => (second, first),
    };
    RatedGame {
        max,
        min,
        points: f64::from(game.end.outcome().points(Side::Max)),
    }
}

/// A player's name as part of a file's.
fn file_name(name: &str) -> String {
    let plain = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' => c,
        _ => '-',
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::interrupt::Interrupt;
    use crate::kit::PlayerSpec;
    use crate::reporter::Reporter;
    use crate::search::Switches;
    use crate::workers::pool;

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19";
    const REFEREE: MatchSettings = MatchSettings {
        quiet_limit: 40,
        seed: 5,
    };

    fn entrants(specs: &[(&str, Option<u32>)]) -> Vec<LadderEntrant<Position>> {
        let entrant = |(spec, generation): &(&str, Option<u32>)| LadderEntrant {
            player_factory: spec
                .parse::<PlayerSpec>()
                .unwrap()
                .player_factory()
                .unwrap(),
            generation: *generation,
        };
        specs.iter().map(entrant).collect()
    }

    fn play(entrants: &[LadderEntrant<Position>], folder: &Path) -> LadderRecord {
        let book = Book::parse("test", BOOK).unwrap();
        let ladder = Ladder::new(entrants, Scheme::RoundRobin, &book, 4, REFEREE).unwrap();
        let (pool, interrupt) = (pool(2).unwrap(), Interrupt::default());
        let crew = Context {
            pool: &pool,
            interrupt: &interrupt,
            talk: &Reporter::new(true),
        };
        ladder.play(Some(folder), &crew).unwrap().unwrap()
    }

    #[test]
    fn the_stronger_stand_higher_and_every_game_counts() {
        let folder = tempfile::tempdir().unwrap();
        let three = entrants(&[("random", None), ("greedy", None), ("claude@depth=3", None)]);
        let record = play(&three, folder.path());
        let elo: Vec<f64> = record
            .players
            .iter()
            .map(|player| player.rating.elo)
            .collect();
        assert!(elo.is_sorted(), "{elo:?}");
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        assert_eq!(record.matches.len(), 3);
        for player in &record.players {
            assert_eq!(player.games.games(), 16);
            assert_eq!(player.by_side.len(), 2);
        }
        let games = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(games, 3);
        assert_eq!(
            play(&three, folder.path()),
            record,
            "goes on from its games"
        );
        let two = entrants(&[("random", None), ("claude@depth=3", None)]);
        assert_eq!(
            play(&two, folder.path()).matches[0].games,
            record.matches[1].games
        );
    }

    #[test]
    fn in_a_gauntlet_generations_meet_the_others_alone() {
        let mixed = entrants(&[
            ("claude@depth=1", Some(1)),
            ("claude@depth=2", Some(2)),
            ("random", None),
            ("greedy", None),
        ]);
        assert_eq!(
            meetings(&mixed, Scheme::Gauntlet),
            [(0, 2), (0, 3), (1, 2), (1, 3)]
        );
        assert_eq!(meetings(&mixed, Scheme::RoundRobin).len(), 6);
        assert_eq!(meetings(&mixed[2..], Scheme::Gauntlet), [(0, 1)]);
    }

    #[test]
    fn players_must_differ_and_be_two() {
        let book = Book::parse("test", BOOK).unwrap();
        let fault = |specs: &[(&str, Option<u32>)]| {
            let entrants = entrants(specs);
            let ladder = Ladder::new(&entrants, Scheme::RoundRobin, &book, 2, REFEREE);
            ladder
                .map(|ladder| ladder.matches())
                .unwrap_err()
                .to_string()
        };
        assert!(fault(&[("random", None)]).contains("two players or more"));
        let alike = fault(&[("claude@depth=2", None), ("claude@depth=2", None)]);
        assert!(alike.contains("cannot be told apart"), "{alike}");
        let opposite = |(name, _): &(&str, &str)| {
            let on = *Switches::default().by_name(name).unwrap();
            format!(",{name}={}", if on { "off" } else { "on" })
        };
        let switches: String = Switches::NAMES.iter().map(opposite).collect();
        let long = format!("claude@depth=2,nodes={}{switches}", u64::MAX);
        let long = fault(&[(&long, None), (&long.replace("depth=2", "depth=3"), None)]);
        assert!(long.contains("give shorter paths"), "{long}");
    }
}
