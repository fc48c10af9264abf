//! Typed results and their JSON: what the loop writes and people and programs read.

mod exam;
mod fit;
mod generation;
mod grade;
mod ladder;
mod match_record;
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
pub use status::{StageStatus, StatusRecord};
pub use times::StageTimes;
pub use training::{CalibrationRecord, MetricsLine, TrainingRecord, ValidationRecord};
