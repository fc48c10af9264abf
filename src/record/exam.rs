//! The record of an exam against exact values.

use serde::{Deserialize, Serialize};

use super::grade::{GradeCounts, KeptDifference};

/// The counts of one kind of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamPart {
    /// What tells the kind: `phase`, `side` or `stratum`.
    pub by: String,
    /// The kind.
    pub part: String,
    /// The counts.
    pub counts: GradeCounts,
}

/// A player on a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamPlayerRecord {
    /// The player.
    pub player: String,
    /// The digest of its network, if it has one.
    pub digest: Option<String>,
    /// The digest of the exact values that it plays by itself, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// All critical positions.
    pub total: GradeCounts,
    /// These by phase, by side and by stratum; kinds without positions are left out.
    pub parts: Vec<ExamPart>,
    /// Compared with each player before it, in their order.
    pub against_earlier: Vec<KeptDifference>,
}

/// The chance that a random position of the better kind scores higher, ties counted half; 1 is
/// perfect and ½ is chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    /// The chance.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// How well scores tell kinds of positions apart, each kind seen by the side that wants high
/// scores; nothing where a kind has no positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Won over drawn.
    pub win_over_draw: Option<Ranked>,
    /// Drawn over lost.
    pub draw_over_loss: Option<Ranked>,
    /// Won over lost.
    pub win_over_loss: Option<Ranked>,
}

/// What was predicted in one tenth of the scale, and what positions there are worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationBin {
    /// The lower end of predictions, in points of the side that wants high scores.
    pub from: f64,
    /// Positions.
    pub positions: u64,
    /// The mean of predictions; nothing without positions.
    pub predicted: Option<f64>,
    /// The mean of exact values, 1, ½ or 0; nothing without positions.
    pub exact: Option<f64>,
}

/// An evaluation without search on a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamEvaluationRecord {
    /// The evaluation, or the network.
    pub evaluation: String,
    /// How well it tells won, drawn and lost positions apart.
    pub ranking: Ranking,
    /// What it predicts and what positions are worth.
    pub calibration: Vec<CalibrationBin>,
}

/// All results of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamSetRecord {
    /// `games` or `uniform`.
    pub set: String,
    /// Critical positions, which players move in: some move there loses value.
    pub critical: usize,
    /// Positions of any kind, which evaluations score.
    pub general: usize,
    /// The players, in the order given.
    pub players: Vec<ExamPlayerRecord>,
    /// The evaluations without search.
    pub evaluations: Vec<ExamEvaluationRecord>,
}

/// An exam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamRecord {
    /// The digest of the tables.
    pub tables: String,
    /// What the sets follow from.
    pub seed: u64,
    /// The sets, apart.
    pub sets: Vec<ExamSetRecord>,
}
