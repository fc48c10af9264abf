//! Network files: a description in JSON, the weights, and a digest over both.
//!
//! All integers are little-endian: the magic (8 bytes), the format version (u32), the lengths in bytes
//! of the description and of the weights (u32 each), a CRC-32 of these 20 bytes, the description, the
//! weights as f32, and the SHA-256 of everything before it.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::{InvalidNetwork, NetworkError};
use super::{Architecture, ArchitectureError, FeatureId, MismatchError, Weights};
use crate::files::{FileError, write_atomically};

const MAGIC: [u8; 8] = *b"BagheerN";
pub(super) const VERSION: u32 = 1;
const HEADER: usize = 24;
const DIGEST: usize = 32;
/// Larger than any useful network, and small enough to read into memory.
pub(super) const MAX_FILE: u64 = 64 << 20;

/// Largest length of a description, which takes many times its length when decoded.
pub(super) const MAX_DESCRIPTION: usize = 1 << 20;

/// Returns true if a file that begins with `bytes` is a network file of any version.
#[must_use]
pub fn is_network(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The description in a network file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// Game, features and layers.
    pub architecture: Architecture,
    /// Generation that trained it; 0 is untrained.
    pub generation: u32,
    /// Random seed of its training, or of its initial weights.
    pub seed: u64,
    /// Settings of its training; null if untrained.
    pub training: serde_json::Value,
    /// Digest of its training samples, if any.
    pub data_digest: Option<String>,
}

/// A valid network: its weights fit its architecture and are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    metadata: Metadata,
    weights: Weights,
}

impl Network {
    /// Joins a description and weights; checks the architecture's bounds and the weights' shapes and
    /// values.
    pub fn new(metadata: Metadata, weights: Weights) -> Result<Self, InvalidNetwork> {
        metadata.architecture.check()?;
        weights.check(&metadata.architecture)?;
        Ok(Self { metadata, weights })
    }

    /// Returns the untrained network of generation 0 with the weights drawn by `seed`, the same on every
    /// machine.
    pub fn random(architecture: Architecture, seed: u64) -> Result<Self, ArchitectureError> {
        architecture.check()?;
        let weights = Weights::random(&architecture, seed);
        let metadata = Metadata {
            architecture,
            generation: 0,
            seed,
            training: serde_json::Value::Null,
            data_digest: None,
        };
        Ok(Self { metadata, weights })
    }

    /// Returns its description.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns its game, features and layers.
    pub fn architecture(&self) -> &Architecture {
        &self.metadata.architecture
    }

    /// Returns its weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Checks that it plays `game` with `features`.
    pub fn expect(&self, game: &str, features: &FeatureId) -> Result<(), MismatchError> {
        self.architecture().expect(game, features)
    }

    /// Returns the network's identity: the SHA-256 of its file without the digest at the end, in 64
    /// hexadecimal digits.
    pub fn digest(&self) -> String {
        let bytes = self.to_bytes();
        hex::encode(&bytes[bytes.len() - DIGEST..])
    }

