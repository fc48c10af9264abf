//! Network files: sealed files of two parts, a description in JSON and the weights as f32, little-endian.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{InvalidNetwork, NetworkError};
use super::{Architecture, ArchitectureError, FeatureId, MismatchError, Weights};
use crate::files::sealed::{SEAL_BYTES, read_limited, seal, unseal};
use crate::files::{FileError, FileFormat, write_atomically};

static FORMAT: FileFormat = FileFormat {
    name: "network file",
    magic: *b"BagheerN",
    version: 1,
    remedy: |_| "copy it again, or train it again".to_owned(),
};

/// Larger than any useful network, and small enough to read into memory.
const MAX_FILE: u64 = 64 << 20;

/// Largest length of a description, which takes many times its length when decoded.
const MAX_DESCRIPTION: usize = 1 << 20;

/// Returns true if a file that begins with `bytes` is a network file of any version.
#[must_use]
pub fn is_network(bytes: &[u8]) -> bool {
    FORMAT.is_start(bytes)
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
        hex::encode(&bytes[bytes.len() - SEAL_BYTES..])
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
        Self::from_bytes(&read_limited(&FORMAT, path, MAX_FILE)?, path)
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
        let weights: Vec<u8> = self.weights.values().flat_map(f32::to_le_bytes).collect();
        seal(&FORMAT, [&metadata, &weights])
    }

    /// Checks and decodes the content of the network file `path`, which errors name.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, NetworkError> {
        let [metadata, weights] = unseal(&FORMAT, bytes, path)?;
        if metadata.len() > MAX_DESCRIPTION {
            let found = metadata.len();
            let reason =
                format!("its description has {found} bytes, the limit is {MAX_DESCRIPTION}");
            return Err(FORMAT.damaged(path, reason).into());
        }
        let metadata: Metadata = serde_json::from_slice(metadata).map_err(|error| {
            FORMAT.damaged(path, format!("its description cannot be parsed: {error}"))
        })?;
        let invalid = |source| NetworkError::Invalid {
            path: path.to_owned(),
            source,
        };
        // Checked before the weights are split by it.
        let checked = metadata.architecture.check();
        checked.map_err(|source| invalid(source.into()))?;
        let values: Vec<f32> = weights
            .chunks_exact(4)
            .map(|value| f32::from_le_bytes([value[0], value[1], value[2], value[3]]))
            .collect();
        let weights = Weights::from_values(&metadata.architecture, &values)
            .map_err(|source| invalid(source.into()))?;
        Ok(Self { metadata, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Activation;
    use crate::network::architecture::tests::architecture;
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
        seal(&FORMAT, [&metadata, &weights])
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
    fn impossible_descriptions_are_rejected_before_use() {
        let bytes = with_metadata(|metadata| {
            metadata["architecture"]["hidden"] = json!([1_000_000_000_000u64]);
        });
        assert!(matches!(decode(&bytes), Err(NetworkError::Invalid { .. })));
        let bytes = with_metadata(|metadata| metadata["architecture"]["hidden"] = json!([8, 5]));
        assert!(matches!(decode(&bytes), Err(NetworkError::Invalid { .. })));
        let bytes = with_metadata(|metadata| metadata["architecture"]["hidden"] = json!([1, 1]));
        assert!(matches!(decode(&bytes), Err(NetworkError::Invalid { .. })));
        let bytes = with_metadata(|metadata| metadata["colour"] = json!("black"));
        let message = decode(&bytes).unwrap_err().to_string();
        assert!(message.contains("cannot be parsed"), "{message}");
    }

    #[test]
    fn a_description_too_long_is_not_decoded() {
        let bytes = with_metadata(|metadata| {
            metadata["training"] = json!(vec![0; MAX_DESCRIPTION / 2]);
        });
        let message = decode(&bytes).unwrap_err().to_string();
        assert!(message.contains("the limit is"), "{message}");
    }

    #[test]
    fn invalid_weights_are_rejected() {
        let mut other = network();
        other.weights.layers[1].weights[3] = f32::NAN;
        assert!(Network::new(other.metadata.clone(), other.weights.clone()).is_err());
        assert!(matches!(
            decode(&other.to_bytes()),
            Err(NetworkError::Invalid { .. })
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
}
