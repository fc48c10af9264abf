//! The body that training differentiates: the network as a burn module.

use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::module::linear;
use burn::tensor::{Device, Tensor, TensorData, TensorReadError};

use super::{Activation, Architecture, Layer, Weights};

/// A dense layer of parameters.
#[derive(Module, Debug)]
pub struct Dense {
    /// Weights, `[inputs, outputs]`.
    pub weight: Param<Tensor<2>>,
    /// Biases, `[outputs]`.
    pub bias: Param<Tensor<1>>,
}

/// A network as a burn module, whose forward pass can be differentiated on an autodiff device.
#[derive(Module, Debug)]
pub struct Body {
    /// The layers, input side first; the last has one output.
    pub layers: Vec<Dense>,
    #[module(skip)]
    activation: Activation,
}

impl Body {
    /// Puts `weights`, which are of `architecture`, on `device`.
    pub fn from_weights(architecture: &Architecture, weights: &Weights, device: &Device) -> Self {
        let layers = weights.layers.iter().map(|layer| {
            let outputs = layer.bias.len();
            let shape = [layer.weights.len() / outputs, outputs];
            let weight = TensorData::new(layer.weights.clone(), shape);
            let bias = TensorData::new(layer.bias.clone(), [outputs]);
            Dense {
                weight: Param::from_data(weight, device),
                bias: Param::from_data(bias, device),
            }
        });
        Self {
            layers: layers.collect(),
            activation: architecture.activation,
        }
    }

    /// Reads the weights back, bit for bit.
    ///
    /// # Errors
    /// If the device fails to return them.
    pub fn to_weights(&self) -> Result<Weights, TensorReadError> {
        let layers = self.layers.iter().map(|layer| {
            Ok::<_, TensorReadError>(Layer {
                weights: layer.weight.val().try_into_vec_as()?,
                bias: layer.bias.val().try_into_vec_as()?,
            })
        });
        Ok(Weights {
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// The same weights in a graph of their own, for a thread that differentiates beside others.
    pub fn fork(&self) -> Self {
        let layers = self.layers.iter().map(|layer| Dense {
            weight: Param::initialized(layer.weight.id, leaf(&layer.weight)),
            bias: Param::initialized(layer.bias.id, leaf(&layer.bias)),
        });
        Self {
            layers: layers.collect(),
            activation: self.activation,
        }
    }

    /// What follows each hidden layer.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Logits `[batch, 1]` of multi-hot inputs `[batch, features]`.
    pub fn forward(&self, inputs: Tensor<2>) -> Tensor<2> {
        self.forward_from(0, inputs)
    }

    /// Logits `[batch, 1]` of the inputs of layer number `first`, `[batch, inputs]`.
    pub fn forward_from(&self, first: usize, inputs: Tensor<2>) -> Tensor<2> {
        let mut values = inputs;
        for (index, layer) in self.layers.iter().enumerate().skip(first) {
            values = linear(values, layer.weight.val(), Some(layer.bias.val())); // [batch, outputs]
            if index + 1 < self.layers.len() {
                // From 0 to 1: burn differentiates this three times as fast as a clamp.
                let clamped = relu(values.clone()) - relu(values.sub_scalar(1.0));
                values = match self.activation {
                    Activation::ScRelu => clamped.square(),
                    Activation::CRelu => clamped,
                };
            }
        }
        values
    }
}

fn leaf<const D: usize>(parameter: &Param<Tensor<D>>) -> Tensor<D> {
    parameter.val().inner().autodiff().require_grad()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::architecture::tests::architecture;
    use crate::network::{Inference, Network};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const BATCH: usize = 200;

    /// About one feature in `one_in`, drawn for each of [`BATCH`] positions.
    fn positions(features: usize, one_in: u32) -> Vec<Vec<u16>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut draw = || {
            (0..features as u16)
                .filter(|_| random.next_u32().is_multiple_of(one_in))
                .collect()
        };
        (0..BATCH).map(|_| draw()).collect()
    }

    #[test]
    fn both_bodies_judge_alike() {
        for (features, hidden) in [
            (77, &[32, 16][..]),
            (77, &[64, 32]),
            (50, &[8]),
            (33, &[5, 3, 2]),
            (200, &[256, 48, 24]),
        ] {
            for activation in [Activation::ScRelu, Activation::CRelu] {
                let architecture = architecture(features, hidden, activation);
                let network = Network::random(architecture, 11).unwrap();
                let inference = Inference::new(&network);
                let device = Device::flex();
                let body = Body::from_weights(network.architecture(), network.weights(), &device);
                let positions = positions(features, 4);
                let mut inputs = vec![0.0f32; BATCH * features];
                for (row, active) in inputs.chunks_mut(features).zip(&positions) {
                    for &feature in active {
                        row[usize::from(feature)] = 1.0;
                    }
                }
                let inputs = TensorData::new(inputs, [BATCH, features]);
                let logits = body.forward(Tensor::from_data(inputs, &device));
                assert_eq!(logits.dims(), [BATCH, 1]);
                let logits: Vec<f32> = logits.try_into_vec_as().unwrap();
                for (active, logit) in positions.iter().zip(logits) {
                    let score = inference.forward(active);
                    assert!(
                        (score - logit).abs() < 1e-5,
                        "{features} {hidden:?} {activation:?}: {score} for {logit}"
                    );
                }
            }
        }
    }

    #[test]
    fn weights_come_back_bit_for_bit() {
        let architecture = architecture(77, &[32, 16], Activation::ScRelu);
        let weights = Weights::random(&architecture, 11);
        for device in [Device::flex(), Device::flex().autodiff()] {
            let body = Body::from_weights(&architecture, &weights, &device);
            assert_eq!(body.to_weights().unwrap(), weights);
            assert_eq!(body.num_params(), architecture.parameters());
        }
    }
}
