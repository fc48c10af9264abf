//! Errors of a training.

use thiserror::Error;

use super::data_loader::{Cursor, DataLoaderError};
use super::{CheckpointError, ScanError, StepError};
use crate::files::FileError;
use crate::network::{InvalidNetwork, MismatchError, NetworkError, QuantizeError};
use crate::settings::SettingsError;

/// A training that failed.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The initial network is for another game or other features.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The samples could not be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// The data loader failed.
    #[error(transparent)]
    DataLoader(#[from] DataLoaderError),
    /// The held-out games have no samples.
    #[error(
        "none of the {samples} samples of the window belongs to a held-out game; raise the training \
         setting validation, or generate more games"
    )]
    NothingHeldOut {
        /// Samples of the window.
        samples: u64,
    },
    /// The gradient descent could not be set up or read.
    #[error(transparent)]
    GradientDescent(#[from] StepError),
    /// A step failed.
    #[error(
        "step {step} failed on the samples before sample {offset} of group {group} of epoch {pass}: \
         {source}"
    )]
    Step {
        /// The step, from 1.
        step: u64,
        /// The epoch in which its samples end, from 0.
        pass: u64,
        /// The group of that epoch, from 0.
        group: u64,
        /// The number of samples taken from that group.
        offset: u64,
        /// The error.
        source: StepError,
    },
    /// The trained network is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidNetwork),
    /// The trained network cannot be quantised.
    #[error(transparent)]
    Quantize(#[from] QuantizeError),
    /// The candidate could not be written.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The checkpoint could not be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl TrainError {
    /// Returns the failure of the step after `done` steps, on the batch that ends at `cursor`.
    pub(super) fn step(done: u64, cursor: Cursor) -> impl FnOnce(StepError) -> Self {
        move |source| Self::Step {
            step: done + 1,
            pass: cursor.pass,
            group: cursor.group,
            offset: cursor.offset,
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_step_contains_its_samples() {
        let cursor = Cursor {
            pass: 1,
            group: 2,
            offset: 300,
        };
        let error = TrainError::step(41, cursor)(StepError::EmptyBatch).to_string();
        assert!(
            error.starts_with(
                "step 42 failed on the samples before sample 300 of group 2 of epoch 1: "
            ),
            "{error}"
        );
    }
}
