//! The description of a network: its features, views, layers and output buckets.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The function between two layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// The square of [`Activation::CRelu`]: clamp(x, 0, 1)².
    ScRelu,
    /// clamp(x, 0, 1).
    CRelu,
}

/// Identity of a feature set. Networks are only used with the features that they were trained on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureId {
    /// Name of the set, unique within its game.
    pub name: String,
    /// Version of the meaning and order of its features.
    pub version: u32,
    /// Number of features, from 1 to [`Architecture::MAX_FEATURES`].
    pub size: usize,
    /// Number of views that the set has of a position: 1, or 2 if it is relative to a side.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub views: usize,
}

/// Description of a network: binary features, a feature transformer shared by one or two views, up to
/// two more hidden layers, and one logit per output bucket.
///
/// With a feature set of one view the logit is `Max`'s score, otherwise that of the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Name of the game.
    pub game: String,
    /// The input features.
    pub features: FeatureId,
    /// Widths of the hidden layers, the feature transformer first: one to three, each from 1 to 1024.
    /// Multiples of 16 waste nothing.
    pub hidden: Vec<usize>,
    /// The function after each hidden layer.
    pub activation: Activation,
    /// Number of views whose transformed features are concatenated, the side to move's first: at most
    /// that of the feature set.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub views: usize,
    /// Number of output buckets, from 1 to [`Architecture::MAX_OUTPUT_BUCKETS`]: rows of output weights,
    /// one of which is selected by the position.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub output_buckets: usize,
}

fn one() -> usize {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_one(value: &usize) -> bool {
    *value == 1
}

/// An impossible [`Architecture`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArchitectureError {
    /// No hidden layer, or too many.
    #[error("a network has from 1 to {max} hidden layers, not {found}", max = Architecture::MAX_HIDDEN)]
    Depth {
        /// Number of hidden layers requested.
        found: usize,
    },
    /// A hidden layer without units, or with too many.
    #[error(
        "hidden layer {layer} has a width of {found}; the range is 1 to {max}",
        max = Architecture::MAX_WIDTH
    )]
    Width {
        /// The hidden layer, from 1 on the input side.
        layer: usize,
        /// Width requested.
        found: usize,
    },
    /// A feature set without features, or with too many.
    #[error(
        "feature set {name} has {found} features; a network takes from 1 to {max}",
        max = Architecture::MAX_FEATURES
    )]
    Features {
        /// Name of the set.
        name: String,
        /// Its number of features.
        found: usize,
    },
    /// More views than the feature set has, or none.
    #[error("the network has {found} views; feature set {name} has {max}")]
    Views {
        /// Name of the set.
        name: String,
        /// Number of views requested.
        found: usize,
        /// Number of views of the set.
        max: usize,
    },
    /// No output bucket, or too many.
    #[error(
        "the network has {found} output buckets; the range is 1 to {max}",
        max = Architecture::MAX_OUTPUT_BUCKETS
    )]
    OutputBuckets {
        /// Number of output buckets requested.
        found: usize,
    },
    /// More parameters than a network file can hold.
    #[error(
        "the network has {found} weights and biases; the limit is {max}: make its first layer narrower",
        max = Architecture::MAX_PARAMETERS
    )]
    Parameters {
        /// Number of weights and biases.
        found: usize,
    },
    /// An empty name.
    #[error("the name of the {what} is empty")]
    Unnamed {
        /// The item without a name.
        what: &'static str,
    },
}

/// A network for another game or other features.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MismatchError {
    /// It plays another game.
    #[error("the network plays {found}, not {expected}")]
    Game {
        /// Game of the network.
        found: String,
        /// Game expected.
        expected: String,
    },
    /// It has other features.
    #[error(
        "the network has the features {} version {} ({} of them), not {} version {} ({} of them); \
         train a new one, or use the program version that wrote it",
        found.name, found.version, found.size, expected.name, expected.version, expected.size
    )]
    Features {
        /// Features of the network.
        found: Box<FeatureId>,
        /// Features expected.
        expected: Box<FeatureId>,
    },
}

impl Architecture {
    /// Largest number of hidden layers.
    pub const MAX_HIDDEN: usize = 3;
    /// Largest width of a hidden layer.
    pub const MAX_WIDTH: usize = 1024;
    /// Largest number of features: an index fits in 16 bits.
    pub const MAX_FEATURES: usize = 1 << 16;
    /// Largest number of views.
    pub const MAX_VIEWS: usize = 2;
    /// Largest number of output buckets.
    pub const MAX_OUTPUT_BUCKETS: usize = 64;
    /// Largest number of weights and biases together.
    pub const MAX_PARAMETERS: usize = 8 << 20;

