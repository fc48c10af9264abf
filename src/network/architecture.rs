//! The shape of a network and what it looks at, as every network file states it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What lies between two layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// The square of [`Activation::CRelu`]: clamp(x, 0, 1)².
    ScRelu,
    /// clamp(x, 0, 1).
    CRelu,
}

/// Identity of a feature set. Networks are only fed the features that they were trained on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureId {
    /// Name of the set, unique within its game.
    pub name: String,
    /// Version of the meaning and order of its features.
    pub version: u32,
    /// Number of features, from 1 to [`Architecture::MAX_FEATURES`].
    pub size: usize,
}

/// Shape of a network: binary features, one to three hidden layers, one logit of `Max`'s expected
/// score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Name of the game, as in the registry.
    pub game: String,
    /// The input features.
    pub features: FeatureId,
    /// Widths of the hidden layers, input side first: one to three, each from 1 to 1024.
    /// Multiples of 8 waste nothing.
    pub hidden: Vec<usize>,
    /// What follows each hidden layer.
    pub activation: Activation,
}

/// Why an [`Architecture`] cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArchitectureError {
    /// No hidden layer, or too many.
    #[error("A network has from 1 to {max} hidden layers, not {found}.", max = Architecture::MAX_HIDDEN)]
    Depth {
        /// Number of hidden layers asked for.
        found: usize,
    },
    /// A hidden layer of no or too many units.
    #[error(
        "Hidden layer {layer} has a width of {found}; it should be from 1 to {max}.",
        max = Architecture::MAX_WIDTH
    )]
    Width {
        /// The hidden layer, from 1 on the input side.
        layer: usize,
        /// Width asked for.
        found: usize,
    },
    /// A feature set without features, or with too many.
    #[error(
        "The feature set {name} has {found} features; a network takes from 1 to {max}.",
        max = Architecture::MAX_FEATURES
    )]
    Features {
        /// Name of the set.
        name: String,
        /// Its number of features.
        found: usize,
    },
    /// More parameters than a network file holds.
    #[error(
        "The network would have {found} weights and biases, the limit being {max}; make its first \
         layer narrower.",
        max = Architecture::MAX_PARAMETERS
    )]
    Parameters {
        /// Number of weights and biases.
        found: usize,
    },
    /// An empty name.
    #[error("The {what} of a network has no name.")]
    Unnamed {
        /// The thing that should have a name.
        what: &'static str,
    },
}

/// A network that is not for the game or the features at hand.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MismatchError {
    /// It plays another game.
    #[error("This is a network of the game {found}, not of {expected}.")]
    Game {
        /// Game of the network.
        found: String,
        /// Game that was asked for.
        expected: String,
    },
    /// It sees other features.
    #[error(
        "This network sees the features {} version {} ({} of them), not {} version {} ({} of them). \
         Train a new one, or use the program that made it.",
        found.name, found.version, found.size, expected.name, expected.version, expected.size
    )]
    Features {
        /// Features of the network.
        found: FeatureId,
        /// Features that it would be fed.
        expected: FeatureId,
    },
}

impl Architecture {
    /// Most hidden layers.
    pub const MAX_HIDDEN: usize = 3;
    /// Most units in a hidden layer.
    pub const MAX_WIDTH: usize = 1024;
    /// Most features, so that a feature's index fits in 16 bits.
    pub const MAX_FEATURES: usize = 1 << 16;

    /// Most weights and biases together.
    pub const MAX_PARAMETERS: usize = 8 << 20;

    /// Checks every bound stated on the fields, and [`Architecture::MAX_PARAMETERS`].
    pub fn check(&self) -> Result<(), ArchitectureError> {
        let unnamed = |what| ArchitectureError::Unnamed { what };
        if self.game.is_empty() {
            return Err(unnamed("game"));
        }
        if self.features.name.is_empty() {
            return Err(unnamed("feature set"));
        }
        if !(1..=Self::MAX_FEATURES).contains(&self.features.size) {
            return Err(ArchitectureError::Features {
                name: self.features.name.clone(),
                found: self.features.size,
            });
        }
        if !(1..=Self::MAX_HIDDEN).contains(&self.hidden.len()) {
            return Err(ArchitectureError::Depth {
                found: self.hidden.len(),
            });
        }
        for (index, &found) in self.hidden.iter().enumerate() {
            if !(1..=Self::MAX_WIDTH).contains(&found) {
                return Err(ArchitectureError::Width {
                    layer: index + 1,
                    found,
                });
            }
        }
        match self.parameters() {
            0..=Self::MAX_PARAMETERS => Ok(()),
            found => Err(ArchitectureError::Parameters { found }),
        }
    }

