//! The clock that the stages of a generation are timed by.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::pipeline::directory::times_path;
use crate::pipeline::error::RunError;
use crate::pipeline::state::{load_json, save_json};
use crate::record::StageTimes;

/// Adds up what the stages of a generation take, over all processes that worked on it.
#[derive(Debug)]
pub(super) struct StageClock {
    path: PathBuf,
    times: StageTimes,
}

impl StageClock {
    /// The clock of the generation whose folder this is. Times that cannot be read are none.
    pub fn of(folder: &Path) -> Self {
        let path = times_path(folder);
        let times = load_json(&path, "").ok().flatten().unwrap_or_default();
        Self { path, times }
    }

    /// Does some work of a stage, and notes how long it took.
    pub fn time<T>(
        &mut self,
        stage: impl FnOnce(&mut StageTimes) -> &mut f64,
        work: impl FnOnce() -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let start = Instant::now();
        let result = work()?;
        *stage(&mut self.times) += start.elapsed().as_secs_f64();
        save_json(&self.path, &self.times)?;
        Ok(result)
    }
}
