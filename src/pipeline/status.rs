//! The progress of a run, read from its directory without locking it.

use std::fs::{self, File, TryLockError};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::config::Config;
use super::error::RunError;
use super::state::{RunState, load_json};
use crate::files::FileError;
use crate::record::{
    GateMatch, GenerationPaths, MetricsLine, RunPaths, StageStatus, StageTimes, StatusRecord,
};

/// Number of generations from which the duration of one is estimated.
const RECENT: u32 = 3;

/// Reads the progress of a run; another process may be working on it.
///
/// # Errors
/// If there is no run, or its files cannot be read.
pub fn status(paths: &RunPaths) -> Result<StatusRecord, RunError> {
    let config = Config::load(&paths.config())?;
    let state = RunState::load(&paths.state())?;
    let finished = state.as_ref().map_or(0, |state| state.finished);
    let generations = config.operation.generations;
    let of = |generation: u32| times(&paths.generation(generation));
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
        None => Some(gate_stage(paths, 0, GateMatch::HandWritten, &config)),
        Some(_) => Some(stage(paths, finished + 1, &config)),
    };
    Ok(StatusRecord {
        game: config.game,
        at_work: is_at_work(paths)?,
        finished,
        generations,
        best: state.as_ref().map(|state| state.best.generation),
        points: state.as_ref().map(|state| state.high_water.score()),
        stage,
        times,
        remaining: mean.map(|mean| (mean * f64::from(left) - open).max(0.0)),
    })
}

/// Returns true if a process has locked the run's directory.
pub(super) fn is_at_work(paths: &RunPaths) -> Result<bool, RunError> {
    let path = paths.lock();
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

/// Reads the times of a generation's stages; a missing or unreadable file counts as no time.
fn times(paths: &GenerationPaths) -> StageTimes {
    let times = load_json(&paths.times(), "");
    times.ok().flatten().unwrap_or_default()
}

/// Returns the current stage of an unfinished generation.
fn stage(run: &RunPaths, generation: u32, config: &Config) -> StageStatus {
    let paths = run.generation(generation);
    let status = |name: &str, done, total, unit: &str| StageStatus {
        generation,
        name: name.to_owned(),
        done,
        total,
        unit: unit.to_owned(),
    };
    if !paths.manifest().exists() {
        let games = u64::from(config.selfplay.games);
        let whole = count_shards(&paths.shards()) * u64::from(config.selfplay.games_per_shard);
        return status("self-play", whole.min(games), Some(games), "games");
    }
    if !paths.training_record().exists() {
        let step = last_step(&paths.metrics());
        return status("training", step, None, "steps");
    }
    for gate_match in GateMatch::ALL {
        let stage = gate_stage(run, generation, gate_match, config);
        if stage.total.is_some_and(|total| stage.done < total) {
            return stage;
        }
    }
    status("exam", 0, None, "positions")
}

/// The progress of a match of the gate.
fn gate_stage(
    paths: &RunPaths,
    generation: u32,
    gate_match: GateMatch,
    config: &Config,
) -> StageStatus {
    let path = paths.generation(generation).games(gate_match);
    let ends = lines(&path).filter(|line| line.starts_with("= ")).count() as u64;
    StageStatus {
        generation,
        name: gate_match.name().to_owned(),
        done: ends / 2,
        total: Some(u64::from(config.gate.pairs_of(gate_match))),
        unit: "pairs".to_owned(),
    }
}

/// Counts the complete shards in a folder.
fn count_shards(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let shards = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("shard-") && name.ends_with(".bin")
    });
    shards.count() as u64
}

/// Returns the step of the last complete metrics line.
fn last_step(path: &Path) -> u64 {
    let steps = lines(path).filter_map(|line| serde_json::from_str::<MetricsLine>(&line).ok());
    steps.last().map_or(0, |line| line.step())
}

/// Reads the lines of a file; returns none if it cannot be read.
fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).into_iter();
    file.flat_map(|file| BufReader::new(file).lines().map_while(Result::ok))
}
