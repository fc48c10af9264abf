//! The network as a burn module, which training differentiates.

use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::module::linear;
use burn::tensor::{Device, Tensor, TensorData, TensorReadError};

use super::{Activation, Architecture, LayerWeights, Weights};

/// A dense layer of parameters.
#[derive(Module, Debug)]
pub struct DenseLayer {
    /// Weights, `[inputs, outputs]`.
    pub weight: Param<Tensor<2>>,
    /// Biases, `[outputs]`.
    pub bias: Param<Tensor<1>>,
}

/// A network as a burn module, whose forward pass can be differentiated on an autodiff device.
#[derive(Module, Debug)]
pub struct TrainableNetwork {
    /// The layers: the feature transformer of one view, hidden layers, and the output layer with an
    /// output for each bucket.
    pub layers: Vec<DenseLayer>,
    #[module(skip)]
    activation: Activation,
    #[module(skip)]
    views: usize,
}

impl TrainableNetwork {
    /// Copies `weights` of `architecture` to `device`.
    pub fn from_weights(architecture: &Architecture, weights: &Weights, device: &Device) -> Self {
        let layers = weights.layers.iter().map(|layer| {
            let outputs = layer.bias.len();
            let shape = [layer.weights.len() / outputs, outputs];
            let weight = TensorData::new(layer.weights.clone(), shape);
            let bias = TensorData::new(layer.bias.clone(), [outputs]);
            DenseLayer {
                weight: Param::from_data(weight, device),
                bias: Param::from_data(bias, device),
            }
        });
        Self {
            layers: layers.collect(),
            activation: architecture.activation,
            views: architecture.views,
        }
    }

    /// Reads the weights back, bit for bit.
    ///
    /// # Errors
    /// If the device fails to return them.
    pub fn to_weights(&self) -> Result<Weights, TensorReadError> {
        let layers = self.layers.iter().map(|layer| {
            Ok::<_, TensorReadError>(LayerWeights {
                weights: layer.weight.val().try_into_vec_as()?,
                bias: layer.bias.val().try_into_vec_as()?,
            })
        });
        Ok(Weights {
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the same weights in a separate graph, for a thread that differentiates in parallel.
    pub fn fork(&self) -> Self {
        let layers = self.layers.iter().map(|layer| DenseLayer {
            weight: Param::initialized(layer.weight.id, leaf(&layer.weight)),
            bias: Param::initialized(layer.bias.id, leaf(&layer.bias)),
        });
        Self {
            layers: layers.collect(),
            activation: self.activation,
            views: self.views,
        }
    }

    /// Returns the function after each hidden layer.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Returns the logits of all buckets, `[batch, buckets]`, of multi-hot inputs
    /// `[batch × views, features]`, the views of a position adjacent.
    pub fn forward(&self, inputs: Tensor<2>) -> Tensor<2> {
        let units = self.activate(self.layers[0].forward(inputs)); // [batch × views, width]
        let [rows, width] = units.dims();
        self.forward_units(units.reshape([rows / self.views, width * self.views]))
    }

    /// Returns the logits of all buckets, `[batch, buckets]`, of the feature transformer's units
    /// `[batch, views × width]`.
    pub fn forward_units(&self, units: Tensor<2>) -> Tensor<2> {
        let mut values = units;
        for (index, layer) in self.layers.iter().enumerate().skip(1) {
            values = layer.forward(values); // [batch, outputs]
            if index + 1 < self.layers.len() {
                values = self.activate(values);
            }
        }
        values
    }

    fn activate(&self, values: Tensor<2>) -> Tensor<2> {
        // From 0 to 1: burn differentiates this three times as fast as a clamp.
        let clamped = relu(values.clone()) - relu(values.sub_scalar(1.0));
        match self.activation {
            Activation::ScRelu => clamped.square(),
            Activation::CRelu => clamped,
        }
    }
}

impl DenseLayer {
    fn forward(&self, inputs: Tensor<2>) -> Tensor<2> {
        linear(inputs, self.weight.val(), Some(self.bias.val()))
    }
}

fn leaf<const D: usize>(parameter: &Param<Tensor<D>>) -> Tensor<D> {
    parameter.val().inner().autodiff().require_grad()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::architecture::tests::architecture;
    use crate::network::reference::{lists, networks, reference};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_module_computes_the_network_of_the_definition(
            network in networks(1.0..1.0001),
            masks in prop::collection::vec(any::<[u128; 2]>(), 1..20),
        ) {
            let architecture = network.architecture();
            let device = Device::flex();
            let module = TrainableNetwork::from_weights(architecture, network.weights(), &device);
            let positions: Vec<_> = masks.iter().map(|masks| lists(&network, *masks)).collect();
            let rows = positions.len() * architecture.views;
            let mut inputs = vec![0.0f32; rows * architecture.features.size];
            let lists = positions.iter().flatten();
            for (row, active) in inputs.chunks_mut(architecture.features.size).zip(lists) {
                active.iter().for_each(|feature| row[usize::from(*feature)] = 1.0);
            }
            let inputs = TensorData::new(inputs, [rows, architecture.features.size]);
            let logits = module.forward(Tensor::from_data(inputs, &device));
            prop_assert_eq!(logits.dims(), [positions.len(), architecture.output_buckets]);
            let logits: Vec<f32> = logits.try_into_vec_as().unwrap();
            for (views, logits) in positions.iter().zip(logits.chunks(architecture.output_buckets)) {
                let views: Vec<&[u16]> = views.iter().map(Vec::as_slice).collect();
                for (bucket, logit) in logits.iter().enumerate() {
                    let expected = reference(&network, &views, bucket);
                    prop_assert!((f64::from(*logit) - expected).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn weights_come_back_bit_for_bit() {
        let architecture = architecture(77, &[32, 16], Activation::ScRelu);
        let weights = Weights::random(&architecture, 11);
        for device in [Device::flex(), Device::flex().autodiff()] {
            let body = TrainableNetwork::from_weights(&architecture, &weights, &device);
            assert_eq!(body.to_weights().unwrap(), weights);
            assert_eq!(body.num_params(), architecture.parameters());
        }
    }
}
