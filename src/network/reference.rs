//! The definition of a network in double precision, which tests compare the implementations with.

use std::ops::Range;

use proptest::prelude::*;

use super::architecture::tests::described;
use super::{Activation, Network};

/// Computes the logit of a bucket, one sum after the other.
pub(crate) fn reference(network: &Network, views: &[&[u16]], bucket: usize) -> f64 {
    let architecture = network.architecture();
    let layers = &network.weights().layers;
    let activate = |sum: f64| match architecture.activation {
        Activation::CRelu => sum.clamp(0.0, 1.0),
        Activation::ScRelu => sum.clamp(0.0, 1.0).powi(2),
    };
    let sum = |layer: usize, units: &[f64], output: usize| {
        let (layer, outputs) = (&layers[layer], layers[layer].bias.len());
        assert_eq!(units.len() * outputs, layer.weights.len());
        let weights = layer.weights.iter().skip(output).step_by(outputs);
        let products = units
            .iter()
            .zip(weights)
            .map(|(unit, weight)| unit * f64::from(*weight));
        f64::from(layer.bias[output]) + products.sum::<f64>()
    };
    let mut units = Vec::new();
    for view in views {
        let mut inputs = vec![0.0; architecture.features.size];
        view.iter()
            .for_each(|feature| inputs[usize::from(*feature)] = 1.0);
        units.extend((0..architecture.hidden[0]).map(|output| activate(sum(0, &inputs, output))));
    }
    for layer in 1..architecture.hidden.len() {
        let outputs = 0..architecture.hidden[layer];
        units = outputs
            .map(|output| activate(sum(layer, &units, output)))
            .collect();
    }
    sum(layers.len() - 1, &units, bucket)
}

prop_compose! {
    /// Networks of all shapes with biases, their weights `gain` times as large as initial ones.
    pub(crate) fn networks(gain: Range<f32>)(
        features in 1usize..90,
        views in 1usize..=2,
        output_buckets in prop::sample::select(vec![1usize, 4]),
        hidden in prop::collection::vec(1usize..80, 1..=3),
        squared: bool,
        gain in gain,
        seed: u64,
    ) -> Network {
        let activation = if squared { Activation::ScRelu } else { Activation::CRelu };
        let architecture = described((features, views), &hidden, output_buckets, activation);
        scaled(&Network::random(architecture, seed).unwrap(), gain)
    }
}

/// Returns the network with all weights multiplied by `gain`, and with biases.
pub(crate) fn scaled(network: &Network, gain: f32) -> Network {
    let mut weights = network.weights().clone();
    for layer in &mut weights.layers {
        layer.weights.iter_mut().for_each(|weight| *weight *= gain);
        for (index, bias) in layer.bias.iter_mut().enumerate() {
            *bias = 0.1 * (index % 7) as f32 - 0.2;
        }
    }
    Network::new(network.metadata().clone(), weights).unwrap()
}

/// Returns the active features of each view by masks.
pub(crate) fn lists(network: &Network, masks: [u128; 2]) -> Vec<Vec<u16>> {
    let architecture = network.architecture();
    let features = 0..architecture.features.size as u16;
    let list = |mask: u128| features.clone().filter(|f| mask >> f & 1 == 1).collect();
    masks
        .into_iter()
        .take(architecture.views)
        .map(list)
        .collect()
}
