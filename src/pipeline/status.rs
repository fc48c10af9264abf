//! Where a run stands, read from its directory without a hand on it.

use std::fs::{self, File, TryLockError};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::config::Config;
use super::directory::{LOCK, RunDirectory, times_path};
use super::error::RunError;
use super::state::{State, load_json};
use crate::files::FileError;
use crate::record::{MetricsLine, StageStatus, StageTimes, StatusRecord};
use crate::training::METRICS_FILE;

/// Generations that tell how long one takes.
const RECENT: u32 = 3;

/// Reads where the run in a directory stands; another process may be at work on it.
///
/// # Errors
/// If there is no run, or its files cannot be read.
pub fn status(root: &Path) -> Result<StatusRecord, RunError> {
    let config = Config::load(&RunDirectory::config_path(root))?;
    let state = State::load(&RunDirectory::state_path(root))?;
    let finished = state.as_ref().map_or(0, |state| state.finished);
    let generations = config.operation.generations;
    let of = |generation: u32| times(&RunDirectory::folder(root, generation));
    let mut times = StageTimes::default();
    for generation in 1..=finished + 1 {
        times = times.plus(&of(generation));
    }
    let recent = (finished + 1).saturating_sub(RECENT).max(1)..=finished;
    let spent: f64 = recent
        .clone()
        .map(|generation| of(generation).total())
        .sum();
    let mean = (finished > 0).then(|| spent / recent.count() as f64);
    let left = generations.saturating_sub(finished);
    let open = of(finished + 1).total();
    let stage = match &state {
        _ if left == 0 => None,
        None => Some(gate_stage(root, 0, "gate-hand-written", config.gate.pairs)),
        Some(_) => Some(stage(root, finished + 1, &config)),
    };
    Ok(StatusRecord {
        game: config.game,
        at_work: is_at_work(root)?,
        finished,
        generations,
        best: state.as_ref().map(|state| state.best.generation),
        points: state.as_ref().map(|state| state.high_water.score()),
        stage,
        times,
        remaining: mean.map(|mean| (mean * f64::from(left) - open).max(0.0)),
    })
}

/// Whether a process holds the run's directory.
pub(super) fn is_at_work(root: &Path) -> Result<bool, RunError> {
    let path = root.join(LOCK);
    let lock = match File::open(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(FileError::io("read", &path)(error).into()),
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(FileError::io("lock", path)(error).into()),
    }
}

/// What a generation's stages took, nothing where that is not told.
fn times(folder: &Path) -> StageTimes {
    let times = load_json(&times_path(folder), "");
    times.ok().flatten().unwrap_or_default()
}

/// The stage of a generation that is not finished.
fn stage(root: &Path, generation: u32, config: &Config) -> StageStatus {
    let folder = RunDirectory::folder(root, generation);
    let shards = folder.join("shards");
    let status = |name: &str, done, total, unit: &str| StageStatus {
        generation,
        name: name.to_owned(),
        done,
        total,
        unit: unit.to_owned(),
    };
    if !shards.join("manifest.json").exists() {
        let games = u64::from(config.selfplay.games);
        let whole = count_shards(&shards) * u64::from(config.selfplay.games_per_shard);
        return status("self-play", whole.min(games), Some(games), "games");
    }
    if !folder.join("training.json").exists() {
        let step = last_step(&folder.join(METRICS_FILE));
        return status("training", step, None, "steps");
    }
    let settings = &config.gate;
    let matches = [
        ("gate-hand-written", settings.pairs),
        ("gate-random", settings.random_pairs),
        ("gate-best", settings.max_pairs),
    ];
    for (name, pairs) in matches {
        let stage = gate_stage(root, generation, name, pairs);
        if stage.total.is_some_and(|total| stage.done < total) {
            return stage;
        }
    }
    status("exam", 0, None, "positions")
}

/// A match of the gate.
fn gate_stage(root: &Path, generation: u32, name: &str, pairs: u32) -> StageStatus {
    let path = RunDirectory::folder(root, generation).join(format!("{name}.games"));
    let ends = lines(&path).filter(|line| line.starts_with("= ")).count() as u64;
    StageStatus {
        generation,
        name: name.to_owned(),
        done: ends / 2,
        total: Some(u64::from(pairs)),
        unit: "pairs".to_owned(),
    }
}

/// The whole shards of a folder.
fn count_shards(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let shards = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("shard-") && name.ends_with(".bin")
    });
    shards.count() as u64
}

/// The step that the last whole line of the metrics tells of.
fn last_step(path: &Path) -> u64 {
    let steps = lines(path).filter_map(|line| serde_json::from_str::<MetricsLine>(&line).ok());
    steps.last().map_or(0, |line| line.step())
}

/// The lines of a file; none if it cannot be read.
fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).into_iter();
    file.flat_map(|file| BufReader::new(file).lines().map_while(Result::ok))
}
