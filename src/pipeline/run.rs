//! The loop: generation after generation of self-play, training and gate.

mod clock;
mod ensure;
mod prune;
mod recovery;
mod stages;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::clock::StageClock;
use self::prune::prune;
use super::config::Config;
use super::directory::RunDirectory;
use super::error::RunError;
use super::gate::Gate;
use super::opponents::Opponents;
use super::report::{report, write_report};
use super::start::first_network;
use super::state::{RunState, load_json, save_json};
use super::table::table;
use super::tables::RunTables;
use crate::arena::MatchSettings;
use crate::kit::{FeatureEncoder, Kit, PlayerFactory, SearchSetup, encoder, network_player};
use crate::network::Network;
use crate::record::{GenerationRecord, RunPaths, SelfplayRecord};
use crate::search::Limits;
use crate::seed;
use crate::statistics::PairScore;
use crate::training::DeviceChoice;
use crate::workers::Context;

/// Purpose of the random numbers of matches; the first network's weights have number 1.
const MATCHES: u64 = 2;

/// Remedy for a file that the run makes again.
const MAKE_AGAIN: &str = "remove it, and the run makes it again";

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// All generations are finished.
    Generations,
    /// Too many candidates in a row were rejected.
    Patience,
    /// The time is used up.
    Budget,
    /// A stop was requested; the run can be resumed.
    Interrupted,
}

/// Reads the records of all finished generations of a run.
///
/// # Errors
/// If one cannot be read.
pub fn records(paths: &RunPaths) -> Result<Vec<GenerationRecord>, RunError> {
    let mut records = Vec::new();
    loop {
        let next = paths.generation(records.len() as u32 + 1);
        match load_json(&next.record(), MAKE_AGAIN)? {
            Some(record) => records.push(record),
            None => return Ok(records),
        }
    }
}

/// Everything that a run needs beside threads.
#[derive(Debug)]
pub struct RunSetup<'a, G: Kit> {
    /// The configuration, which was checked.
    pub config: &'a Config,
    /// The rules of the configuration.
    pub rules: G::Rules,
    /// The directory of the run.
    pub root: &'a Path,
    /// The device that trains.
    pub device: DeviceChoice,
    /// The endgame tables, if the configuration names any.
    pub tables: Option<Arc<G::Tables>>,
}

/// A run in its directory.
pub struct Run<'a, G: Kit> {
    config: &'a Config,
    rules: G::Rules,
    directory: RunDirectory,
    encoder: FeatureEncoder<G>,
    tables: RunTables<G>,
    device: DeviceChoice,
    gate: Gate<'a, G>,
    context: Context<'a>,
}

impl<'a, G: Kit> Run<'a, G> {
    /// Opens a new or an existing run.
    ///
    /// # Errors
    /// If the directory cannot be used or belongs to another run, or the configuration names something
    /// that the game does not have.
    pub fn open(setup: RunSetup<'a, G>, context: Context<'a>) -> Result<Self, RunError> {
        let RunSetup {
            config,
            rules,
            root,
            device,
            tables,
        } = setup;
        let opponents = Opponents::new(config, &rules)?;
        let encoder = encoder::<G>(&config.network.features)?;
        if !RunPaths::new(root).config().exists() {
            // An impossible network is refused before the directory is bound to the configuration.
            first_network(config, &encoder)?;
        }
        let directory = RunDirectory::open(root, config)?;
        let gate = Gate {
            settings: &config.gate,
            opponents,
            match_settings: MatchSettings {
                quiet_limit: config.quiet_limit,
                seed: seed::derive(&[config.seed, MATCHES]),
            },
            context,
        };
        Ok(Self {
            config,
            rules,
            directory,
            encoder,
            tables: RunTables::new(tables),
            device,
            gate,
            context,
        })
    }

    /// Runs generations until the run ends.
    ///
    /// # Errors
    /// If a step fails. The files written so far are kept, and opening the run again resumes it.
    pub fn go(&mut self) -> Result<RunEnding, RunError> {
        let start = Instant::now();
        let budget = Duration::from_secs(60 * u64::from(self.config.operation.budget_minutes));
        match self.turns(start, budget) {
            Err(RunError::Interrupted) => Ok(RunEnding::Interrupted),
            ended => ended,
        }
    }

