//! The record of a match.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::statistics::{Estimate, GameScore, Pentanomial, Verdict};

/// Games won, drawn and lost by the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WinDrawLoss {
    /// Counts one more game.
    pub fn count(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    /// All games; stays at the largest number instead of overflowing.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins
            .saturating_add(self.draws)
            .saturating_add(self.losses)
    }

    /// Points of a game on average, 0 to 1; none before the first game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// What a sequential test made of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialRecord {
    /// The two hypotheses, in normalised Elo of the first player.
    pub elo_bounds: [f64; 2],
    /// The log-likelihood ratio of the second hypothesis over the first.
    pub llr: f64,
    /// The ratios at which the test ends, lower one first.
    pub llr_bounds: [f64; 2],
    /// What the test says.
    pub verdict: Verdict,
}

/// The result of a match, from the first player's view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRecord {
    /// The first player's specification.
    pub first: String,
    /// The second player's specification.
    pub second: String,
    /// Digests of the exact values that the two play by; nothing where one plays without.
    #[serde(default, skip_serializing_if = "no_tables")]
    pub tables: [Option<String>; 2],
    /// The opening book and the SHA-256 of its openings.
    pub book: String,
    /// SHA-256 of the openings of the book.
    pub book_digest: String,
    /// What the players' chances followed from.
    pub seed: u64,
    /// Points of a game on average, 0 to 1; none before the first game.
    pub score: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Pairs by points, from 0 to 2 in halves: LL, LD, DD or WL, WD, WW.
    pub pairs: Pentanomial,
    /// Games won, drawn and lost.
    pub total: WinDrawLoss,
    /// The same by the side that the first player had.
    pub by_side: BTreeMap<String, WinDrawLoss>,
    /// How often games ended in which way.
    pub ends: BTreeMap<String, u64>,
    /// Games that differ from all others.
    pub unique_games: u64,
    /// Plies of a game on average, opening aside.
    pub mean_plies: f64,
    /// How strong the first player is; none before the first pair.
    pub estimate: Option<Estimate>,
    /// The sequential test, if one judged the match.
    pub sequential: Option<SequentialRecord>,
    /// Whether the match can be repeated exactly.
    pub deterministic: bool,
}

impl MatchRecord {
    /// The first player's points in percent, with the half-width of their 95 % interval, for people.
    #[must_use]
    pub fn points_text(&self) -> String {
        let Some(estimate) = &self.estimate else {
            return "–".to_owned();
        };
        let [low, high] = estimate.score_interval;
        format!(
            "{:.1} ± {:.1} %",
            100.0 * estimate.score,
            50.0 * (high - low)
        )
    }
}

fn no_tables(tables: &[Option<String>; 2]) -> bool {
    tables.iter().all(Option::is_none)
}
