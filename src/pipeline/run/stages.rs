//! The stages of the generation after the finished ones: self-play, training, gate.
//!
//! A stage that an earlier process completed is not done again.

use super::ensure::is_there;
use super::{MAKE_AGAIN, Run};
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::error::RunError;
use crate::pipeline::gate::{Candidate, GateVerdict};
use crate::pipeline::state::{RunState, load_json, save_json};
use crate::record::{GenerationPaths, TrainingRecord};
use crate::shard::Manifest;
use crate::training::remove_checkpoint;

impl<G: Kit> Run<'_, G> {
    /// Returns the manifest of the generation, and plays its games first if they are missing. Once the
    /// network is trained, its shards may be missing.
    pub(super) fn ensure_games(&self, state: &RunState) -> Result<Manifest, RunError> {
        let generation = state.next_generation();
        let paths = self.paths().generation(generation);
        if is_trained(&paths)? && is_there(&paths.manifest())? {
            return self.load_manifest(generation, state);
        }
        self.ensure_shards(generation, state)
    }

    /// Returns the network of the generation, and trains it first if it is missing.
    pub(super) fn ensure_candidate(
        &self,
        state: &RunState,
    ) -> Result<(Network, TrainingRecord), RunError> {
        let paths = self.paths().generation(state.next_generation());
        let record_path = paths.training_record();
        if is_trained(&paths)?
            && let Some(record) = load_json(&record_path, MAKE_AGAIN)?
        {
            remove_checkpoint(paths.folder())?;
            return Ok((Network::load(paths.network())?, record));
        }
        let trained = self.train(paths.folder(), state)?;
        save_json(&record_path, &trained.1)?;
        remove_checkpoint(paths.folder())?;
        Ok(trained)
    }

    /// Plays the matches of the gate and decides on the candidate.
    pub(super) fn judge(
        &self,
        candidate: &Network,
        state: &RunState,
    ) -> Result<GateVerdict, RunError> {
        let generation = state.next_generation();
        let best = self.ensure_best_network(state)?;
        let best = self.gate_player(&best, state.best.generation)?;
        let candidate = Candidate {
            player: &self.gate_player(candidate, generation)?,
            paths: &self.paths().generation(generation),
        };
        self.gate.judge(&candidate, &best, &state.high_water)
    }
}

/// Returns true if the training of a generation has written all its files.
fn is_trained(paths: &GenerationPaths) -> Result<bool, RunError> {
    Ok(is_there(&paths.training_record())? && is_there(&paths.network())?)
}
