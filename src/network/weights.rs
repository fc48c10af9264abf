//! The weights and biases of a network, independent of any library that trains or runs it.

use std::borrow::Cow;
use std::iter::repeat_n;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use super::Architecture;

/// One dense layer: output = input × weights + bias.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerWeights {
    /// Weights, `[inputs][outputs]`: the weights of one input are adjacent.
    pub weights: Vec<f32>,
    /// Biases, `[outputs]`.
    pub bias: Vec<f32>,
}

/// The weights of all layers, input side first, in the shapes of [`Architecture::layers`].
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The layers: feature transformer, hidden layers, output layer.
    pub layers: Vec<LayerWeights>,
}

/// Weights that do not fit an architecture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// Wrong number of values.
    #[error("there are {found} weights and biases; the architecture has {expected}")]
    Parameters {
        /// Values present.
        found: usize,
        /// Values of the architecture.
        expected: usize,
    },
    /// Wrong number of layers.
    #[error("there are {found} layers; the architecture has {expected}")]
    Layers {
        /// Layers present.
        found: usize,
        /// Layers of the architecture, the output included.
        expected: usize,
    },
    /// Wrong shape of a layer.
    #[error("layer {layer} has {found} {what}; the architecture has {expected}")]
    Shape {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// "weights" or "biases".
        what: &'static str,
        /// Number of values present.
        found: usize,
        /// Number of values of the architecture.
        expected: usize,
    },
    /// A value that is not finite, or so large that a sum might not be.
    #[error(
        "layer {layer} has {value} among its {what}; they should be finite and at most {max} in \
         size: training has diverged, lower its learning rate",
        max = Weights::MAX_SIZE
    )]
    Value {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// "weights" or "biases".
        what: &'static str,
        /// The value as text, since it may be NaN.
        value: String,
    },
}

impl Weights {
    /// Largest size of a weight or bias. Within it every sum of the forward pass is finite, so a
    /// checked network never returns NaN.
    pub const MAX_SIZE: f32 = 1e6;

    /// Draws initial weights from `seed`, the same on every machine.
    ///
    /// Uniform in ±√(6 / inputs) before an activation (He et al. 2015) and in ±√(1 / inputs)
    /// before the logit, so that the scores of a fresh network are small; biases are 0.
    pub fn random(architecture: &Architecture, seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let output_layer = architecture.hidden.len();
        let layers = architecture.layers().enumerate();
        let layers = layers.map(|(index, (inputs, outputs))| {
            let gain = if index == output_layer { 1.0 } else { 6.0 };
            let limit = (gain / inputs as f32).sqrt();
            LayerWeights {
                weights: (0..inputs * outputs)
                    .map(|_| limit * symmetric(&mut random))
                    .collect(),
                bias: vec![0.0; outputs],
            }
        });
        Self {
            layers: layers.collect(),
        }
    }

    /// Checks the shape against `architecture`, and that every value is finite and at most
    /// [`Weights::MAX_SIZE`].
    pub fn check(&self, architecture: &Architecture) -> Result<(), WeightsError> {
        let expected = architecture.hidden.len() + 1;
        if self.layers.len() != expected {
            return Err(WeightsError::Layers {
                found: self.layers.len(),
                expected,
            });
        }
        for (index, (layer, (inputs, outputs))) in
            self.layers.iter().zip(architecture.layers()).enumerate()
        {
            check_values(index + 1, "weights", &layer.weights, inputs * outputs)?;
            check_values(index + 1, "biases", &layer.bias, outputs)?;
        }
        Ok(())
    }

    /// Returns the layers with zero weights added to the layer after the feature transformer, so that
    /// the units of each view occupy whole blocks of `lanes`.
    pub(super) fn with_whole_blocks(
        &self,
        architecture: &Architecture,
        lanes: usize,
    ) -> Cow<'_, [LayerWeights]> {
        let width = architecture.hidden[0];
        if architecture.views == 1 || width.is_multiple_of(lanes) {
            return Cow::Borrowed(&self.layers);
        }
        let mut layers = self.layers.clone();
        let outputs = layers[1].bias.len();
        let padding = (width.next_multiple_of(lanes) - width) * outputs;
        let views = self.layers[1].weights.chunks(width * outputs);
        layers[1].weights = views
            .flat_map(|view| view.iter().copied().chain(repeat_n(0.0, padding)))
            .collect();
        Cow::Owned(layers)
    }

    /// Returns all values in file order: weights then biases, layer by layer.
    pub(super) fn values(&self) -> impl Iterator<Item = f32> {
        self.layers
            .iter()
            .flat_map(|layer| layer.weights.iter().chain(&layer.bias).copied())
    }

    /// Reverses [`Weights::values`] and checks the result as [`Weights::check`] does.
    pub(super) fn from_values(
        architecture: &Architecture,
        values: &[f32],
    ) -> Result<Self, WeightsError> {
        if values.len() != architecture.parameters() {
            return Err(WeightsError::Parameters {
                found: values.len(),
                expected: architecture.parameters(),
            });
        }
        let mut values = values.iter().copied();
        let layers = architecture.layers().map(|(inputs, outputs)| LayerWeights {
            weights: values.by_ref().take(inputs * outputs).collect(),
            bias: values.by_ref().take(outputs).collect(),
        });
        let weights = Self {
            layers: layers.collect(),
        };
        weights.check(architecture)?;
        Ok(weights)
    }
}

