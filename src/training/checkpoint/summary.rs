//! What a checkpoint tells to whoever does not know its training.

use std::path::Path;

use serde::Serialize;

use super::{CheckpointError, State, parts, read};
use crate::files::FileError;
use crate::network::{Architecture, Network};

/// A checkpoint that is whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckpointSummary {
    /// The generation that is being trained.
    pub generation: u32,
    /// The seed of the training.
    pub seed: u64,
    /// Steps taken.
    pub step: u64,
    /// The pass through the samples, from 0.
    pub pass: u64,
    /// The step with the least validation loss so far, and that loss; none before the first
    /// validation.
    pub best: Option<(u64, f64)>,
    /// The validation loss before the first step.
    pub loss_before: f64,
    /// The shape of the network.
    pub architecture: Architecture,
    /// The digest that the network would have now.
    pub network: String,
    /// Digest of the network that training began with.
    pub start: String,
    /// Digest of the samples.
    pub data: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes among them of the optimizer's state.
    pub optimizer_bytes: u64,
}

/// Checks every byte of a checkpoint, and its networks, and says what it is.
///
/// # Errors
/// If it cannot be read, is of another version, or is damaged.
pub fn read_checkpoint(path: &Path) -> Result<CheckpointSummary, CheckpointError> {
    let bytes = read(path).map_err(FileError::io("read", path))?;
    let damaged = |reason: String| CheckpointError::Damaged {
        path: path.to_owned(),
        reason,
    };
    let [state, network, best, optimizer] = parts(&bytes, path)?;
    let State { identity, progress } =
        serde_json::from_slice(state).map_err(|error| damaged(error.to_string()))?;
    if progress.best.is_some() == best.is_empty() {
        return Err(damaged("its state does not fit its networks".to_owned()));
    }
    if !best.is_empty() {
        Network::from_bytes(best, path)?;
    }
    let network = Network::from_bytes(network, path)?;
    Ok(CheckpointSummary {
        generation: identity.generation,
        seed: identity.seed,
        step: progress.step,
        pass: progress.cursor.pass,
        best: (progress.best).map(|best| (best.step, best.validation.loss)),
        loss_before: progress.before.loss,
        architecture: network.architecture().clone(),
        network: network.digest(),
        start: identity.start,
        data: identity.data,
        bytes: bytes.len() as u64,
        optimizer_bytes: optimizer.len() as u64,
    })
}
