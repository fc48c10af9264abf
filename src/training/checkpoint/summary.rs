//! The description of a checkpoint, for inspection without its training.

use std::path::Path;

use serde::Serialize;

use super::{CheckpointError, FORMAT, MAX_FILE, decode};
use crate::files::sealed::read_limited;
use crate::network::Architecture;

/// The description of an intact checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckpointSummary {
    /// The generation that is being trained.
    pub generation: u32,
    /// Random seed of the training.
    pub seed: u64,
    /// Steps taken.
    pub step: u64,
    /// Epoch, from 0.
    pub pass: u64,
    /// The step with the lowest validation loss so far, and that loss; `None` before the first
    /// validation.
    pub best: Option<(u64, f64)>,
    /// The validation loss before the first step.
    pub loss_before: f64,
    /// The network's architecture.
    pub architecture: Architecture,
    /// Digest of the current network.
    pub network: String,
    /// Digest of the initial network.
    pub start: String,
    /// Digest of the samples.
    pub data: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Size of the optimizer's state in bytes.
    pub optimizer_bytes: u64,
}

/// Checks every byte of a checkpoint and its networks, and returns its description.
///
/// # Errors
/// If it cannot be read, is of another version, or is damaged.
pub fn read_checkpoint(path: &Path) -> Result<CheckpointSummary, CheckpointError> {
    let bytes = read_limited(&FORMAT, path, MAX_FILE)?;
    let (identity, checkpoint) = decode(&bytes, path)?;
    let progress = checkpoint.progress;
    Ok(CheckpointSummary {
        generation: identity.generation,
        seed: identity.seed,
        step: progress.step,
        pass: progress.cursor.pass,
        best: (progress.best).map(|best| (best.step, best.validation.loss)),
        loss_before: progress.before.loss,
        architecture: checkpoint.network.architecture().clone(),
        network: checkpoint.network.digest(),
        start: identity.start,
        data: identity.data,
        bytes: bytes.len() as u64,
        optimizer_bytes: checkpoint.optimizer.len() as u64,
    })
}
