//! Results as types with their JSON, and where a run keeps them.

mod exam;
mod fit;
mod generation;
mod grade;
mod ladder;
mod match_record;
mod paths;
mod status;
mod times;
mod training;

pub use exam::{
    CalibrationBin, ExamEvaluationRecord, ExamPart, ExamPlayerRecord, ExamRecord, ExamSetRecord,
    Ranked, Ranking,
};
pub use fit::{FitRecord, LossRecord, TermRecord};
pub use generation::{GateRecord, GenerationRecord, SelfplayRecord};
pub use grade::{Grade, GradeCounts, KeptDifference};
pub use ladder::{LadderMatch, LadderPlayer, LadderRecord};
pub use match_record::{MatchRecord, SequentialRecord, WinDrawLoss};
pub use paths::{
    CANDIDATE_FILE, CHECKPOINT_FILE, GateMatch, GenerationPaths, LADDER_FILE, METRICS_FILE,
    RunPaths,
};
pub use status::{StageStatus, StatusRecord};
pub use times::StageTimes;
pub use training::{CalibrationRecord, MetricsLine, TrainingRecord, ValidationRecord};