/// Draws uniformly from [-1, 1) by the 24 high bits: exact in `f32`, and independent of the generator
/// crate's own conversions, which may change.
fn symmetric(random: &mut impl Rng) -> f32 {
    let bits = random.next_u32() >> 8;
    bits as f32 / (1 << 23) as f32 - 1.0
}

fn check_values(
    layer: usize,
    what: &'static str,
    values: &[f32],
    expected: usize,
) -> Result<(), WeightsError> {
    if values.len() != expected {
        return Err(WeightsError::Shape {
            layer,
            what,
            found: values.len(),
            expected,
        });
    }
    let acceptable = |value: &&f32| value.abs() <= Weights::MAX_SIZE;
    match values.iter().find(|value| !acceptable(value)) {
        Some(value) => Err(WeightsError::Value {
            layer,
            what,
            value: value.to_string(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Activation;
    use crate::network::architecture::tests::architecture;

    #[test]
    fn random_weights_depend_on_the_seed_alone() {
        let architecture = architecture(77, &[32, 16], Activation::ScRelu);
        let weights = Weights::random(&architecture, 7);
        weights.check(&architecture).unwrap();
        assert_eq!(weights, Weights::random(&architecture, 7));
        assert_ne!(weights, Weights::random(&architecture, 8));
    }

    #[test]
    fn random_weights_fill_their_range() {
        let weights = Weights::random(&architecture(77, &[32, 16], Activation::ScRelu), 7);
        for (layer, limit) in weights.layers.iter().zip([
            (6.0f32 / 77.0).sqrt(),
            (6.0f32 / 32.0).sqrt(),
            (1.0f32 / 16.0).sqrt(),
        ]) {
            let largest = layer.weights.iter().fold(0.0f32, |a, w| a.max(w.abs()));
            assert!(largest <= limit && largest > 0.8 * limit);
        }
    }

    /// Exact numbers, so that a change of generator or scale is noticed.
    #[test]
    fn random_weights_never_change() {
        let weights = Weights::random(&architecture(2, &[2], Activation::ScRelu), 1);
        assert_eq!(weights.layers[0].weights, PINNED);
    }

    const PINNED: [f32; 4] = [1.0794561, 0.8559958, -1.3851179, 0.8529201];

    #[test]
    fn wrong_shapes_are_named() {
        let wide = architecture(77, &[32], Activation::ScRelu);
        let weights = Weights::random(&wide, 7);
        assert_eq!(
            weights.check(&architecture(77, &[16], Activation::ScRelu)),
            Err(WeightsError::Shape {
                layer: 1,
                what: "weights",
                found: 77 * 32,
                expected: 77 * 16
            })
        );
        assert_eq!(
            weights.check(&architecture(77, &[32, 16], Activation::ScRelu)),
            Err(WeightsError::Layers {
                found: 2,
                expected: 3
            })
        );
    }

    #[test]
    fn values_that_could_overflow_are_rejected() {
        let architecture = architecture(4, &[8], Activation::CRelu);
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -2e6] {
            let mut weights = Weights::random(&architecture, 7);
            weights.layers[1].bias[0] = value;
            let message = weights.check(&architecture).unwrap_err().to_string();
            assert!(message.starts_with("layer 2 has "), "{message}");
        }
    }

    #[test]
    fn values_survive_the_round_trip() {
        let architecture = architecture(5, &[3, 2], Activation::CRelu);
        let weights = Weights::random(&architecture, 7);
        assert_eq!(weights.values().count(), architecture.parameters());
        let mut values: Vec<f32> = weights.values().collect();
        assert_eq!(Weights::from_values(&architecture, &values), Ok(weights));
        values.push(0.0);
        assert!(Weights::from_values(&architecture, &values).is_err());
    }
}
