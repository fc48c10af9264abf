//! The loop itself.

mod clock;
mod prune;
mod recovery;
mod stages;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use self::clock::StageClock;
use self::prune::prune;
use super::config::Config;
use super::directory::RunDirectory;
use super::error::RunError;
use super::gate::Gate;
use super::report::{report, write_report};
use super::start::{encoder, first_network};
use super::state::{State, load_json, save_json};
use super::table::table;
use super::tables::RunTables;
use crate::arena::{Book, MatchSettings};
use crate::interrupt::Interrupt;
use crate::kit::{Arithmetic, FeatureEncoder, Kit, PlayerFactory, SearchSetup, network_player};
use crate::network::Network;
use crate::record::{GenerationRecord, SelfplayRecord};
use crate::reporter::Reporter;
use crate::search::Limits;
use crate::seed;
use crate::statistics::PairScore;
use crate::training::DeviceChoice;
use crate::workers::Context;

/// What streams of random numbers are derived for: matches. Weights are 1.
const MATCHES: u64 = 2;

/// A file that can be made again.
const MAKE_AGAIN: &str = "remove it, and the run makes it again";

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All generations are done.
    Generations,
    /// Too many candidates in a row were rejected.
    Patience,
    /// The time is used up.
    Budget,
    /// A stop was requested; the run can be continued.
    Interrupted,
}

/// The records of all finished generations of the run in a directory.
///
/// # Errors
/// If one cannot be read.
pub fn records(root: &Path) -> Result<Vec<GenerationRecord>, RunError> {
    let mut records = Vec::new();
    loop {
        let folder = RunDirectory::folder(root, records.len() as u32 + 1);
        match load_json(&folder.join("record.json"), MAKE_AGAIN)? {
            Some(record) => records.push(record),
            None => return Ok(records),
        }
    }
}

/// A run of the loop in its directory.
pub struct Run<'a, G: Kit> {
    config: &'a Config,
    rules: G::Rules,
    directory: RunDirectory,
    encoder: FeatureEncoder<G>,
    tables: RunTables<G>,
    device: DeviceChoice,
    gate: Gate<'a, G>,
    pool: &'a ThreadPool,
    interrupt: &'a Interrupt,
    talk: &'a Reporter,
}

impl<'a, G: Kit> Run<'a, G> {
    /// Opens a run, new or begun before.
    ///
    /// `rules` are the configuration's, `book` is the gate's, `hand_written` the player that candidates are measured by, `random`
    /// the one that shows where they began.
    ///
    /// # Errors
    /// If the directory cannot be used or holds another run, or the configuration asks for what
    /// the game does not have.
    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own")]
    pub fn open(
        config: &'a Config,
        rules: G::Rules,
        root: &Path,
        device: DeviceChoice,
        tables: Option<Arc<G::Tables>>,
        book: Book<G>,
        hand_written: PlayerFactory<G>,
        random: PlayerFactory<G>,
        pool: &'a ThreadPool,
        interrupt: &'a Interrupt,
        talk: &'a Reporter,
    ) -> Result<Self, RunError> {
        let encoder = encoder::<G>(&config.network.features)?;
        if !RunDirectory::config_path(root).exists() {
            // A network that cannot be is refused before a directory is bound to it.
            first_network(config, &encoder)?;
        }
        let directory = RunDirectory::open(root, config)?;
        let referee = MatchSettings {
            quiet_limit: config.quiet_limit,
            seed: seed::derive(&[config.seed, MATCHES]),
        };
        let gate = Gate {
            settings: &config.gate,
            book,
            hand_written,
            random,
            referee,
            crew: Context {
                pool,
                interrupt,
                talk,
            },
        };
        Ok(Self {
            config,
            rules,
            directory,
            encoder,
            tables: RunTables::new(tables),
            device,
            gate,
            pool,
            interrupt,
            talk,
        })
    }

    /// Turns the loop until an end is reached.
    ///
    /// # Errors
    /// If a step fails; what is written stays, and opening the run again continues it.
    pub fn go(&mut self) -> Result<Ending, RunError> {
        let start = Instant::now();
        let budget = Duration::from_secs(60 * u64::from(self.config.operation.budget_minutes));
        match self.turns(start, budget) {
            Err(RunError::Interrupted) => Ok(Ending::Interrupted),
            ended => ended,
        }
    }

