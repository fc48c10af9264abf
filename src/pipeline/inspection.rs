//! Checks every file of a run, and that the files agree with each other.

mod generation;
mod shards;

use std::fmt::Display;
use std::path::Path;

use rayon::ThreadPool;
use serde::Serialize;

use super::config::Config;
use super::error::RunError;
use super::state::{RunState, load_json};
use super::status::is_at_work;
use crate::kit::Kit;
use crate::network::Network;
use crate::record::RunPaths;
use crate::reporter::Reporter;

/// Remedy for a file that the run makes again.
const RESTORE: &str =
    "restore it from a copy, or remove what is left of it, and the run makes it again";
/// Remedy for a file that only reports read.
const REPORT_ONLY: &str = "restore it from a copy; the run continues without it";

/// A fault of a file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The path of the file within the run's directory.
    pub file: String,
    /// What is wrong, and where.
    pub reason: String,
    /// The remedy.
    pub remedy: &'static str,
}

/// The contents of a generation's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GenerationInspection {
    /// The number; 0 has the network with which the run began.
    pub generation: u32,
    /// Whether it is finished.
    pub finished: bool,
    /// Whether its network was promoted; `None` while unfinished.
    pub promoted: Option<bool>,
    /// The digest of its network, if there is one.
    pub network: Option<String>,
    /// Complete shards that belong to the run.
    pub shards: u64,
    /// Shards that the run removed because no training needs them any more.
    pub pruned: u64,
    /// Samples of the complete shards, with symmetric copies.
    pub samples: u64,
    /// Games of the gate's matches.
    pub match_games: u64,
    /// The step of the unfinished training, from its checkpoint.
    pub step: Option<u64>,
    /// Number of faults.
    pub faults: u64,
}

/// The contents of a run's directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunInspection {
    /// The game.
    pub game: String,
    /// Whether a process is working on the run, so the newest files may not be checked.
    pub at_work: bool,
    /// Finished generations.
    pub finished: u32,
    /// The generation of the best network; `None` before the first match is finished.
    pub best: Option<u32>,
    /// The generations with a folder, from 0.
    pub generations: Vec<GenerationInspection>,
    /// All faults.
    pub faults: Vec<Fault>,
}

/// Checks every file of the run in a directory: configuration, state, records, networks, games,
/// manifests, and every byte of the shards.
///
/// # Errors
/// If the configuration cannot be read.
pub fn inspect_run<G: Kit>(
    paths: &RunPaths,
    pool: &ThreadPool,
    reporter: &Reporter,
) -> Result<RunInspection, RunError> {
    let config = Config::load(&paths.config())?;
    let mut inspector = Inspector {
        paths,
        config: &config,
        pool,
        faults: Vec::new(),
        networks: Vec::new(),
        best: Some(0),
        finished: 0,
    };
    let state = inspector.state();
    let finished = match &state {
        Some(state) => state.finished,
        None => inspector.finished_by_records(),
    };
    inspector.finished = finished;
    let mut last = finished;
    while paths.generation(last + 1).folder().is_dir() {
        last += 1;
    }
    let mut bar = reporter.bar("inspect", "generations", 0, u64::from(last) + 1);
    let mut generations = Vec::new();
    for generation in 0..=last {
        let before = inspector.faults.len();
        let begun = state.is_some() || finished > 0;
        let mut inspection = inspector.generation::<G>(generation, begun);
        inspection.faults = (inspector.faults.len() - before) as u64;
        generations.push(inspection);
        bar.at(u64::from(generation) + 1, String::new);
    }
    bar.finish();
    if let Some(state) = &state {
        inspector.best_network(state);
    }
    Ok(RunInspection {
        game: config.game.clone(),
        at_work: is_at_work(paths)?,
        finished,
        best: state.map(|state| state.best.generation),
        generations,
        faults: inspector.faults,
    })
}

