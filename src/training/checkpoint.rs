//! Checkpoints: everything that a training needs to resume as if it had never stopped.
//!
//! A checkpoint is a sealed file of four parts: the state in JSON, the network, the best network (empty
//! before the first validation) and the optimizer's state.

mod summary;

pub use summary::{CheckpointSummary, read_checkpoint};

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::TrainingSettings;
use super::checkpoint_format::FORMAT;
use super::data_loader::Cursor;
use crate::files::sealed::{read_limited, seal, unseal};
use crate::files::{FileError, write_atomically};
use crate::network::{Architecture, Network, NetworkError};
use crate::record::ValidationRecord;

/// Larger than two networks, the moments of one and the state.
const MAX_FILE: u64 = 256 << 20;

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written, is no checkpoint of this version, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// The checkpoint belongs to another training.
    #[error(
        "the checkpoint {} belongs to another training: {differences} differ; use the same as when it \
         was started, or remove the checkpoint to start this training from the beginning",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The values that differ.
        differences: String,
    },
    /// A network in the checkpoint is invalid.
    #[error("a network in a checkpoint is invalid: {0}")]
    Network(#[from] NetworkError),
}

/// Everything that determines a training: equal identities give equal steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    pub settings: TrainingSettings,
    pub generation: u32,
    pub seed: u64,
    /// Digest of the replay buffer.
    pub data: String,
    /// Digest of the initial network.
    pub start: String,
}

impl Identity {
    /// Returns the names of the values that differ.
    fn differences(&self, other: &Self) -> Vec<String> {
        let settings = self.settings.differences(&other.settings).into_iter();
        let mut differences: Vec<_> = settings.map(|key| format!("the setting {key}")).collect();
        for (what, differs) in [
            ("the generation", self.generation != other.generation),
            ("the seed", self.seed != other.seed),
            ("the samples", self.data != other.data),
            ("the network to start from", self.start != other.start),
        ] {
            if differs {
                differences.push(what.to_owned());
            }
        }
        differences
    }
}

/// The step with the least validation loss so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Best {
    pub step: u64,
    pub validation: ValidationRecord,
}

/// The progress of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// Steps taken.
    pub step: u64,
    pub cursor: Cursor,
    /// Sum of the losses since the last metrics line.
    pub loss_sum: f64,
    /// Number of losses in the sum.
    pub loss_count: u64,
    pub before: ValidationRecord,
    pub best: Option<Best>,
}

/// The state of a training after some step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checkpoint {
    pub progress: Progress,
    pub network: Network,
    /// The network of [`Progress::best`].
    pub best: Option<Network>,
    pub optimizer: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    identity: Identity,
    progress: Progress,
}

impl Checkpoint {
    /// Writes the checkpoint of the training `identity`; replaces an earlier one.
    pub fn save(&self, path: &Path, identity: &Identity) -> Result<(), CheckpointError> {
        let state = State {
            identity: identity.clone(),
            progress: self.progress.clone(),
        };
        let best = self
            .best
            .as_ref()
            .map(Network::to_bytes)
            .unwrap_or_default();
        write_atomically(path, |file| {
            let (state, network) = (serde_json::to_vec(&state)?, self.network.to_bytes());
            file.write_all(&seal(&FORMAT, [&state, &network, &best, &self.optimizer]))
        })
        .map_err(FileError::io("write", path))?;
        Ok(())
    }

    /// Returns the reason if the checkpoint cannot come from a training of `steps` steps of `batch`
    /// samples each on networks of `architecture`.
    pub fn contradiction(
        &self,
        architecture: &Architecture,
        steps: u64,
        batch: u32,
    ) -> Option<String> {
        let progress = &self.progress;
        let step = progress.step;
        if step > steps {
            return Some(format!("it is at step {step} of {steps}"));
        }
        let best = progress.best.as_ref().map(|best| best.step);
        if best.is_some_and(|best| best > step) || best.is_none() && step == steps {
            return Some(format!("it has no best network at step {step}"));
        }
        // Every pass yields at least one sample.
        let taken = step.saturating_mul(batch.into());
        if progress.cursor.pass > taken || progress.loss_count > step {
            return Some(format!("its counts are too large for {step} steps"));
        }
        let mut networks = std::iter::once(&self.network).chain(&self.best);
        let other = networks.any(|network| network.architecture() != architecture);
        other.then(|| "its networks have another architecture".to_owned())
    }

