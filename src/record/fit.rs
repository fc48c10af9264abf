//! What a fit of weights found.

use serde::{Deserialize, Serialize};

/// A fit of an evaluation's weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitRecord {
    /// The game.
    pub game: String,
    /// The evaluation.
    pub evaluation: String,
    /// The games fitted to.
    pub fitted: LossRecord,
    /// The games held out.
    pub held_out: LossRecord,
    /// The terms with their weights.
    pub terms: Vec<TermRecord>,
}

/// How well weights predict the positions of some games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossRecord {
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
    /// The mean cross-entropy with the weights before; nothing without positions.
    pub loss_before: Option<f64>,
    /// The mean cross-entropy with the weights found.
    pub loss_after: Option<f64>,
}

/// A term with its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermRecord {
    /// Its name.
    pub name: String,
    /// Its weight before.
    pub before: f64,
    /// Its weight after.
    pub after: f64,
    /// The standard error of that.
    pub error: f64,
}
