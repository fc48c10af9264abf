//! Where a run stands, as another process sees it.

use serde::Serialize;

use super::times::StageTimes;

/// The stage of a generation that is under way, or comes next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageStatus {
    /// The generation.
    pub generation: u32,
    /// What is done: self-play, training, a match of the gate, the exam.
    pub name: String,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do, where that is known before its end.
    pub total: Option<u64>,
    /// What is counted.
    pub unit: String,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatusRecord {
    /// The game.
    pub game: String,
    /// Whether a process is at work on the run.
    pub at_work: bool,
    /// Generations that are finished.
    pub finished: u32,
    /// Generations after which the run ends.
    pub generations: u32,
    /// The generation of the best network; none before the first match is over.
    pub best: Option<u32>,
    /// The best points of a promoted network against the hand-written evaluation, 0 to 1.
    pub points: Option<f64>,
    /// What is under way; none if all generations are finished.
    pub stage: Option<StageStatus>,
    /// What the stages of all generations took.
    pub times: StageTimes,
    /// Seconds that the generations to come may take, as the last ones did.
    pub remaining: Option<f64>,
}
