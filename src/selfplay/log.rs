//! The game log: facts about games that their samples do not contain, in a file beside each shard.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::write_atomically;
use crate::game::End;
use crate::shard::{GameCounts, OutcomeCounts};

/// One game of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSummary {
    /// Hash of the opening and all moves: equal for equal games.
    pub moves: u64,
    /// How the game ended.
    pub end: End,
    /// Plies played after the opening.
    pub plies: u32,
    /// Samples, without symmetric copies.
    pub samples: u32,
    /// Rejected openings, which were decided already.
    pub rejected: u32,
    /// Nodes of all searches.
    pub nodes: u64,
}

/// Writes the games of a shard.
pub(super) fn write(path: &Path, games: &[GameSummary]) -> std::io::Result<()> {
    write_atomically(path, |file| {
        for game in games {
            serde_json::to_writer(&mut *file, game)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// Reads the games of a shard.
pub(super) fn read(path: &Path) -> std::io::Result<Vec<GameSummary>> {
    let text = fs::read_to_string(path)?;
    let games = text.lines().map(serde_json::from_str);
    games.collect::<Result<_, _>>().map_err(Into::into)
}

/// Number of games that counting unique ones keeps in memory.
const GAMES_AT_ONCE: u64 = 1 << 20;

/// Counts the different games in the files.
///
/// Reads all files once for each [`GAMES_AT_ONCE`] games, each time for another class of games, so that
/// memory does not grow with their number.
pub(super) fn unique(paths: &[PathBuf], games: u64) -> std::io::Result<u64> {
    let classes = games.div_ceil(GAMES_AT_ONCE);
    count_unique(paths, classes)
}

fn count_unique(paths: &[PathBuf], classes: u64) -> std::io::Result<u64> {
    let mut count = 0;
    for class in 0..classes {
        let mut seen = HashSet::new();
        for path in paths {
            let moves = read(path)?.into_iter().map(|game| game.moves);
            seen.extend(moves.filter(|moves| moves % classes == class));
        }
        count += seen.len() as u64;
    }
    Ok(count)
}

/// Counts games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counter {
    outcomes: OutcomeCounts,
    cap_hits: u64,
    plies: u64,
    games: u64,
    pub samples: u64,
    pub nodes: u64,
}

impl Counter {
    pub fn add(&mut self, game: &GameSummary) {
        self.outcomes.add(Some(game.end.outcome()));
        self.cap_hits += u64::from(game.end == End::QuietPlies);
        self.plies += u64::from(game.plies);
        self.games += 1;
        self.samples += u64::from(game.samples);
        self.nodes += game.nodes;
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How the games ended.
    pub fn outcomes(&self) -> &OutcomeCounts {
        &self.outcomes
    }

    /// Plies of a game on average.
    pub fn mean_length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Returns all counts, with the given number of unique games.
    pub fn counts(&self, unique: u64) -> GameCounts {
        GameCounts {
            outcomes: self.outcomes,
            unique,
            cap_hits: self.cap_hits,
            mean_length: self.mean_length(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unique_games_are_counted_over_all_files_in_any_number_of_passes() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..3u64)
            .map(|file| {
                let game = |moves| GameSummary {
                    moves,
                    end: End::QuietPlies,
                    plies: 1,
                    samples: 1,
                    rejected: 0,
                    nodes: 1,
                };
                let path = folder.path().join(file.to_string());
                let games: Vec<_> = (0..10).map(|n| game(7 * (n * n % 10 + file))).collect();
                write(&path, &games).unwrap();
                path
            })
            .collect();
        // Squares end in 0, 1, 4, 5, 6 or 9; with 0, 1 or 2 added these are the numbers to 11.
        for classes in [1, 2, 7, 100] {
            assert_eq!(count_unique(&paths, classes).unwrap(), 12, "{classes}");
        }
        assert_eq!(unique(&paths, 30).unwrap(), 12);
    }
}
