//! The stages of a generation: self-play, training, gate.

use std::path::Path;

use super::recovery::is_there;
use super::{MAKE_AGAIN, Run};
use crate::kit::{Kit, PlayerFactory, SearchSetup};
use crate::network::Network;
use crate::pipeline::config::{Bootstrap, ContinueFrom};
use crate::pipeline::error::RunError;
use crate::pipeline::gate::Judged;
use crate::pipeline::state::{State, load_json, save_json};
use crate::record::TrainingRecord;
use crate::selfplay::{GameSettings, Generation, Opening, Produced, SelfplayError};
use crate::shard::Manifest;
use crate::training::{ReplayBuffer, Trained, TrainingJob, remove_checkpoint, train};

/// The record of a generation's training, which comes after the network.
const TRAINING_RECORD: &str = "training.json";

impl<G: Kit> Run<'_, G> {
    /// The manifest of a generation; its shards need not be there if its network is.
    pub(super) fn manifest(&self, generation: u32, state: &State) -> Result<Manifest, RunError> {
        let folder = self.directory.shards(generation)?;
        let path = Generation::<G>::manifest_path(&folder);
        if self.is_trained(generation)? && is_there(&path)? {
            return self.own_manifest(&path, generation, state);
        }
        self.selfplay(generation, state)
    }

    /// Reads a manifest, and refuses one of other games than the generation's.
    fn own_manifest(
        &self,
        path: &Path,
        generation: u32,
        state: &State,
    ) -> Result<Manifest, RunError> {
        let manifest = Manifest::load(path).map_err(SelfplayError::from)?;
        let player = self.teacher_digest(generation, state)?;
        let differences = [
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
        ];
        let difference = differences.into_iter().find(|(differs, _)| *differs);
        difference.map_or(Ok(manifest), |(_, what)| {
            let path = path.to_owned();
            Err(SelfplayError::OtherJob { path, what }.into())
        })
    }

    /// The digest of the network that plays, or played, the games of a generation; nothing where
    /// the records do not tell.
    fn teacher_digest(
        &self,
        generation: u32,
        state: &State,
    ) -> Result<Option<Option<String>>, RunError> {
        if generation == 1 && self.config.bootstrap == Bootstrap::HandWritten {
            return Ok(Some(None));
        }
        if generation > state.finished {
            return Ok(Some(Some(state.best.digest.clone())));
        }
        let records = self.records()?;
        let told = records.get(generation as usize - 1);
        Ok(told.map(|record| Some(record.gate.best.clone())))
    }

    /// Whether a generation's training left all that comes of it.
    fn is_trained(&self, generation: u32) -> Result<bool, RunError> {
        let record = self.directory.generation(generation)?.join(TRAINING_RECORD);
        Ok(is_there(&record)? && is_there(&self.directory.network(generation)?)?)
    }

    /// The manifest of a generation, up to the one under way, whose shards are all there; those
    /// that are not are made first.
    fn selfplay(&self, generation: u32, state: &State) -> Result<Manifest, RunError> {
        let folder = self.directory.shards(generation)?;
        let path = Generation::<G>::manifest_path(&folder);
        if is_there(&path)? {
            let manifest = self.own_manifest(&path, generation, state)?;
            if manifest.is_complete(&path) {
                return Ok(manifest);
            }
        }
        let teacher = self.teacher(generation, state)?;
        self.talk.say(format!(
            "Generation {generation}: {} games by {}",
            self.config.selfplay.games, teacher.name
        ));
        let job = Generation {
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
            folder: &folder,
        };
        match job.produce(self.pool, self.interrupt, self.talk)? {
            Produced::Complete(manifest) => Ok(*manifest),
            Produced::Interrupted { .. } => Err(RunError::Interrupted),
        }
    }

    /// Who plays, or played, the games of a generation.
    fn teacher(&self, generation: u32, state: &State) -> Result<PlayerFactory<G>, RunError> {
        let setup = SearchSetup::with_limits(self.config.selfplay.limits());
        if generation == 1 && self.config.bootstrap == Bootstrap::HandWritten {
            return Ok(PlayerFactory::of_evaluation(G::hand_written(), setup, None));
        }
        if generation > state.finished {
            let network = self.best_network(state)?;
            return self.network_factory(&network, state.best.generation, &setup);
        }
        let mut before = self.records()?;
        before.truncate(generation as usize - 1);
        let promoted = before.iter().rfind(|record| record.gate.promoted);
        let best = promoted.map_or(0, |record| record.generation);
        self.network_factory(&self.network(best)?, best, &setup)
    }

    pub(super) fn training(
        &self,
        generation: u32,
        state: &State,
    ) -> Result<(Network, TrainingRecord), RunError> {
        let folder = self.directory.generation(generation)?;
        let record_path = folder.join(TRAINING_RECORD);
        if self.is_trained(generation)?
            && let Some(record) = load_json(&record_path, MAKE_AGAIN)?
        {
            remove_checkpoint(&folder)?;
            return Ok((Network::load(self.directory.network(generation)?)?, record));
        }
        let trained = self.train_in(&folder, generation, state)?;
        save_json(&record_path, &trained.1)?;
        remove_checkpoint(&folder)?;
        Ok(trained)
    }

    /// Trains the network of a generation in a folder.
    pub(super) fn train_in(
        &self,
        folder: &Path,
        generation: u32,
        state: &State,
    ) -> Result<(Network, TrainingRecord), RunError> {
        let from = match self.config.continue_from {
            ContinueFrom::Candidate => state.finished,
            ContinueFrom::Best => state.best.generation,
        };
        let first = (generation + 1)
            .saturating_sub(self.config.training.window)
            .max(1);
        let mut manifests = Vec::new();
        for generation in first..=generation {
            self.selfplay(generation, state)?;
            let shards = self.directory.shards(generation)?;
            manifests.push(Generation::<G>::manifest_path(&shards));
        }
        let window = ReplayBuffer::<G>::of_manifests(&manifests)?;
        let job = TrainingJob {
            settings: &self.config.training,
            start: &self.network(from)?,
            features: self.encoder.clone(),
            window: &window,
            generation,
            seed: self.config.seed,
            device: self.device,
            folder,
            pool: self.pool,
        };
        match train(&job, self.interrupt, self.talk)? {
            Trained::Interrupted { .. } => Err(RunError::Interrupted),
            Trained::Complete { candidate, record } => Ok((candidate, record)),
        }
    }

    pub(super) fn gate(
        &self,
        generation: u32,
        candidate: &Network,
        state: &State,
    ) -> Result<Judged, RunError> {
        let folder = self.directory.generation(generation)?;
        let best = self.best_network(state)?;
        let candidate = self.player_factory(candidate, generation)?;
        let best = self.player_factory(&best, state.best.generation)?;
        self.gate
            .judge(&folder, &candidate, &best, &state.high_water)
    }
}