    /// Writes the file atomically: under a temporary name, synced, then renamed to `path`.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), NetworkError> {
        let path = path.as_ref();
        write_atomically(path, |file| file.write_all(&self.to_bytes()))
            .map_err(FileError::io("write", path))?;
        Ok(())
    }

    /// Reads and checks a network file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let bytes = read(path)?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads and checks the file of a network that plays `game` with `features`.
    pub fn load_for(
        path: impl AsRef<Path>,
        game: &str,
        features: &FeatureId,
    ) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let network = Self::load(path)?;
        match network.expect(game, features) {
            Ok(()) => Ok(network),
            Err(source) => Err(NetworkError::Mismatch {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Returns the content of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        #[expect(
            clippy::expect_used,
            reason = "a struct of strings, numbers and JSON values always serialises"
        )]
        let metadata = serde_json::to_vec(&self.metadata).expect("metadata is plain JSON");
        let weights = 4 * self.architecture().parameters();
        let mut bytes = Vec::with_capacity(HEADER + metadata.len() + weights + DIGEST);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((metadata.len() as u32).to_le_bytes());
        bytes.extend((weights as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(metadata);
        bytes.extend(self.weights.values().flat_map(f32::to_le_bytes));
        bytes.extend(Sha256::digest(&bytes));
        bytes
    }

    /// Checks and decodes the content of the network file `path`, which errors name.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, NetworkError> {
        let path = || path.to_owned();
        let short = |expected| NetworkError::Length {
            path: path(),
            found: bytes.len() as u64,
            expected,
        };
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(NetworkError::Foreign { path: path() });
        }
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(short((HEADER + DIGEST) as u64));
        };
        let field = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        if field(8) != VERSION {
            return Err(NetworkError::Version {
                path: path(),
                found: field(8),
            });
        }
        if crc32fast::hash(&header[..20]) != field(20) {
            return Err(NetworkError::Damaged {
                path: path(),
                part: "header",
            });
        }
        let (described, weighed) = (field(12) as usize, field(16) as usize);
        let expected = HEADER as u64 + described as u64 + weighed as u64 + DIGEST as u64;
        if bytes.len() as u64 != expected {
            return Err(short(expected));
        }
        if described > MAX_DESCRIPTION {
            return Err(NetworkError::Description {
                path: path(),
                found: described,
            });
        }
        let (content, digest) = bytes.split_at(bytes.len() - DIGEST);
        if Sha256::digest(content)[..] != *digest {
            return Err(NetworkError::Damaged {
                path: path(),
                part: "content",
            });
        }
        let (metadata, weights) = rest[..described + weighed].split_at(described);
        let metadata: Metadata =
            serde_json::from_slice(metadata).map_err(|source| NetworkError::Metadata {
                path: path(),
                source,
            })?;
        // Checked before the weights are split by it.
        metadata
            .architecture
            .check()
            .map_err(|source| NetworkError::Architecture {
                path: path(),
                source,
            })?;
        let values: Vec<f32> = weights
            .chunks_exact(4)
            .map(|value| f32::from_le_bytes([value[0], value[1], value[2], value[3]]))
            .collect();
        let weights = Weights::from_values(&metadata.architecture, &values).map_err(|source| {
            NetworkError::Weights {
                path: path(),
                source,
            }
        })?;
        Ok(Self { metadata, weights })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let file = File::open(path).map_err(FileError::io("read", path))?;
    let length = file.metadata().map_err(FileError::io("read", path))?.len();
    if length > MAX_FILE {
        return Err(NetworkError::TooLarge {
            path: path.to_owned(),
            found: length,
        });
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // The limit also applies if the file grows, or is a device without a length.
    file.take(MAX_FILE)
        .read_to_end(&mut bytes)
        .map_err(FileError::io("read", path))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Activation;
    use crate::network::architecture::tests::architecture;
    use proptest::prelude::*;
    use serde_json::json;

    fn network() -> Network {
        let architecture = architecture(20, &[8, 4], Activation::ScRelu);
        let weights = Weights::random(&architecture, 7);
        let metadata = Metadata {
            architecture,
            generation: 3,
            seed: u64::MAX,
            training: json!({"learning_rate": 0.001, "steps": 1000}),
            data_digest: Some("0123".into()),
        };
        Network::new(metadata, weights).unwrap()
    }

    fn decode(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_bytes(bytes, Path::new("some.network"))
    }

    /// Replaces the description and computes the checksums again.
    fn with_metadata(edit: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
        let network = network();
        let mut metadata = serde_json::to_value(network.metadata()).unwrap();
        edit(&mut metadata);
        let metadata = serde_json::to_vec(&metadata).unwrap();
        let weights: Vec<u8> = network
            .weights
            .values()
            .flat_map(f32::to_le_bytes)
            .collect();
        let mut bytes = MAGIC.to_vec();
        for field in [VERSION, metadata.len() as u32, weights.len() as u32] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(metadata);
        bytes.extend(weights);
        bytes.extend(Sha256::digest(&bytes));
        bytes
    }

    #[test]
    fn a_saved_network_loads_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best.network");
        network().save(&path).unwrap();
        network().save(&path).unwrap();
        assert_eq!(Network::load(&path).unwrap(), network());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_digest_is_the_identity_of_the_content() {
        let digest = network().digest();
        assert_eq!(digest.len(), 64);
        assert_eq!(digest, network().digest());
        let mut other = network();
        other.weights.layers[0].weights[0] += 0.5;
        assert_ne!(digest, other.digest());
        let mut other = network();
        other.metadata.generation += 1;
        assert_ne!(digest, other.digest());
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone.network");
        let message = Network::load(&path).unwrap_err().to_string();
        assert!(message.contains("gone.network"), "{message}");
        let message = network().save(path.join("x")).unwrap_err().to_string();
        assert!(message.contains("cannot write"), "{message}");
    }

    #[test]
    fn foreign_files_are_recognised() {
        for bytes in [
            &b""[..],
            b"PK",
            b"#!/bin/sh\n echo this is no network at all",
        ] {
            assert!(matches!(decode(bytes), Err(NetworkError::Foreign { .. })));
        }
    }

    #[test]
    fn another_version_is_rejected_with_its_number() {
        let mut bytes = network().to_bytes();
        bytes[8] = 9;
        let message = decode(&bytes).unwrap_err().to_string();
        assert!(message.contains("format version 9"), "{message}");
    }

    #[test]
    fn a_file_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert!(matches!(
            Network::load(&path),
            Err(NetworkError::TooLarge { .. })
        ));
    }

    #[test]
    fn impossible_descriptions_are_rejected_before_use() {
        let bytes = with_metadata(|metadata| {
            metadata["architecture"]["hidden"] = json!([1_000_000_000_000u64]);
        });
        assert!(matches!(
            decode(&bytes),
            Err(NetworkError::Architecture { .. })
        ));
        let bytes = with_metadata(|metadata| metadata["architecture"]["hidden"] = json!([8, 5]));
        assert!(matches!(decode(&bytes), Err(NetworkError::Weights { .. })));
        let bytes = with_metadata(|metadata| metadata["architecture"]["hidden"] = json!([1, 1]));
        assert!(matches!(decode(&bytes), Err(NetworkError::Weights { .. })));
        let bytes = with_metadata(|metadata| metadata["colour"] = json!("black"));
        assert!(matches!(decode(&bytes), Err(NetworkError::Metadata { .. })));
    }

    #[test]
    fn a_description_too_long_is_not_decoded() {
        let bytes = with_metadata(|metadata| {
            metadata["training"] = json!(vec![0; MAX_DESCRIPTION / 2]);
        });
        assert!(matches!(
            decode(&bytes),
            Err(NetworkError::Description { .. })
        ));
    }

    #[test]
    fn invalid_weights_are_rejected() {
        let mut other = network();
        other.weights.layers[1].weights[3] = f32::NAN;
        assert!(Network::new(other.metadata.clone(), other.weights.clone()).is_err());
        assert!(matches!(
            decode(&other.to_bytes()),
            Err(NetworkError::Weights { .. })
        ));
    }

    #[test]
    fn a_network_of_another_game_names_both_and_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best.network");
        network().save(&path).unwrap();
        let features = network().architecture().features.clone();
        Network::load_for(&path, "bagh-chal", &features).unwrap();
        let message = Network::load_for(&path, "y", &features)
            .unwrap_err()
            .to_string();
        assert!(message.contains("best.network"), "{message}");
        assert!(message.ends_with("the network plays bagh-chal, not y"));
    }

    proptest! {
        #[test]
        fn a_file_truncated_anywhere_is_rejected(cut in any::<prop::sample::Index>()) {
            let bytes = network().to_bytes();
            let cut = 1 + cut.index(bytes.len() - 1);
            let is_length = matches!(decode(&bytes[..cut]), Err(NetworkError::Length { .. }));
            prop_assert!(is_length);
        }

        #[test]
        fn any_flipped_bit_is_detected(at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = network().to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            let error = decode(&bytes).unwrap_err();
            let named = match at {
                0..8 => matches!(error, NetworkError::Foreign { .. }),
                8..12 => matches!(error, NetworkError::Version { .. }),
                12..24 => matches!(error, NetworkError::Damaged { part: "header", .. }),
                _ => matches!(error, NetworkError::Damaged { part: "content", .. }),
            };
            prop_assert!(named, "byte {}: {}", at, error);
        }

        #[test]
        fn arbitrary_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode(&bytes).is_err());
            let marked: Vec<u8> = MAGIC.into_iter().chain(bytes).collect();
            prop_assert!(decode(&marked).is_err());
        }
    }
}
