//! The records of a training: what it did, how well its networks predict, and its metrics lines.

use serde::{Deserialize, Serialize};

/// How well a network predicts positions that it was not trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationRecord {
    /// Positions judged.
    pub positions: u64,
    /// The mean loss; 0 without positions.
    pub loss: f64,
    /// Positions among them that no symmetry makes equal to one of the training part; nothing
    /// where there is no training part.
    pub unseen_positions: Option<u64>,
    /// The mean loss on those; nothing if there are none.
    pub unseen_loss: Option<f64>,
    /// Positions whose game was won by one side.
    pub decided_positions: u64,
    /// The share of those whose winner the sign of the network's score tells, from 0 to 1.
    pub sign_accuracy: Option<f64>,
    /// Prediction against outcome by the kind of position, in the order of
    /// [`Game::STRATA`](crate::game::Game::STRATA).
    pub calibration: Vec<CalibrationRecord>,
}

/// What a network expects of the positions of one kind, and how their games went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationRecord {
    /// The kind.
    pub stratum: String,
    /// Positions of the kind whose game has an outcome, draws included.
    pub positions: u64,
    /// `Max`'s expected points according to the network on average, 0 to 1; nothing without
    /// positions.
    pub predicted: Option<f64>,
    /// `Max`'s points on average, 0 to 1; nothing without positions.
    pub outcome: Option<f64>,
}

/// What a training did. It says nothing of time, so that equal trainings have equal records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecord {
    /// Steps taken.
    pub steps: u64,
    /// Samples of the window, images and games held out included.
    pub window_samples: u64,
    /// Samples of the window that training may see: those of games that are not held out.
    pub training_samples: u64,
    /// Samples that the steps saw, counted as often as they were seen.
    pub positions_seen: u64,
    /// How often a training sample was seen on average.
    pub replay: f64,
    /// How well the network predicted before the first step.
    pub validation_before: ValidationRecord,
    /// How well the candidate predicts.
    pub validation: ValidationRecord,
    /// The step after which the candidate was taken: the one with the least validation loss.
    pub best_step: u64,
    /// SHA-256 that identifies the samples of the window.
    pub data_digest: String,
}

/// A line of the metrics of a training, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MetricsLine {
    /// How the steps went.
    Training {
        /// The last step of the line, from 1.
        step: u64,
        /// The mean loss of the steps since the last such line.
        loss: f64,
        /// The learning rate of the step.
        learning_rate: f64,
        /// The weight of the outcome in the targets of the step.
        result_weight: f64,
        /// Samples that went through the steps in a second.
        positions_per_second: f64,
    },
    /// How well the network predicts.
    Validation {
        /// The step after which it was asked; 0 is before the first.
        step: u64,
        /// The answer.
        validation: ValidationRecord,
    },
}

impl MetricsLine {
    /// The step that the line speaks of.
    #[must_use]
    pub fn step(&self) -> u64 {
        match self {
            Self::Training { step, .. } | Self::Validation { step, .. } => *step,
        }
    }
}
