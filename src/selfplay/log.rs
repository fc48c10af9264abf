//! What is known of games that their samples do not tell, a file beside each shard.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::write_atomically;
use crate::game::End;
use crate::shard::{GameCounts, OutcomeCounts};

/// One game of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSummary {
    /// Stands for the opening and all moves: equal for equal games.
    pub moves: u64,
    /// How it ended.
    pub end: End,
    /// Plies played after the opening.
    pub plies: u32,
    /// Positions kept, images aside.
    pub samples: u32,
    /// Openings that were decided already.
    pub rejected: u32,
    /// Positions that the searches looked at.
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

/// Counts games; keeps 8 bytes of each to tell equal ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    outcomes: OutcomeCounts,
    seen: HashSet<u64>,
    cap_hits: u64,
    plies: u64,
    games: u64,
    pub samples: u64,
    pub nodes: u64,
}

impl Counter {
    pub fn add(&mut self, game: &GameSummary) {
        self.outcomes.add(Some(game.end.outcome()));
        self.seen.insert(game.moves);
        self.cap_hits += u64::from(game.end == End::QuietPlies);
        self.plies += u64::from(game.plies);
        self.games += 1;
        self.samples += u64::from(game.samples);
        self.nodes += game.nodes;
    }

    pub fn counts(&self) -> GameCounts {
        GameCounts {
            outcomes: self.outcomes,
            unique: self.seen.len() as u64,
            cap_hits: self.cap_hits,
            mean_length: self.plies as f64 / self.games.max(1) as f64,
        }
    }
}
