//! The record of a generation: what was played, learned and decided. No times are in it, so that
//! equal runs have equal records.

use serde::{Deserialize, Serialize};

use super::exam::ExamRecord;
use super::match_record::MatchRecord;
use super::training::TrainingRecord;
use crate::shard::{GameCounts, Manifest};

/// What self-play made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayRecord {
    /// SHA-256 of the network that played; nothing if none did.
    pub network: Option<String>,
    /// What the games were like.
    pub games: GameCounts,
    /// Positions, images under the symmetries included.
    pub samples: u64,
    /// Positions without the images.
    pub originals: u64,
    /// Positions that equal an earlier one of their shard up to symmetry.
    pub duplicates: u64,
    /// Bytes of all shards.
    pub bytes: u64,
}

impl From<&Manifest> for SelfplayRecord {
    fn from(manifest: &Manifest) -> Self {
        Self {
            network: manifest.network.clone(),
            games: manifest.games,
            samples: manifest.samples(),
            originals: manifest.originals(),
            duplicates: manifest.duplicates,
            bytes: manifest.bytes(),
        }
    }
}

/// What the gate decided, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRecord {
    /// SHA-256 of the candidate.
    pub candidate: String,
    /// SHA-256 of the best network before.
    pub best: String,
    /// The candidate against the hand-written evaluation.
    pub hand_written: MatchRecord,
    /// The candidate against random moves.
    pub random: MatchRecord,
    /// The candidate against the best network, where that decides.
    pub against_best: Option<MatchRecord>,
    /// Points against the hand-written evaluation that were the best before, 0 to 1.
    pub high_water: f64,
    /// The candidate's points beyond these, on average over the same openings.
    pub gain: f64,
    /// Standard error of the gain.
    pub gain_error: f64,
    /// Whether the candidate is now the best network.
    pub promoted: bool,
    /// Why, in a sentence.
    pub reason: String,
}

/// One turn of the loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationRecord {
    /// Its number, from 1.
    pub generation: u32,
    /// What was played.
    pub selfplay: SelfplayRecord,
    /// What was learned.
    pub training: TrainingRecord,
    /// What was decided.
    pub gate: GateRecord,
    /// What the best network after that throws away, where the run has endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<ExamRecord>,
}
