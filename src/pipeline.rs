//! The loop of self-play, training and gate, in a directory from which it resumes.

mod config;
mod directory;
mod error;
mod gate;
mod inspection;
mod opponents;
mod report;
mod run;
mod start;
mod state;
mod status;
mod table;
mod tables;

pub use config::{
    Bootstrap, Config, ConfigError, ContinueFrom, ExamSettings, GateSettings, NetworkSettings,
    OperationSettings,
};
pub use directory::RunDirectory;
pub use error::RunError;
pub use inspection::{Fault, GenerationInspection, RunInspection, inspect_run};
pub use report::{report, write_report};
pub use run::{Run, RunEnding, RunSetup, records};
pub use start::architecture;
pub use state::{BestNetwork, HighWater, RunState};
pub use status::status;
pub use table::table;
