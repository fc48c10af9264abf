//! Files that a run makes again if they are missing: shards, networks and the state.
//!
//! The functions here call each other: a network is trained on shards, whose games are played by an earlier
//! network. The recursion ends because generations fall. Everything that is made with a state needs only
//! networks of the finished generations of that state, and [`Run::retrain`] makes the network of
//! generation n with the state after generation n − 1.

use std::fs;
use std::path::Path;

use super::{MAKE_AGAIN, Run};
use crate::arena::MismatchPolicy;
use crate::files::FileError;
use crate::kit::{Kit, PlayerFactory, SearchSetup};
use crate::mismatch::first_mismatch;
use crate::network::Network;
use crate::pipeline::config::{Bootstrap, ContinueFrom};
use crate::pipeline::error::RunError;
use crate::pipeline::gate::Candidate;
use crate::pipeline::start::{first_network, training_window};
use crate::pipeline::state::{RunState, load_json, save_json};
use crate::record::{GateMatch, GenerationRecord, TrainingRecord};
use crate::selfplay::{GameSettings, Opening, Produced, SelfplayError, SelfplayJob};
use crate::shard::Manifest;
use crate::statistics::PairScore;
use crate::training::{ReplayBuffer, Trained, TrainingJob, train};

/// Remedy for a file that was replaced by another and cannot be made again here.
const RESTORE: &str = "restore it from a copy, or start again in another directory";

