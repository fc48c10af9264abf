//! Measures how long the stages of a generation take.

use std::path::PathBuf;
use std::time::Instant;

use crate::pipeline::error::RunError;
use crate::pipeline::state::{load_json, save_json};
use crate::record::StageTimes;

/// Adds up the times of a generation's stages over all processes that worked on it.
#[derive(Debug)]
pub(super) struct StageClock {
    path: PathBuf,
    times: StageTimes,
}

impl StageClock {
    /// Continues the times in the file `path`; an unreadable file counts as no time.
    pub fn new(path: PathBuf) -> Self {
        let times = load_json(&path, "").ok().flatten().unwrap_or_default();
        Self { path, times }
    }

    /// Runs `work`, adds its duration to a stage and saves the times.
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
