//! All that the report of a run shows.

use serde::Serialize;

use super::games::GameView;
use crate::record::{GenerationRecord, LadderRecord, MetricsLine, StageTimes};

/// A finished generation.
#[derive(Clone, Debug, Serialize)]
pub struct GenerationReport {
    /// What was played, learned and decided.
    pub record: GenerationRecord,
    /// What its stages took.
    pub times: StageTimes,
    /// The metrics of its training, thinned out.
    pub metrics: Vec<MetricsLine>,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// The run's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// What the game calls its sides, `Max` first.
    pub sides: [String; 2],
    /// The configuration as TOML, every default written out.
    pub config: String,
    /// Points of the network that the run began with against the hand-written evaluation, 0 to 1.
    pub start: Option<f64>,
    /// The finished generations.
    pub generations: Vec<GenerationReport>,
    /// The generation of the best network.
    pub best: Option<u32>,
    /// The ladder of the run, if one was played.
    pub ladder: Option<LadderRecord>,
    /// Games of the best network.
    pub games: Vec<GameView>,
}