    fn turns(&self, start: Instant, budget: Duration) -> Result<RunEnding, RunError> {
        let mut state = self.begin()?;
        loop {
            let operation = &self.config.operation;
            if state.finished >= operation.generations {
                return Ok(RunEnding::Generations);
            }
            if operation.patience > 0 && state.rejected_in_a_row >= operation.patience {
                return Ok(RunEnding::Patience);
            }
            if !budget.is_zero() && start.elapsed() >= budget {
                return Ok(RunEnding::Budget);
            }
            self.turn(&mut state)?;
        }
    }

    /// The paths of the run.
    #[must_use]
    pub fn paths(&self) -> &RunPaths {
        self.directory.paths()
    }

    /// Reads the records of all finished generations.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn records(&self) -> Result<Vec<GenerationRecord>, RunError> {
        records(self.paths())
    }

    /// Formats the table of generations.
    ///
    /// # Errors
    /// If a record cannot be read.
    pub fn table(&self) -> Result<String, RunError> {
        Ok(table::<G>(&self.records()?, self.start_score()?))
    }

    /// Reads the score of the first network against the hand-written evaluation, 0 to 1.
    fn start_score(&self) -> Result<Option<f64>, RunError> {
        load_json(&self.paths().generation(0).start_score(), MAKE_AGAIN)
    }

    /// Runs one generation.
    fn turn(&self, state: &mut RunState) -> Result<(), RunError> {
        let generation = state.next_generation();
        let paths = self.directory.create_generation(generation)?;
        let mut clock = StageClock::new(paths.times());
        let games = || self.ensure_games(state);
        let manifest = clock.time(|times| &mut times.selfplay, games)?;
        let training = || self.ensure_candidate(state);
        let (candidate, training) = clock.time(|times| &mut times.training, training)?;
        let gate = || self.judge(&candidate, state);
        let verdict = clock.time(|times| &mut times.gate, gate)?;
        let best = if verdict.record.promoted {
            self.gate_player(&candidate, generation)?
        } else {
            self.gate_player(&self.ensure_best_network(state)?, state.best.generation)?
        };
        let exam = || self.tables.examine(best, self.config, &self.context);
        let exam = clock.time(|times| &mut times.exam, exam)?;
        let record = GenerationRecord {
            generation,
            selfplay: SelfplayRecord::from(&manifest),
            training,
            gate: verdict.record,
            exam,
        };
        self.conclude(record, &candidate, verdict.pairs, state)
    }

    /// Writes the results of a generation, the state last.
    fn conclude(
        &self,
        record: GenerationRecord,
        candidate: &Network,
        pairs: Vec<PairScore>,
        state: &mut RunState,
    ) -> Result<(), RunError> {
        let (generation, promoted) = (record.generation, record.gate.promoted);
        let paths = self.paths();
        save_json(&paths.generation(generation).record(), &record)?;
        if promoted {
            candidate.save(paths.best())?;
        }
        state.conclude(generation, promoted.then(|| candidate.digest()), pairs);
        state.save(&paths.state())?;
        let keep = self.config.operation.keep_shards;
        if keep > 0 {
            let keep = keep.max(self.config.training.window);
            prune(paths, generation, keep)?;
        }
        self.write_report()?;
        self.context.reporter.say(format!(
            "Generation {generation} {}: it {}.",
            record.gate.verdict(),
            record.gate.reason
        ));
        self.context.reporter.say(self.table()?);
        Ok(())
    }

    /// Writes the report of the run so far; returns its path.
    ///
    /// # Errors
    /// If a record cannot be read or the report cannot be written.
    pub fn write_report(&self) -> Result<PathBuf, RunError> {
        let exact = self.tables.source();
        let known = |position: &G| exact.as_ref()?.resolve(position);
        write_report::<G>(self.paths(), &report(self.paths(), known)?)
    }

    /// A network as the gate plays it.
    fn gate_player(
        &self,
        network: &Network,
        generation: u32,
    ) -> Result<PlayerFactory<G>, RunError> {
        let setup = SearchSetup::with_limits(Limits::nodes(self.config.gate.nodes));
        self.network_player(network, generation, &setup)
    }

    /// The network of a generation as a player.
    fn network_player(
        &self,
        network: &Network,
        generation: u32,
        setup: &SearchSetup,
    ) -> Result<PlayerFactory<G>, RunError> {
        let player = network_player::<G>(network, setup, None);
        let make = player.map_err(|source| RunError::Damaged {
            path: self.paths().generation(generation).network(),
            reason: source.to_string(),
            remedy: "start again in another directory",
        })?;
        let name = format!("generation {generation}");
        Ok(PlayerFactory::new(name, Some(network.digest()), true, make))
    }
}
