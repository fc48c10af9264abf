//! The record of a ladder: many players, one rating each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::WinDrawLoss;
use crate::statistics::Rating;

/// A player of a ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderPlayer {
    /// The player's specification, or what a run calls it.
    pub name: String,
    /// Digest of its network, if it plays by one.
    pub digest: Option<String>,
    /// The generation of the run that made it, if one did.
    pub generation: Option<u32>,
    /// Its rating, relative to the mean of all players.
    pub rating: Rating,
    /// Its rating with each side alone, relative to the mean, on that side, of the players that games
    /// link it with; none where there are no others.
    pub by_side: BTreeMap<String, Rating>,
    /// Its games.
    pub games: WinDrawLoss,
}

/// What two players made of each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderMatch {
    /// The first player's number, from 0, in the order of the matches.
    pub first: usize,
    /// The second player's number.
    pub second: usize,
    /// The first player's games.
    pub games: WinDrawLoss,
}

/// Many players who have played each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderRecord {
    /// The opening book.
    pub book: String,
    /// SHA-256 of the openings of the book.
    pub book_digest: String,
    /// Pairs of games of each match.
    pub pairs: usize,
    /// Plies without an irreversible move that drew a game.
    pub quiet_limit: u32,
    /// What the players' chances followed from.
    pub seed: u64,
    /// The players in the order in which they were named.
    pub players: Vec<LadderPlayer>,
    /// Games that differ from all others.
    pub unique_games: u64,
    /// The matches.
    pub matches: Vec<LadderMatch>,
    /// Elo that the first side is worth between equal players.
    pub advantage: Rating,
    /// Whether the ladder can be repeated exactly.
    pub deterministic: bool,
}