/// A running inspection.
struct Inspector<'a> {
    paths: &'a RunPaths,
    config: &'a Config,
    pool: &'a ThreadPool,
    faults: Vec<Fault>,
    /// The digests of the generations' networks, if they exist.
    networks: Vec<Option<String>>,
    /// The generation of the best network so far according to the records; `None` if one is missing.
    best: Option<u32>,
    finished: u32,
}

impl Inspector<'_> {
    fn fault(&mut self, path: &Path, reason: impl Display, remedy: &'static str) {
        let file = path.strip_prefix(self.paths.root()).unwrap_or(path);
        self.faults.push(Fault {
            file: file.display().to_string(),
            reason: reason.to_string().replace('\n', " "),
            remedy,
        });
    }

    /// The generation and the digest of the best network so far, if both are known.
    fn best_so_far(&self) -> Option<(u32, String)> {
        let best = self.best?;
        let digest = self.networks.get(best as usize)?.clone()?;
        Some((best, digest))
    }

    /// Reads the state, if there is a valid one.
    fn state(&mut self) -> Option<RunState> {
        let path = self.paths.state();
        match RunState::load(&path) {
            Ok(state) => {
                let differs = |state: &&RunState| state.config != self.config.digest();
                if state.as_ref().filter(differs).is_some() {
                    let reason = "it belongs to a run with another configuration than config.toml";
                    self.fault(&path, reason, RESTORE);
                }
                state
            }
            Err(error) => {
                self.fault(&path, error, RESTORE);
                None
            }
        }
    }

    /// Counts the generations with records in a run without a valid state.
    fn finished_by_records(&mut self) -> u32 {
        let mut finished = 0;
        while self.paths.generation(finished + 1).record().exists() {
            finished += 1;
        }
        let path = self.paths.state();
        if finished > 0 && !path.exists() {
            self.fault(&path, "it is missing", RESTORE);
        }
        finished
    }

    /// Reads a JSON file that should exist.
    fn json<T: serde::de::DeserializeOwned>(
        &mut self,
        path: &Path,
        remedy: &'static str,
    ) -> Option<T> {
        match load_json(path, remedy) {
            Ok(Some(value)) => Some(value),
            Ok(None) => {
                self.fault(path, "it is missing", remedy);
                None
            }
            Err(RunError::Damaged { reason, .. }) => {
                self.fault(path, reason, remedy);
                None
            }
            Err(error) => {
                self.fault(path, error, remedy);
                None
            }
        }
    }

    /// Reads the network of a generation, if there is a valid one.
    fn network(&mut self, generation: u32, finished: bool) -> Option<Network> {
        let path = self.paths.generation(generation).network();
        if !path.exists() {
            if finished {
                self.fault(&path, "it is missing", RESTORE);
            }
            return None;
        }
        match Network::load(&path) {
            Ok(network) => {
                let found = network.metadata().generation;
                if generation > 0 && found != generation {
                    let reason = format!("it is the network of generation {found}");
                    self.fault(&path, reason, RESTORE);
                }
                Some(network)
            }
            Err(error) => {
                self.fault(&path, error, RESTORE);
                None
            }
        }
    }

    /// Checks the copy of the best network, and the network that the state names.
    fn best_network(&mut self, state: &RunState) {
        let of = |generation: u32| self.networks.get(generation as usize).cloned().flatten();
        let (named, next) = (of(state.best.generation), of(state.finished + 1));
        if named.is_some_and(|digest| digest != state.best.digest) {
            let path = self.paths.generation(state.best.generation).network();
            let reason = "it is not the best network that state.json names";
            self.fault(&path, reason, RESTORE);
        }
        let path = self.paths.best();
        let remedy = "the run copies it again when it resumes";
        match Network::load(&path) {
            Err(error) => self.fault(&path, error, remedy),
            Ok(best) => {
                // A run that was killed while it promoted a network writes state.json again.
                let digest = best.digest();
                if digest != state.best.digest && next.as_ref() != Some(&digest) {
                    let reason = "it is not the best network that state.json names";
                    self.fault(&path, reason, remedy);
                }
            }
        }
    }
}
