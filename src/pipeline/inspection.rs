//! Checks every file of a run, and what the files say of one another.

mod generation;
mod shards;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;
use serde::Serialize;

use super::config::Config;
use super::directory::RunDirectory;
use super::error::RunError;
use super::state::{State, load_json};
use super::status::is_at_work;
use crate::kit::Kit;
use crate::network::{BEST_NETWORK, Network};
use crate::reporter::Reporter;

/// What helps against the loss of a file that the run makes again.
const RESTORE: &str =
    "restore it from a copy, or remove what is left of it, and the run makes it again";
/// What helps against the loss of a file that only reports read.
const REPORT_ONLY: &str = "restore it from a copy; the run goes on without it";

/// Something wrong with a file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file, by its path in the run's directory.
    pub file: String,
    /// What is wrong, and where.
    pub reason: String,
    /// What helps.
    pub remedy: &'static str,
}

/// What there is of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GenerationInspection {
    /// Its number; 0 is what the run begins with.
    pub generation: u32,
    /// Whether it is finished.
    pub finished: bool,
    /// Whether its network became the best one; nothing before it is finished.
    pub promoted: Option<bool>,
    /// The digest of its network, if there is one.
    pub network: Option<String>,
    /// Shards that are whole and the right ones.
    pub shards: u64,
    /// Shards that the run has removed since no training needs them any more.
    pub pruned: u64,
    /// Samples of the whole shards, images included.
    pub samples: u64,
    /// Games of the gate's matches.
    pub match_games: u64,
    /// Steps of the training under way, as its checkpoint tells.
    pub step: Option<u64>,
    /// Files with a fault.
    pub faults: u64,
}

/// What there is of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunInspection {
    /// The game.
    pub game: String,
    /// Whether a process is at work on the run, so that what is new may not be looked at.
    pub at_work: bool,
    /// Generations that are finished.
    pub finished: u32,
    /// The generation of the best network; none before the first match is over.
    pub best: Option<u32>,
    /// The generations that there is something of, from 0.
    pub generations: Vec<GenerationInspection>,
    /// All that is wrong.
    pub faults: Vec<Fault>,
}

/// Checks every file of the run in a directory: configuration, state, records, networks, games,
/// manifests, and every byte of the shards.
///
/// # Errors
/// If the configuration, without which nothing can be judged, cannot be read.
pub fn inspect_run<G: Kit>(
    root: &Path,
    pool: &ThreadPool,
    talk: &Reporter,
) -> Result<RunInspection, RunError> {
    let config = Config::load(&RunDirectory::config_path(root))?;
    let mut inspector = Inspector {
        root,
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
    while RunDirectory::folder(root, last + 1).is_dir() {
        last += 1;
    }
    let mut bar = talk.bar("inspect", "generations", 0, u64::from(last) + 1);
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
        at_work: is_at_work(root)?,
        finished,
        best: state.map(|state| state.best.generation),
        generations,
        faults: inspector.faults,
    })
}

/// An inspection under way.
struct Inspector<'a> {
    root: &'a Path,
    config: &'a Config,
    pool: &'a ThreadPool,
    faults: Vec<Fault>,
    /// The digests of the generations' networks, nothing where there is none.
    networks: Vec<Option<String>>,
    /// The generation of the best network so far, as the records tell; nothing where one is missing.
    best: Option<u32>,
    finished: u32,
}

impl Inspector<'_> {
    fn fault(&mut self, path: &Path, reason: impl Display, remedy: &'static str) {
        let file = path.strip_prefix(self.root).unwrap_or(path);
        self.faults.push(Fault {
            file: file.display().to_string(),
            reason: reason.to_string().replace('\n', " "),
            remedy,
        });
    }

    /// The generation and the digest of the best network so far, where both are known.
    fn best_so_far(&self) -> Option<(u32, String)> {
        let best = self.best?;
        let digest = self.networks.get(best as usize)?.clone()?;
        Some((best, digest))
    }

    fn folder(&self, generation: u32) -> PathBuf {
        RunDirectory::folder(self.root, generation)
    }

    /// The state, if there is a readable one of this run.
    fn state(&mut self) -> Option<State> {
        let path = RunDirectory::state_path(self.root);
        match State::load(&path) {
            Ok(state) => {
                let differs = |state: &&State| state.config != self.config.digest();
                if state.as_ref().filter(differs).is_some() {
                    let reason = "it is of a run with another configuration than config.toml";
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

    /// The generations that have records, of a run without a state, which only one without has.
    fn finished_by_records(&mut self) -> u32 {
        let mut finished = 0;
        while self.folder(finished + 1).join("record.json").exists() {
            finished += 1;
        }
        let path = RunDirectory::state_path(self.root);
        if finished > 0 && !path.exists() {
            self.fault(&path, "it is gone", RESTORE);
        }
        finished
    }

    /// A JSON file that should be there.
    fn json<T: serde::de::DeserializeOwned>(
        &mut self,
        path: &Path,
        remedy: &'static str,
    ) -> Option<T> {
        match load_json(path, remedy) {
            Ok(Some(value)) => Some(value),
            Ok(None) => {
                self.fault(path, "it is gone", remedy);
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

    /// The network of a generation, if there is a whole one.
    fn network(&mut self, generation: u32, finished: bool) -> Option<Network> {
        let path = self.folder(generation).join("candidate.net");
        if !path.exists() {
            if finished {
                self.fault(&path, "it is gone", RESTORE);
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

    /// The best network, beside the generations and among them.
    fn best_network(&mut self, state: &State) {
        let of = |generation: u32| self.networks.get(generation as usize).cloned().flatten();
        let (named, next) = (of(state.best.generation), of(state.finished + 1));
        if named.is_some_and(|digest| digest != state.best.digest) {
            let path = self.folder(state.best.generation).join("candidate.net");
            let reason = "it is another network than the best one that state.json names";
            self.fault(&path, reason, RESTORE);
        }
        let path = self.root.join(BEST_NETWORK);
        let remedy = "the run copies it again when it goes on";
        match Network::load(&path) {
            Err(error) => self.fault(&path, error, remedy),
            Ok(best) => {
                // A run that was killed as it promoted a network writes state.json again.
                let digest = best.digest();
                if digest != state.best.digest && next.as_ref() != Some(&digest) {
                    let reason = "it is another network than the best one that state.json names";
                    self.fault(&path, reason, remedy);
                }
            }
        }
    }
}
