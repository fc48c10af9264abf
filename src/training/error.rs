//! Why a training could not be done.

use thiserror::Error;

use super::data_loader::{Cursor, FeedError};
use super::{CheckpointError, FitError, ScanError};
use crate::files::FileError;
use crate::network::{InvalidNetwork, MismatchError, NetworkError, QuantizeError};
use crate::settings::SettingsError;

/// Why a training could not be done.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The network to start from is for another game or other features.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// The samples could not be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// The stream of samples broke off.
    #[error(transparent)]
    DataLoader(#[from] FeedError),
    /// The games that are held out have no samples.
    #[error(
        "None of the {samples} samples of the window is of a game that is held out; raise the \
         training setting validation, or generate more games."
    )]
    NothingHeldOut {
        /// Samples of the window.
        samples: u64,
    },
    /// The fit could not be set up or read.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A step failed.
    #[error(
        "Step {step} failed, whose samples are those before sample {offset} of group {group} of \
         pass {pass}: {source}"
    )]
    Step {
        /// The step, from 1.
        step: u64,
        /// The pass through the window in which its samples end, from 0.
        pass: u64,
        /// The group of that pass, from 0.
        group: u64,
        /// The samples of that group taken so far.
        offset: u64,
        /// What went wrong.
        source: FitError,
    },
    /// The trained network is impossible.
    #[error(transparent)]
    Invalid(#[from] InvalidNetwork),
    /// The trained network cannot be computed in integers.
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
    /// The failure of the step after `done` steps, on the batch that ends at `cursor`.
    pub(super) fn step(done: u64, cursor: Cursor) -> impl FnOnce(FitError) -> Self {
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
    fn a_failed_step_is_named_with_its_samples() {
        let cursor = Cursor {
            pass: 1,
            group: 2,
            offset: 300,
        };
        let error = TrainError::step(41, cursor)(FitError::EmptyBatch).to_string();
        assert!(
            error.starts_with(
                "Step 42 failed, whose samples are those before sample 300 of group 2 of pass 1: "
            ),
            "{error}"
        );
    }
}