    /// Reads the checkpoint of the training `identity`. Returns `None` if there is no file, or one of an
    /// older version: a training that starts again has the same result.
    pub fn load(path: &Path, identity: &Identity) -> Result<Option<Self>, CheckpointError> {
        let bytes = match read_limited(&FORMAT, path, MAX_FILE) {
            Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            bytes => bytes?,
        };
        let (state, checkpoint) = match decode(&bytes, path) {
            Err(CheckpointError::File(FileError::Version { found, .. }))
                if found < FORMAT.version =>
            {
                return Ok(None);
            }
            decoded => decoded?,
        };
        let differences = state.differences(identity);
        if !differences.is_empty() {
            return Err(CheckpointError::Other {
                path: path.to_owned(),
                differences: differences.join(", "),
            });
        }
        Ok(Some(checkpoint))
    }
}

/// Checks and decodes the content of the checkpoint `path`.
fn decode(bytes: &[u8], path: &Path) -> Result<(Identity, Checkpoint), CheckpointError> {
    let [state, network, best, optimizer] = unseal(&FORMAT, bytes, path)?;
    let State { identity, progress } = serde_json::from_slice(state)
        .map_err(|error| FORMAT.damaged(path, format!("its state cannot be parsed: {error}")))?;
    if progress.best.is_some() == best.is_empty() {
        let reason = "its state and its networks do not match";
        return Err(FORMAT.damaged(path, reason).into());
    }
    let best = (!best.is_empty()).then(|| Network::from_bytes(best, path));
    let checkpoint = Checkpoint {
        progress,
        network: Network::from_bytes(network, path)?,
        best: best.transpose()?,
        optimizer: optimizer.to_vec(),
    };
    Ok((identity, checkpoint))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::files::sealed::SEAL_BYTES;
    use crate::network::{Activation, test_architecture};

    fn validation(loss: f64) -> ValidationRecord {
        ValidationRecord {
            positions: 10,
            loss,
            unseen_positions: Some(0),
            unseen_loss: None,
            decided_positions: 3,
            sign_accuracy: Some(2.0 / 3.0),
            calibration: Vec::new(),
        }
    }

    fn identity() -> Identity {
        Identity {
            settings: TrainingSettings::default(),
            generation: 4,
            seed: 9,
            data: "d".into(),
            start: "s".into(),
        }
    }

    fn network(seed: u64) -> Network {
        Network::random(test_architecture(9, &[4], Activation::CRelu), seed).unwrap()
    }

    fn checkpoint(best: bool) -> Checkpoint {
        Checkpoint {
            progress: Progress {
                step: 12,
                cursor: Cursor {
                    pass: 1,
                    group: 2,
                    offset: 3,
                },
                loss_sum: 1.0 / 3.0,
                loss_count: 2,
                before: validation(0.1 + 0.2),
                best: best.then(|| Best {
                    step: 8,
                    validation: validation(0.7),
                }),
            },
            network: network(1),
            best: best.then(|| network(2)),
            optimizer: vec![1, 2, 3],
        }
    }

    #[test]
    fn what_is_written_is_read_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        assert_eq!(Checkpoint::load(&path, &identity()).unwrap(), None);
        for best in [false, true] {
            let checkpoint = checkpoint(best);
            checkpoint.save(&path, &identity()).unwrap();
            assert_eq!(
                Checkpoint::load(&path, &identity()).unwrap(),
                Some(checkpoint)
            );
        }
    }

    #[test]
    fn every_flipped_byte_and_every_truncation_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        checkpoint(true).save(&path, &identity()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let error = Checkpoint::load(&path, &identity())
                .unwrap_err()
                .to_string();
            assert!(error.contains("checkpoint.bin"), "{error}");
        };
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 0x10;
            refused(&bytes);
            refused(&whole[..index]);
        }
        refused(&[&whole[..], &[0]].concat());
    }

    #[test]
    fn a_checkpoint_fits_its_training_or_says_why_not() {
        let shape = network(1).architecture().clone();
        let fault = |checkpoint: &Checkpoint, steps| checkpoint.contradiction(&shape, steps, 10);
        for best in [false, true] {
            assert_eq!(fault(&checkpoint(best), 20), None);
        }
        assert_eq!(fault(&checkpoint(true), 12), None);
        let at_the_end = fault(&checkpoint(false), 12).unwrap();
        assert!(at_the_end.contains("no best network"), "{at_the_end}");
        let beyond = fault(&checkpoint(true), 11).unwrap();
        assert_eq!(beyond, "it is at step 12 of 11");
        let other = Network::random(test_architecture(9, &[5], Activation::CRelu), 1).unwrap();
        for checkpoint in [
            Checkpoint {
                network: other.clone(),
                ..checkpoint(true)
            },
            Checkpoint {
                best: Some(other),
                ..checkpoint(true)
            },
        ] {
            assert!(
                fault(&checkpoint, 20)
                    .unwrap()
                    .contains("another architecture")
            );
        }
    }

    proptest! {
        #[test]
        fn noise_with_a_right_digest_is_refused_or_is_a_checkpoint(
            at in any::<prop::sample::Index>(),
            noise in prop::collection::vec(any::<u8>(), 1..40),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("checkpoint.bin");
            checkpoint(true).save(&path, &identity()).unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.truncate(bytes.len() - SEAL_BYTES);
            let at = at.index(bytes.len());
            bytes.splice(at..(at + noise.len()).min(bytes.len()), noise);
            bytes.extend(Sha256::digest(&bytes));
            std::fs::write(&path, &bytes).unwrap();
            if let Ok(read) = Checkpoint::load(&path, &identity()) {
                let read = read.unwrap();
                read.save(&path, &identity()).unwrap();
                prop_assert_eq!(Checkpoint::load(&path, &identity()).unwrap(), Some(read));
            }
        }
    }

    #[test]
    fn a_checkpoint_tells_what_it_is_without_its_training() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        for best in [false, true] {
            let checkpoint = checkpoint(best);
            checkpoint.save(&path, &identity()).unwrap();
            let summary = read_checkpoint(&path).unwrap();
            assert_eq!((summary.generation, summary.seed, summary.step), (4, 9, 12));
            assert_eq!(summary.best, best.then_some((8, 0.7)));
            assert_eq!(summary.network, checkpoint.network.digest());
            assert_eq!(summary.architecture, *checkpoint.network.architecture());
            assert_eq!(summary.optimizer_bytes, 3);
        }
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let error = read_checkpoint(&path).unwrap_err();
        assert!(error.to_string().contains("is damaged"), "{error}");
    }

    #[test]
    fn skips_a_checkpoint_of_an_older_version_and_rejects_a_newer_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        checkpoint(true).save(&path, &identity()).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[8] = 1;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(Checkpoint::load(&path, &identity()).unwrap(), None);
        bytes[8] = 3;
        std::fs::write(&path, &bytes).unwrap();
        let error = Checkpoint::load(&path, &identity()).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("format version 3"), "{error}");
        assert!(
            error.ends_with("use a newer version of bagheera"),
            "{error}"
        );
    }

    #[test]
    fn a_checkpoint_of_another_training_is_refused_by_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.bin");
        checkpoint(true).save(&path, &identity()).unwrap();
        let refusal = |change: fn(&mut Identity)| {
            let mut identity = identity();
            change(&mut identity);
            Checkpoint::load(&path, &identity).unwrap_err().to_string()
        };
        let batch = refusal(|identity| identity.settings.batch = 7);
        assert!(
            batch.contains("another training: the setting batch differ"),
            "{batch}"
        );
        let data = refusal(|identity| identity.data = "e".into());
        assert!(data.contains("the samples"), "{data}");
        let both = refusal(|identity| {
            identity.seed = 1;
            identity.start = "t".into();
        });
        assert!(
            both.contains("the seed, the network to start from"),
            "{both}"
        );
        let mut operated = identity();
        operated.settings.checkpoint_every = 3;
        assert!(Checkpoint::load(&path, &operated).unwrap().is_some());
    }
}
