//! `inspect` of a run directory.

use std::path::Path;

use rayon::ThreadPool;
use serde_json::json;

use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::kit::Kit;
use crate::pipeline::{GenerationInspection, RunInspection, inspect_run};
use crate::record::RunPaths;
use crate::reporter::Reporter;

/// Verifies every file of a run and prints a summary with all errors.
pub(super) fn inspect<G: Kit>(
    directory: &Path,
    pool: &ThreadPool,
    json: bool,
) -> Result<(), CommandError> {
    let run = inspect_run::<G>(&RunPaths::new(directory), pool, &Reporter::new(false))?;
    if json {
        print_json(&json!({
            "file": directory.display().to_string(), "kind": "run",
            "whole": run.faults.is_empty(), "run": run,
        }))?;
    } else {
        print(describe(directory, &run))?;
    }
    match run.faults.len() {
        0 => Ok(()),
        faults => Err(CommandError::failure(format!(
            "the run in {} has {faults} faults, listed above",
            directory.display()
        ))),
    }
}

fn describe(directory: &Path, run: &RunInspection) -> String {
    let state = match run.faults.len() {
        0 => "intact".to_owned(),
        1 => "1 fault".to_owned(),
        faults => format!("{faults} faults"),
    };
    let mut lines = vec![
        format!("{}: a run, {state}", directory.display()),
        format!("  game        {}", run.game),
        format!("  finished    {} generations", run.finished),
    ];
    if let Some(best) = run.best {
        lines.push(format!("  best        the network of generation {best}"));
    }
    if run.at_work {
        lines.push(
            "  a process is running; files that it is writing may be missing here".to_owned(),
        );
    }
    lines.extend(run.generations.iter().map(line));
    for fault in &run.faults {
        lines.push(format!(
            "  fault       {}: {} [{}]",
            fault.file, fault.reason, fault.remedy
        ));
    }
    lines.join("\n")
}

/// Formats a generation on one line.
fn line(generation: &GenerationInspection) -> String {
    let state = match (generation.promoted, generation.finished) {
        (Some(true), _) => "promoted",
        (Some(false), _) => "rejected",
        (None, true) => "finished",
        (None, false) => "in progress",
    };
    let mut parts = vec![state.to_owned()];
    if generation.shards > 0 {
        parts.push(format!(
            "{} shards, {} samples",
            generation.shards, generation.samples
        ));
    }
    if generation.pruned > 0 {
        parts.push(format!("{} shards removed", generation.pruned));
    }
    if let Some(step) = generation.step {
        parts.push(format!("checkpoint at step {step}"));
    }
    if generation.match_games > 0 {
        parts.push(format!("{} games of matches", generation.match_games));
    }
    if let Some(network) = &generation.network {
        parts.push(format!("network {}", &network[..12.min(network.len())]));
    }
    if generation.faults > 0 {
        parts.push(format!("{} faults", generation.faults));
    }
    format!(
        "  {:10}  {}",
        format!("gen. {}", generation.generation),
        parts.join("; ")
    )
}