    /// Returns the network with all views of its features and one output bucket.
    #[must_use]
    pub fn new(game: &str, features: FeatureId, hidden: &[usize], activation: Activation) -> Self {
        Self {
            game: game.to_owned(),
            hidden: hidden.to_vec(),
            activation,
            views: features.views,
            output_buckets: 1,
            features,
        }
    }

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
        let (views, max) = (self.views, self.features.views);
        if !(1..=Self::MAX_VIEWS).contains(&max) || !(1..=max).contains(&views) {
            return Err(ArchitectureError::Views {
                name: self.features.name.clone(),
                found: views,
                max,
            });
        }
        if !(1..=Self::MAX_OUTPUT_BUCKETS).contains(&self.output_buckets) {
            return Err(ArchitectureError::OutputBuckets {
                found: self.output_buckets,
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

    /// Checks that the network plays `game` with `features`.
    pub fn expect(&self, game: &str, features: &FeatureId) -> Result<(), MismatchError> {
        if self.game != game {
            return Err(MismatchError::Game {
                found: self.game.clone(),
                expected: game.to_owned(),
            });
        }
        if self.features != *features {
            return Err(MismatchError::Features {
                found: Box::new(self.features.clone()),
                expected: Box::new(features.clone()),
            });
        }
        Ok(())
    }

    /// Returns the inputs and outputs of each layer. The first is the feature transformer of one view;
    /// the second reads all views; the last has an output for each bucket.
    pub fn layers(&self) -> impl Iterator<Item = (usize, usize)> {
        let units = self.hidden.iter().enumerate();
        let units = units.map(|(index, &width)| {
            if index == 0 {
                self.views * width
            } else {
                width
            }
        });
        let inputs = std::iter::once(self.features.size).chain(units);
        let outputs = self.hidden.iter().copied();
        inputs.zip(outputs.chain([self.output_buckets]))
    }

    /// Returns the number of weights and biases.
    pub fn parameters(&self) -> usize {
        self.layers()
            .map(|(inputs, outputs)| (inputs + 1) * outputs)
            .sum()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An architecture for tests, with one view and one output bucket.
    pub(crate) fn architecture(
        features: usize,
        hidden: &[usize],
        activation: Activation,
    ) -> Architecture {
        let features = FeatureId {
            name: "squares".into(),
            version: 1,
            size: features,
            views: 1,
        };
        Architecture::new("bagh-chal", features, hidden, activation)
    }

    /// An architecture for tests with views and output buckets.
    pub(crate) fn described(
        (features, views): (usize, usize),
        hidden: &[usize],
        output_buckets: usize,
        activation: Activation,
    ) -> Architecture {
        let mut architecture = architecture(features, hidden, activation);
        (architecture.features.views, architecture.views) = (views, views);
        Architecture {
            output_buckets,
            ..architecture
        }
    }

    #[test]
    fn layers_connect_the_features_to_the_output_buckets() {
        let architecture = architecture(77, &[32, 16], Activation::ScRelu);
        architecture.check().unwrap();
        let layers: Vec<_> = architecture.layers().collect();
        assert_eq!(layers, [(77, 32), (32, 16), (16, 1)]);
        assert_eq!(architecture.parameters(), 78 * 32 + 33 * 16 + 17);
        let architecture = described((768, 2), &[64], 8, Activation::ScRelu);
        architecture.check().unwrap();
        let layers: Vec<_> = architecture.layers().collect();
        assert_eq!(layers, [(768, 64), (128, 8)]);
    }

    #[test]
    fn values_out_of_bounds_are_rejected() {
        let check =
            |features, hidden: &[usize]| architecture(features, hidden, Activation::CRelu).check();
        assert_eq!(check(77, &[]), Err(ArchitectureError::Depth { found: 0 }));
        assert_eq!(
            check(77, &[8; 4]),
            Err(ArchitectureError::Depth { found: 4 })
        );
        assert_eq!(
            check(77, &[8, 1025]).unwrap_err().to_string(),
            "hidden layer 2 has a width of 1025; the range is 1 to 1024"
        );
        assert!(check(77, &[0]).is_err());
        assert!(check(0, &[8]).is_err());
        assert!(check(Architecture::MAX_FEATURES, &[8]).is_ok());
        assert!(check(Architecture::MAX_FEATURES + 1, &[8]).is_err());
        assert!(check(Architecture::MAX_FEATURES, &[1024]).is_err());
        let views = |set, views| {
            let mut architecture = described((77, set), &[8], 1, Activation::CRelu);
            architecture.views = views;
            architecture.check()
        };
        assert!(views(2, 1).is_ok() && views(2, 2).is_ok());
        assert!(views(1, 2).is_err() && views(2, 0).is_err() && views(3, 3).is_err());
        let buckets = |buckets| described((77, 1), &[8], buckets, Activation::CRelu).check();
        assert!(buckets(64).is_ok() && buckets(0).is_err() && buckets(65).is_err());
        let mut unnamed = architecture(77, &[8], Activation::CRelu);
        unnamed.game.clear();
        assert!(unnamed.check().unwrap_err().to_string().contains("game"));
    }

    #[test]
    fn the_description_only_has_keys_that_depart_from_one_view_and_bucket() {
        let text = serde_json::to_string(&architecture(77, &[32], Activation::ScRelu)).unwrap();
        assert!(text.contains(r#""activation":"sc_relu""#), "{text}");
        assert!(
            !text.contains("views") && !text.contains("buckets"),
            "{text}"
        );
        let two_views = described((77, 2), &[32], 4, Activation::ScRelu);
        let text = serde_json::to_string(&two_views).unwrap();
        assert_eq!(
            serde_json::from_str::<Architecture>(&text).unwrap(),
            two_views
        );
        assert!(serde_json::from_str::<Activation>(r#""c_relu""#).is_ok());
        assert!(serde_json::from_str::<Activation>(r#""tanh""#).is_err());
    }

    #[test]
    fn mismatches_name_both_values() {
        let architecture = architecture(77, &[32], Activation::ScRelu);
        let features = architecture.features.clone();
        architecture.expect("bagh-chal", &features).unwrap();
        assert_eq!(
            architecture.expect("y", &features).unwrap_err().to_string(),
            "the network plays bagh-chal, not y"
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
