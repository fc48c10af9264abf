//! `bagheera status`: the progress of a run, from another terminal.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::FormattedDuration;

use super::CommandError;
use super::common::{print, print_json};
use crate::pipeline::status;
use crate::record::{RunPaths, StatusRecord};

/// Show the progress of a run, whether a process is working on it or not.
#[derive(Debug, Args)]
pub(super) struct StatusCommand {
    /// Directory of the run.
    dir: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl StatusCommand {
    pub fn run(&self) -> Result<(), CommandError> {
        let status = status(&RunPaths::new(&self.dir))?;
        if self.json {
            return print_json(&status);
        }
        print(describe(&status))?;
        let dir = self.dir.display();
        match (status.at_work, &status.stage) {
            (true, _) => Ok(()),
            (false, None) => print(format!(
                "Add generations with: bagheera run --dir {dir} --generations N"
            )),
            (false, Some(_)) => print(format!("Resume with: bagheera run --dir {dir}")),
        }
    }
}

/// Formats seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> FormattedDuration {
    FormattedDuration(Duration::from_secs(seconds.round() as u64))
}

/// Formats the status as text.
fn describe(status: &StatusRecord) -> String {
    let at_work = if status.at_work {
        "a process is running"
    } else {
        "no process is running"
    };
    let mut lines = vec![format!(
        "{}: {} of {} generations finished, {at_work}",
        status.game, status.finished, status.generations
    )];
    if let Some(stage) = &status.stage {
        let total = stage
            .total
            .map_or_else(String::new, |total| format!(" of {total}"));
        lines.push(format!(
            "generation {}: {}, {}{total} {}",
            stage.generation, stage.name, stage.done, stage.unit
        ));
    }
    if let (Some(best), Some(points)) = (status.best, status.points) {
        lines.push(format!(
            "best network: generation {best}; best score against the hand-written evaluation: {:.1} %",
            100.0 * points
        ));
    }
    let spent: Vec<String> = (status.times.stages().iter())
        .filter(|(_, seconds)| *seconds > 0.0)
        .map(|(name, seconds)| format!("{name} {}", clock(*seconds)))
        .collect();
    if !spent.is_empty() {
        lines.push(format!("time spent: {}", spent.join(", ")));
    }
    if let Some(remaining) = status.remaining.filter(|_| status.stage.is_some()) {
        lines.push(format!(
            "time remaining, at the pace of the last generations: {}",
            clock(remaining)
        ));
    }
    lines.join("\n")
}