impl<G: Kit> Run<'_, G> {
    /// Returns the network of a generation, and makes it again if it is missing. Generation 0 has the
    /// network with which the run began.
    pub(super) fn ensure_network(&self, generation: u32) -> Result<Network, RunError> {
        let path = self.paths().generation(generation).network();
        let expected = self.recorded_network(generation)?;
        if !is_there(&path)? {
            self.directory.create_generation(generation)?;
            match generation {
                0 => first_network(self.config, &self.encoder)?.save(&path)?,
                _ => self.retrain(generation, &path, expected.as_deref())?,
            }
        }
        let network = Network::load_for(&path, G::NAME, &self.encoder.id)?;
        if expected.is_some_and(|digest| digest != network.digest()) {
            return Err(RunError::Damaged {
                path,
                reason: "it is not the network that the records name".to_owned(),
                remedy: RESTORE,
            });
        }
        Ok(network)
    }

    /// Returns the best network, and makes it again if it is missing.
    pub(super) fn ensure_best_network(&self, state: &RunState) -> Result<Network, RunError> {
        let network = self.ensure_network(state.best.generation)?;
        if network.digest() != state.best.digest {
            return Err(RunError::Damaged {
                path: self.paths().generation(state.best.generation).network(),
                reason: "it is not the network that state.json names".to_owned(),
                remedy: RESTORE,
            });
        }
        Ok(network)
    }

    /// Reads the digest of a generation's network from the records, if they contain it.
    fn recorded_network(&self, generation: u32) -> Result<Option<String>, RunError> {
        let record = self.paths().generation(generation.max(1)).record();
        let record: Option<GenerationRecord> = load_json(&record, MAKE_AGAIN)?;
        Ok(record.map(|record| match generation {
            0 => record.gate.best,
            _ => record.gate.candidate,
        }))
    }

    /// Trains the network of a finished generation again, and writes it to `path` if it is the same.
    fn retrain(
        &self,
        generation: u32,
        path: &Path,
        expected: Option<&str>,
    ) -> Result<(), RunError> {
        self.context.reporter.say(format!(
            "The network of generation {generation} is missing; training it again."
        ));
        let folder = self.paths().generation(generation).retraining();
        fs::create_dir_all(&folder).map_err(FileError::io("create", &folder))?;
        let state = self.rebuild_state(&self.records_before(generation)?)?;
        assert!(
            state.next_generation() <= generation,
            "a network depends only on earlier generations"
        );
        let (network, _) = self.train(&folder, &state)?;
        let same = expected.is_none_or(|digest| digest == network.digest());
        if same {
            network.save(path)?;
        }
        fs::remove_dir_all(&folder).map_err(FileError::io("remove", &folder))?;
        if same {
            return Ok(());
        }
        Err(RunError::Damaged {
            path: path.to_owned(),
            reason:
                "it is missing, and training it again gave another network, as happens on another \
                     kind of processor or device"
                    .to_owned(),
            remedy: RESTORE,
        })
    }

    /// Trains the network of the generation after the finished ones in a folder; makes missing shards and
    /// networks first.
    pub(super) fn train(
        &self,
        folder: &Path,
        state: &RunState,
    ) -> Result<(Network, TrainingRecord), RunError> {
        let generation = state.next_generation();
        let from = match self.config.continue_from {
            ContinueFrom::Candidate => state.finished,
            ContinueFrom::Best => state.best.generation,
        };
        let mut manifests = Vec::new();
        for generation in training_window(self.config, generation) {
            self.ensure_shards(generation, state)?;
            manifests.push(self.paths().generation(generation).manifest());
        }
        let window = ReplayBuffer::<G>::of_manifests(&manifests)?;
        let job = TrainingJob {
            settings: &self.config.training,
            start: &self.ensure_network(from)?,
            features: self.encoder.clone(),
            window: &window,
            generation,
            seed: self.config.seed,
            device: self.device,
            folder,
            context: self.context,
        };
        match train(&job)? {
            Trained::Interrupted { .. } => Err(RunError::Interrupted),
            Trained::Complete { candidate, record } => Ok((candidate, record)),
        }
    }

    /// Returns the manifest of a generation up to the one after the finished ones, and plays the games of
    /// missing shards first.
    pub(super) fn ensure_shards(
        &self,
        generation: u32,
        state: &RunState,
    ) -> Result<Manifest, RunError> {
        let paths = self.paths().generation(generation);
        if is_there(&paths.manifest())? {
            let manifest = self.load_manifest(generation, state)?;
            if manifest.is_complete(&paths.manifest()) {
                return Ok(manifest);
            }
        }
        let teacher = self.ensure_teacher(generation, state)?;
        self.context.reporter.say(format!(
            "Generation {generation}: {} games by {}",
            self.config.selfplay.games, teacher.name
        ));
        let job = SelfplayJob {
            game: GameSettings {
                settings: self.config.selfplay.clone(),
                opening: Opening::Start(G::start(&self.rules)),
                quiet_limit: self.config.quiet_limit,
                exact: self.tables.source(),
                seed: self.config.seed,
                generation,
            },
            teacher: &teacher,
            config: self.tables.selfplay_digest(self.config),
            folder: &paths.shards(),
        };
        match job.produce(&self.context)? {
            Produced::Complete(manifest) => Ok(*manifest),
            Produced::Interrupted { .. } => Err(RunError::Interrupted),
        }
    }

    /// Reads the manifest of a generation, and refuses one of other games.
    pub(super) fn load_manifest(
        &self,
        generation: u32,
        state: &RunState,
    ) -> Result<Manifest, RunError> {
        let path = self.paths().generation(generation).manifest();
        let manifest = Manifest::load(&path).map_err(SelfplayError::from)?;
        let player = self.recorded_teacher(generation, state)?;
        let mismatch = first_mismatch([
            (manifest.seed != self.config.seed, "the seed"),
            (manifest.generation != generation, "the generation"),
            (
                player.is_some_and(|player| player != manifest.network),
                "the network that plays",
            ),
            (
                manifest.config != self.tables.selfplay_digest(self.config),
                "the configuration",
            ),
            (
                manifest.augment != self.config.selfplay.augment,
                "the augmentation",
            ),
        ]);
        match mismatch {
            None => Ok(manifest),
            Some(what) => Err(SelfplayError::OtherJob { path, what }.into()),
        }
    }

    /// Returns the digest of the network that plays the games of a generation (`Some(None)` for the
    /// hand-written evaluation), or `None` if the records do not contain it.
    fn recorded_teacher(
        &self,
        generation: u32,
        state: &RunState,
    ) -> Result<Option<Option<String>>, RunError> {
        if self.is_bootstrapped(generation) {
            return Ok(Some(None));
        }
        if generation > state.finished {
            return Ok(Some(Some(state.best.digest.clone())));
        }
        let records = self.records()?;
        let record = records.get(generation as usize - 1);
        Ok(record.map(|record| Some(record.gate.best.clone())))
    }

    /// Returns the player of a generation's games: the best network before it, which is made again if it
    /// is missing, or the hand-written evaluation.
    fn ensure_teacher(
        &self,
        generation: u32,
        state: &RunState,
    ) -> Result<PlayerFactory<G>, RunError> {
        let setup = SearchSetup::with_limits(self.config.selfplay.limits());
        if self.is_bootstrapped(generation) {
            return Ok(PlayerFactory::of_evaluation(G::hand_written(), setup, None));
        }
        if generation > state.finished {
            let network = self.ensure_best_network(state)?;
            return self.network_player(&network, state.best.generation, &setup);
        }
        let before = self.records_before(generation)?;
        let promoted = before.iter().rfind(|record| record.gate.promoted);
        let best = promoted.map_or(0, |record| record.generation);
        self.network_player(&self.ensure_network(best)?, best, &setup)
    }

    /// Returns true if the hand-written evaluation plays the games of a generation.
    fn is_bootstrapped(&self, generation: u32) -> bool {
        generation == 1 && self.config.bootstrap == Bootstrap::HandWritten
    }

    fn records_before(&self, generation: u32) -> Result<Vec<GenerationRecord>, RunError> {
        let mut records = self.records()?;
        records.truncate(generation as usize - 1);
        Ok(records)
    }

    /// Computes the state after the generations with these records; makes missing networks again and
    /// plays missing games of matches against the hand-written evaluation.
    pub(super) fn rebuild_state(&self, records: &[GenerationRecord]) -> Result<RunState, RunError> {
        let first = self.ensure_network(0)?;
        let mut state = RunState::new(
            self.config.digest(),
            self.tables.digest(),
            first.digest(),
            self.ensure_pair_scores(&first, 0, records.first())?,
        );
        let start_score = self.paths().generation(0).start_score();
        save_json(&start_score, &state.high_water.score())?;
        for (generation, record) in (1..).zip(records) {
            let tables = record.exam.as_ref().map(|exam| exam.tables.clone());
            let root = self.paths().root();
            self.tables.check_unchanged(&tables, root)?;
            if record.generation != generation || record.gate.best != state.best.digest {
                return Err(RunError::Damaged {
                    path: self.paths().generation(generation).record(),
                    reason: "it contradicts the records before it".to_owned(),
                    remedy: MAKE_AGAIN,
                });
            }
            let (mut promoted, mut pairs) = (None, Vec::new());
            if record.gate.promoted {
                let network = self.ensure_network(generation)?;
                pairs = self.ensure_pair_scores(&network, generation, Some(record))?;
                promoted = Some(network.digest());
            }
            state.conclude(generation, promoted, pairs);
        }
        Ok(state)
    }

    /// Returns the pair scores of a network against the hand-written evaluation, and plays missing games
    /// first. They must agree with `record` if that is the record of the network's generation.
    fn ensure_pair_scores(
        &self,
        network: &Network,
        generation: u32,
        record: Option<&GenerationRecord>,
    ) -> Result<Vec<PairScore>, RunError> {
        let paths = self.paths().generation(generation);
        let candidate = Candidate {
            player: &self.gate_player(network, generation)?,
            paths: &paths,
        };
        // Games that a record counts are not truncated.
        let policy = record.map_or(MismatchPolicy::CutOff, |_| MismatchPolicy::Refuse);
        let (score, _) = self.gate.against_hand_written(&candidate, policy)?;
        let own = record.filter(|record| record.generation == generation);
        if own.is_some_and(|own| own.gate.hand_written.pairs != *score.pentanomial()) {
            return Err(RunError::Damaged {
                path: paths.games(GateMatch::HandWritten),
                reason: "its results differ from record.json".to_owned(),
                remedy: MAKE_AGAIN,
            });
        }
        Ok(score.pair_scores())
    }
}

/// Returns true if the file exists; failing to look at it is an error.
pub(super) fn is_there(path: &Path) -> Result<bool, RunError> {
    Ok(path.try_exists().map_err(FileError::io("read", path))?)
}