    fn turns(&self, start: Instant, budget: Duration) -> Result<Ending, RunError> {
        let mut state = self.begin()?;
        loop {
            let operation = &self.config.operation;
            if state.finished >= operation.generations {
                return Ok(Ending::Generations);
            }
            if operation.patience > 0 && state.rejected_in_a_row >= operation.patience {
                return Ok(Ending::Patience);
            }
            if !budget.is_zero() && start.elapsed() >= budget {
                return Ok(Ending::Budget);
            }
            self.turn(&mut state)?;
        }
    }

    /// Where the best network lies.
    #[must_use]
    pub fn best(&self) -> PathBuf {
        self.directory.best()
    }

    /// The records of all finished generations.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn records(&self) -> Result<Vec<GenerationRecord>, RunError> {
        records(self.directory.root())
    }

    /// The table of generations.
    ///
    /// # Errors
    /// If a record cannot be read.
    pub fn table(&self) -> Result<String, RunError> {
        let start: Option<f64> = load_json(&self.start_score()?, MAKE_AGAIN)?;
        Ok(table::<G>(&self.records()?, start))
    }

    fn start_score(&self) -> Result<PathBuf, RunError> {
        Ok(self.directory.generation(0)?.join("points.json"))
    }

    /// One generation.
    fn turn(&self, state: &mut State) -> Result<(), RunError> {
        let generation = state.finished + 1;
        let mut clock = StageClock::of(&self.directory.generation(generation)?);
        let games = || self.manifest(generation, state);
        let manifest = clock.time(|times| &mut times.selfplay, games)?;
        let training = || self.training(generation, state);
        let (candidate, training) = clock.time(|times| &mut times.training, training)?;
        let gate = || self.gate(generation, &candidate, state);
        let judged = clock.time(|times| &mut times.gate, gate)?;
        let best = if judged.record.promoted {
            self.player_factory(&candidate, generation)?
        } else {
            self.player_factory(&self.best_network(state)?, state.best.generation)?
        };
        let crew = Context {
            pool: self.pool,
            interrupt: self.interrupt,
            talk: self.talk,
        };
        let exam = || self.tables.examine(best, self.config, &crew);
        let exam = clock.time(|times| &mut times.exam, exam)?;
        let record = GenerationRecord {
            generation,
            selfplay: SelfplayRecord::from(&manifest),
            training,
            gate: judged.record,
            exam,
        };
        self.conclude(record, &candidate, judged.pairs, state)
    }

    /// Writes what a generation came to, the state last.
    fn conclude(
        &self,
        record: GenerationRecord,
        candidate: &Network,
        pairs: Vec<PairScore>,
        state: &mut State,
    ) -> Result<(), RunError> {
        let (generation, promoted) = (record.generation, record.gate.promoted);
        let path = self.directory.generation(generation)?.join("record.json");
        save_json(&path, &record)?;
        if promoted {
            candidate.save(self.directory.best())?;
        }
        state.conclude(generation, promoted.then(|| candidate.digest()), pairs);
        state.save(&self.directory.state())?;
        let keep = self.config.operation.keep_shards;
        if keep > 0 {
            let keep = keep.max(self.config.training.window);
            prune(self.directory.root(), generation, keep)?;
        }
        self.write_report()?;
        let verdict = if promoted { "promoted" } else { "rejected" };
        self.talk.say(format!(
            "Generation {generation} {verdict}: it {}.",
            record.gate.reason
        ));
        self.talk.say(self.table()?);
        Ok(())
    }

    /// Writes the report of the run as it stands; returns where.
    ///
    /// # Errors
    /// If a record cannot be read, or the report cannot be written.
    pub fn write_report(&self) -> Result<PathBuf, RunError> {
        let root = self.directory.root();
        let exact = self.tables.source();
        let known = |position: &G| exact.as_ref()?.resolve(position);
        write_report::<G>(root, &report(root, known)?)
    }

    /// A network as the gate plays it.
    fn player_factory(
        &self,
        network: &Network,
        generation: u32,
    ) -> Result<PlayerFactory<G>, RunError> {
        let setup = SearchSetup::with_limits(Limits::nodes(self.config.gate.nodes));
        self.network_factory(network, generation, &setup)
    }

    fn network_factory(
        &self,
        network: &Network,
        generation: u32,
        setup: &SearchSetup,
    ) -> Result<PlayerFactory<G>, RunError> {
        let player = network_player::<G>(network, Arithmetic::default(), setup, None);
        let make = player.map_err(|source| RunError::Damaged {
            path: self
                .directory
                .root()
                .join(format!("generations/{generation:03}/candidate.net")),
            reason: source.to_string(),
            remedy: "begin again in another directory",
        })?;
        let name = format!("generation {generation}");
        Ok(PlayerFactory::new(name, Some(network.digest()), true, make))
    }
}
