//! The loop: self-play, training, gate, and round again, in a directory that can be continued.

mod config;
mod directory;
mod error;
mod gate;
mod inspection;
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
pub use run::{Ending, Run, records};
pub use start::encoder;
pub use state::{Best, HighWater, State};
pub use status::status;
pub use table::table;