    /// Checks that the network plays `game` and sees `features`.
    pub fn expect(&self, game: &str, features: &FeatureId) -> Result<(), MismatchError> {
        if self.game != game {
            return Err(MismatchError::Game {
                found: self.game.clone(),
                expected: game.to_owned(),
            });
        }
        if self.features != *features {
            return Err(MismatchError::Features {
                found: self.features.clone(),
                expected: features.clone(),
            });
        }
        Ok(())
    }

    /// Inputs and outputs of each layer, input side first; the last has the logit as its output.
    pub fn layers(&self) -> impl Iterator<Item = (usize, usize)> {
        let inputs = std::iter::once(self.features.size).chain(self.hidden.iter().copied());
        let outputs = self.hidden.iter().copied().chain(std::iter::once(1));
        inputs.zip(outputs)
    }

    /// Number of weights and biases.
    pub fn parameters(&self) -> usize {
        self.layers()
            .map(|(inputs, outputs)| (inputs + 1) * outputs)
            .sum()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An architecture for tests of the other files.
    pub(crate) fn architecture(
        features: usize,
        hidden: &[usize],
        activation: Activation,
    ) -> Architecture {
        Architecture {
            game: "bagh-chal".into(),
            features: FeatureId {
                name: "squares".into(),
                version: 1,
                size: features,
            },
            hidden: hidden.to_vec(),
            activation,
        }
    }

    #[test]
    fn layers_lead_from_the_features_to_one_logit() {
        let architecture = architecture(77, &[32, 16], Activation::ScRelu);
        architecture.check().unwrap();
        let layers: Vec<_> = architecture.layers().collect();
        assert_eq!(layers, [(77, 32), (32, 16), (16, 1)]);
        assert_eq!(architecture.parameters(), 78 * 32 + 33 * 16 + 17);
    }

    #[test]
    fn every_bound_is_refused_by_name() {
        let check =
            |features, hidden: &[usize]| architecture(features, hidden, Activation::CRelu).check();
        assert_eq!(check(77, &[]), Err(ArchitectureError::Depth { found: 0 }));
        assert_eq!(
            check(77, &[8; 4]),
            Err(ArchitectureError::Depth { found: 4 })
        );
        assert_eq!(
            check(77, &[8, 1025]).unwrap_err().to_string(),
            "Hidden layer 2 has a width of 1025; it should be from 1 to 1024."
        );
        assert!(check(77, &[0]).is_err());
        assert!(check(0, &[8]).is_err());
        assert!(check(Architecture::MAX_FEATURES, &[8]).is_ok());
        assert!(check(Architecture::MAX_FEATURES + 1, &[8]).is_err());
        assert!(check(Architecture::MAX_FEATURES, &[1024]).is_err());
        let mut unnamed = architecture(77, &[8], Activation::CRelu);
        unnamed.game.clear();
        assert!(unnamed.check().unwrap_err().to_string().contains("game"));
    }

    #[test]
    fn the_description_is_snake_case() {
        let text = serde_json::to_string(&architecture(77, &[32], Activation::ScRelu)).unwrap();
        assert!(text.contains(r#""activation":"sc_relu""#), "{text}");
        assert!(serde_json::from_str::<Activation>(r#""c_relu""#).is_ok());
        assert!(serde_json::from_str::<Activation>(r#""tanh""#).is_err());
    }

    #[test]
    fn mismatches_name_both_sides() {
        let architecture = architecture(77, &[32], Activation::ScRelu);
        let features = architecture.features.clone();
        architecture.expect("bagh-chal", &features).unwrap();
        assert_eq!(
            architecture.expect("y", &features).unwrap_err().to_string(),
            "This is a network of the game bagh-chal, not of y."
        );
        let newer = FeatureId {
            version: 2,
            ..features
        };
        let message = architecture
            .expect("bagh-chal", &newer)
            .unwrap_err()
            .to_string();
        assert!(message.contains("version 1") && message.contains("version 2"));
    }
}
