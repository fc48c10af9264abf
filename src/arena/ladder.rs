//! A ladder: matches between many players, rated by one fit.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::book::Book;
use super::games::{GamesError, MismatchPolicy};
use super::match_play::{Match, MatchError, MatchSettings};
use super::match_runner::{MatchRunner, PlayedMatch};
use super::match_score::MatchScore;
use super::pair::GameResult;
use crate::game::{Notation, Side};
use crate::kit::PlayerFactory;
use crate::record::{LadderMatch, LadderPlayer, LadderRecord, WinDrawLoss};
use crate::statistics::{RatedGame, Ratings};
use crate::workers::Context;

/// Maximum length of a file name in bytes.
const MAX_NAME_BYTES: usize = 255;

/// Why a ladder cannot be played.
#[derive(Debug, Error)]
pub enum LadderError {
    /// There are fewer than two players.
    #[error("a ladder needs two players or more; name them, or use --run to add a run's networks")]
    TooFew,
    /// Two players would share their games files.
    #[error(
        "the names \"{first}\" and \"{second}\" give the same name of a games file; leave one of the \
         players out or rename its file"
    )]
    Alike {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// The games file of two players would have too long a name.
    #[error(
        "the names \"{first}\" and \"{second}\" are too long for the name of their games file; give \
         shorter paths"
    )]
    LongNames {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// The book is too short.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A games file cannot be used.
    #[error(transparent)]
    Games(#[from] GamesError),
}

/// A player of a ladder.
#[derive(Clone, Debug)]
pub struct LadderEntrant<G> {
    /// The player.
    pub player_factory: PlayerFactory<G>,
    /// The generation of the run that trained it, if any.
    pub generation: Option<u32>,
}

/// Which players meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// All players meet each other.
    RoundRobin,
    /// Generations of a run meet only the other players; without generations, the first player meets
    /// all others.
    Gauntlet,
}

/// The matches between the players of a ladder.
#[derive(Debug)]
pub struct Ladder<'a, G> {
    entrants: &'a [LadderEntrant<G>],
    matches: Vec<(usize, usize)>,
    book: &'a Book<G>,
    pairs: usize,
    settings: MatchSettings,
}

