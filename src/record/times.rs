//! How long the stages of a generation took. Kept apart from its record, which equal runs share.

use serde::{Deserialize, Serialize};

/// Seconds by the clock that the stages of a generation took, breaks aside; what a killed process had
/// spent on the stage at hand is not in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StageTimes {
    /// Self-play.
    pub selfplay: f64,
    /// Training.
    pub training: f64,
    /// The matches of the gate.
    pub gate: f64,
    /// The exam.
    pub exam: f64,
}

impl StageTimes {
    /// The names of the stages with their times, in their order.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, f64); 4] {
        [
            ("self-play", self.selfplay),
            ("training", self.training),
            ("gate", self.gate),
            ("exam", self.exam),
        ]
    }

    /// These and other times together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            selfplay: self.selfplay + other.selfplay,
            training: self.training + other.training,
            gate: self.gate + other.gate,
            exam: self.exam + other.exam,
        }
    }

    /// All stages together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.stages().iter().map(|(_, seconds)| seconds).sum()
    }
}
