//! Checkpoints: all that a training needs to go on as if it had never stopped, in one file.
//!
//! All integers are little-endian: the mark (8 bytes), the format version (u32), the lengths in
//! bytes of the four parts (u32 each), the parts, and the SHA-256 of everything before it. The
//! parts are the state in JSON, the network, the best network (empty before the first
//! validation) and the optimizer's state.

mod summary;

pub use summary::{CheckpointSummary, read_checkpoint};

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::TrainingSettings;
use super::data_loader::Cursor;
use super::mark::MAGIC;
use crate::files::{FileError, write_atomically};
use crate::network::{Architecture, Network, NetworkError};
use crate::record::ValidationRecord;

const VERSION: u32 = 1;
const PARTS: usize = 4;
const HEADER: usize = 12 + 4 * PARTS;
const DIGEST: usize = 32;
/// Two networks, the moments of one and the state are not longer.
const MAX_FILE: u64 = 256 << 20;

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Some other file, or one of another version.
    #[error(
        "{} is no checkpoint of this version of the program. Go on with the version that wrote \
         it, or remove it to begin this training anew.",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The content is not what was written.
    #[error(
        "The checkpoint {} is damaged: {reason}. Remove it to begin this training anew.",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A checkpoint of another training.
    #[error(
        "The checkpoint {} belongs to another training: {differences} differ. Go on with what it \
         was begun with, or remove it to begin this training anew.",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs, in words.
        differences: String,
    },
    /// A network within is not as it should be.
    #[error("A network of a checkpoint is damaged. {0}")]
    Network(#[from] NetworkError),
}

/// What a training is made of: with equal ones, equal steps follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    pub settings: TrainingSettings,
    pub generation: u32,
    pub seed: u64,
    /// Digest of the window.
    pub data: String,
    /// Digest of the network that training began with.
    pub start: String,
}

impl Identity {
    /// What differs, in words; nothing if the two trainings are the same.
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

/// How far a training has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// Steps taken.
    pub step: u64,
    pub cursor: Cursor,
    /// Sum of the losses since the last line of metrics.
    pub loss_sum: f64,
    /// Their number.
    pub loss_count: u64,
    pub before: ValidationRecord,
    pub best: Option<Best>,
}

/// A training at some step.
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
    /// Writes the checkpoint of the training `identity`, in place of an earlier one.
    pub fn save(&self, path: &Path, identity: &Identity) -> Result<(), CheckpointError> {
        write_atomically(path, |file| {
            let state = State {
                identity: identity.clone(),
                progress: self.progress.clone(),
            };
            let best = self.best.as_ref().map(Network::to_bytes);
            let parts: [&[u8]; PARTS] = [
                &serde_json::to_vec(&state)?,
                &self.network.to_bytes(),
                &best.unwrap_or_default(),
                &self.optimizer,
            ];
            let mut bytes = MAGIC.to_vec();
            bytes.extend(VERSION.to_le_bytes());
            for part in parts {
                let length = u32::try_from(part.len()).map_err(io::Error::other)?;
                bytes.extend(length.to_le_bytes());
            }
            parts.iter().for_each(|part| bytes.extend_from_slice(part));
            let digest = Sha256::digest(&bytes);
            file.write_all(&bytes)?;
            file.write_all(&digest)
        })
        .map_err(FileError::io("write", path))?;
        Ok(())
    }

    /// What in the checkpoint cannot be of a training of `steps` steps of `batch` samples each, of
    /// networks of this shape, if anything.
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
            return Some(format!("at step {step} it has no best network so far"));
        }
        // Every pass gives a sample.
        let taken = step.saturating_mul(batch.into());
        if progress.cursor.pass > taken || progress.loss_count > step {
            return Some(format!("its counts are beyond what {step} steps make"));
        }
        let mut networks = std::iter::once(&self.network).chain(&self.best);
        let other = networks.any(|network| network.architecture() != architecture);
        other.then(|| "its networks have another shape".to_owned())
    }

    /// Reads the checkpoint of the training `identity`; there is nothing where there is no file.
    pub fn load(path: &Path, identity: &Identity) -> Result<Option<Self>, CheckpointError> {
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(FileError::io("read", path)(source).into());
            }
        };
        let damaged = |reason: &str| CheckpointError::Damaged {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let [state, network, best, optimizer] = parts(&bytes, path)?;
        let state: State =
            serde_json::from_slice(state).map_err(|error| damaged(&error.to_string()))?;
        let differences = state.identity.differences(identity);
        if !differences.is_empty() {
            return Err(CheckpointError::Other {
                path: path.to_owned(),
                differences: differences.join(", "),
            });
        }
        if state.progress.best.is_some() == best.is_empty() {
            return Err(damaged("its state does not fit its networks"));
        }
        let best = match best {
            [] => None,
            best => Some(Network::from_bytes(best, path)?),
        };
        Ok(Some(Self {
            progress: state.progress,
            network: Network::from_bytes(network, path)?,
            best,
            optimizer: optimizer.to_vec(),
        }))
    }
}

/// The bytes of a file, but for what exceeds the longest checkpoint.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The parts of a checkpoint whose digest has been checked.
fn parts<'a>(bytes: &'a [u8], path: &Path) -> Result<[&'a [u8]; PARTS], CheckpointError> {
    let damaged = |reason: String| CheckpointError::Damaged {
        path: path.to_owned(),
        reason,
    };
    if bytes.len() as u64 > MAX_FILE {
        return Err(damaged(format!("it is longer than {MAX_FILE} bytes")));
    }
    let marked =
        bytes.starts_with(&MAGIC) && bytes[MAGIC.len()..].starts_with(&VERSION.to_le_bytes());
    if !marked {
        return Err(CheckpointError::Foreign {
            path: path.to_owned(),
        });
    }
    if bytes.len() < HEADER + DIGEST {
        return Err(damaged("it is cut short".to_owned()));
    }
    let (content, digest) = bytes.split_at(bytes.len() - DIGEST);
    if Sha256::digest(content)[..] != *digest {
        return Err(damaged("its digest does not match".to_owned()));
    }
    let (header, mut rest) = content.split_at(HEADER);
    let mut parts: [&[u8]; PARTS] = [&[]; PARTS];
    for (part, length) in parts.iter_mut().zip(header[12..].chunks_exact(4)) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        (*part, rest) = rest
            .split_at_checked(length as usize)
            .ok_or_else(|| damaged("its parts are longer than it".to_owned()))?;
    }
    if !rest.is_empty() {
        return Err(damaged("its parts are shorter than it".to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
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
            assert!(
                error.contains("checkpoint.bin") && error.contains("remove it")
                    || error.contains("Remove it"),
                "{error}"
            );
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
            assert!(fault(&checkpoint, 20).unwrap().contains("another shape"));
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
            bytes.truncate(bytes.len() - DIGEST);
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
        assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
        bytes[8] = 2;
        std::fs::write(&path, &bytes).unwrap();
        let error = read_checkpoint(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Foreign { .. }), "{error}");
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
