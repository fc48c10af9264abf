//! The record of a generation: self-play, training and gate. It has no times, so equal runs have equal
//! records.

use serde::{Deserialize, Serialize};

use super::exam::ExamRecord;
use super::match_record::MatchRecord;
use super::paths::GateMatch;
use super::training::TrainingRecord;
use crate::shard::{GameCounts, Manifest};

/// The results of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayRecord {
    /// SHA-256 of the network that played; `None` for the hand-written evaluation.
    pub network: Option<String>,
    /// Counts of the games.
    pub games: GameCounts,
    /// Samples, with symmetric copies.
    pub samples: u64,
    /// Base samples, without symmetric copies.
    pub originals: u64,
    /// Base samples that equal an earlier one of their shard up to symmetry.
    pub duplicates: u64,
    /// Size of all shards in bytes.
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

/// The gate's decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRecord {
    /// SHA-256 of the candidate.
    pub candidate: String,
    /// SHA-256 of the best network until then.
    pub best: String,
    /// The candidate against the hand-written evaluation.
    pub hand_written: MatchRecord,
    /// The candidate against random moves.
    pub random: MatchRecord,
    /// The candidate against the best network, if that decided.
    pub against_best: Option<MatchRecord>,
    /// The best score against the hand-written evaluation until then, 0 to 1.
    pub high_water: f64,
    /// The candidate's mean gain on it over the same openings; positive if the candidate is better.
    pub gain: f64,
    /// Standard error of the gain.
    pub gain_error: f64,
    /// Whether the candidate became the best network.
    pub promoted: bool,
    /// The reason; completes a sentence that begins with "it".
    pub reason: String,
}

impl GateRecord {
    /// The decision in a word.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.promoted {
            "promoted"
        } else {
            "rejected"
        }
    }

    /// The record of a match; `None` if it was not played.
    #[must_use]
    pub fn of(&self, gate_match: GateMatch) -> Option<&MatchRecord> {
        match gate_match {
            GateMatch::HandWritten => Some(&self.hand_written),
            GateMatch::Random => Some(&self.random),
            GateMatch::Best => self.against_best.as_ref(),
        }
    }
}

/// One generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationRecord {
    /// Its number, from 1.
    pub generation: u32,
    /// Self-play.
    pub selfplay: SelfplayRecord,
    /// Training.
    pub training: TrainingRecord,
    /// Gate.
    pub gate: GateRecord,
    /// The tablebase test of the best network after the gate, if the run has endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<ExamRecord>,
}