impl<'a, G: Notation> Ladder<'a, G> {
    /// Creates a ladder whose matches have `pairs` pairs each, all from the same openings.
    ///
    /// # Errors
    /// If there are too few players or openings, or the names of players clash or are too long.
    pub fn new(
        entrants: &'a [LadderEntrant<G>],
        scheme: Scheme,
        book: &'a Book<G>,
        pairs: usize,
        settings: MatchSettings,
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
            settings,
        };
        ladder.matchup(0)?;
        for number in 0..ladder.matches.len() {
            let name = ladder.games_path(Path::new(""), number);
            if name.as_os_str().len() > MAX_NAME_BYTES {
                let [first, second] = ladder.names(number).map(str::to_owned);
                return Err(LadderError::LongNames { first, second });
            }
        }
        Ok(ladder)
    }

    /// Number of matches.
    #[must_use]
    pub fn matches(&self) -> usize {
        self.matches.len()
    }

    fn names(&self, number: usize) -> [&'a str; 2] {
        let (first, second) = self.matches[number];
        [first, second].map(|player| self.entrants[player].player_factory.name.as_str())
    }

    fn matchup(&self, number: usize) -> Result<Match<'a, G>, MatchError> {
        let (first, second) = self.matches[number];
        let [first, second] = [first, second].map(|player| &self.entrants[player].player_factory);
        Match::new(first, second, self.book, self.pairs, self.settings)
    }

    /// Path of a match's games file.
    fn games_path(&self, folder: &Path, number: usize) -> PathBuf {
        let [first, second] = self.names(number).map(file_name);
        folder.join(format!("{first}_{second}.games"))
    }

    /// Plays all matches; returns `None` if a stop was requested. Games are kept in `folder`, if given,
    /// and games in it are not played again.
    ///
    /// # Errors
    /// If a games file cannot be used; its content is kept.
    pub fn play(
        &self,
        folder: Option<&Path>,
        context: &Context,
    ) -> Result<Option<LadderRecord>, LadderError> {
        let mut scores = Vec::new();
        for number in 0..self.matches.len() {
            let [first, second] = self.names(number);
            let path = folder.map(|folder| self.games_path(folder, number));
            let runner = MatchRunner {
                matchup: self.matchup(number)?,
                label: format!(
                    "{} of {}, {first} vs {second}",
                    number + 1,
                    self.matches.len()
                ),
                games: path.as_deref().map(|path| (path, MismatchPolicy::Refuse)),
                sprt: None,
            };
            let PlayedMatch { score, interrupted } = runner.play(context)?;
            if interrupted {
                return Ok(None);
            }
            scores.push(score);
        }
        Ok(Some(self.record(&scores)))
    }

    fn record(&self, scores: &[MatchScore]) -> LadderRecord {
        let mut games = vec![WinDrawLoss::default(); self.entrants.len()];
        let (mut pairs, mut matches) = (Vec::new(), Vec::new());
        let mut unique = HashSet::new();
        for (score, &(first, second)) in scores.iter().zip(&self.matches) {
            let mut of_match = WinDrawLoss::default();
            for pair in score.pairs() {
                for game in &pair.games {
                    let result = game.score();
                    unique.insert(game.moves);
                    of_match.count(result);
                    games[first].count(result);
                    games[second].count(result.reversed());
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
            quiet_limit: self.settings.quiet_limit,
            seed: self.settings.seed,
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

/// Indices of the players of each match.
fn meetings<G>(entrants: &[LadderEntrant<G>], scheme: Scheme) -> Vec<(usize, usize)> {
    let all =
        (0..entrants.len()).flat_map(|one| (one + 1..entrants.len()).map(move |two| (one, two)));
    let any = entrants.iter().any(|entrant| entrant.generation.is_some());
    let tested = |player: usize| match any {
        true => entrants[player].generation.is_some(),
        false => player == 0,
    };
    let meet = |&(one, two): &(usize, usize)| match scheme {
        Scheme::RoundRobin => true,
        Scheme::Gauntlet => tested(one) != tested(two),
    };
    all.filter(meet).collect()
}

/// Converts a game for the ratings.
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

/// A player's name as a part of a file name.
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
    use crate::kit::PlayerSpec;
    use crate::search::Switches;
    use crate::workers::with_context;

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19";
    const SETTINGS: MatchSettings = MatchSettings {
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
        let ladder = Ladder::new(entrants, Scheme::RoundRobin, &book, 4, SETTINGS).unwrap();
        with_context(2, |context| {
            ladder.play(Some(folder), context).unwrap().unwrap()
        })
    }

    #[test]
    fn stronger_players_are_rated_higher_and_every_game_counts() {
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
            "resumes from its games"
        );
        let two = entrants(&[("random", None), ("claude@depth=3", None)]);
        assert_eq!(
            play(&two, folder.path()).matches[0].games,
            record.matches[1].games
        );
    }

    #[test]
    fn in_a_gauntlet_generations_meet_only_the_other_players() {
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
    fn too_few_players_and_clashing_names_are_refused() {
        let book = Book::parse("test", BOOK).unwrap();
        let fault = |specs: &[(&str, Option<u32>)]| {
            let entrants = entrants(specs);
            let ladder = Ladder::new(&entrants, Scheme::RoundRobin, &book, 2, SETTINGS);
            ladder
                .map(|ladder| ladder.matches())
                .unwrap_err()
                .to_string()
        };
        assert!(fault(&[("random", None)]).contains("two players or more"));
        let alike = fault(&[("claude@depth=2", None), ("claude@depth=2", None)]);
        assert!(alike.contains("give the same name"), "{alike}");
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
