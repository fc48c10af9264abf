use proptest::prelude::*;

use super::*;
use crate::network::architecture::tests::architecture;
use crate::network::{Inference, Network};

fn network(features: usize, hidden: &[usize], activation: Activation, seed: u64) -> Network {
    Network::random(architecture(features, hidden, activation), seed).unwrap()
}

/// The network with all weights `gain` times as large, and with biases.
fn scaled(network: &Network, gain: f32) -> Network {
    let mut weights = network.weights().clone();
    for layer in &mut weights.layers {
        layer.weights.iter_mut().for_each(|weight| *weight *= gain);
        for (index, bias) in layer.bias.iter_mut().enumerate() {
            *bias = 0.1 * (index % 7) as f32 - 0.2;
        }
    }
    Network::new(network.metadata().clone(), weights).unwrap()
}

/// The most that rounding can change the logit of a position with `active` features by: half a step
/// for each weight and unit, carried through the layers.
fn bound(quantized: &Quantized, network: &Network, active: usize) -> f64 {
    let half = |bits: u32| 0.5f64.powi(bits as i32 + 1);
    let slope = match quantized.activation {
        Activation::CRelu => 1.0,
        Activation::ScRelu => 2.0,
    };
    let unit = half(UNIT_BITS);
    let mut error = slope * (active + 1) as f64 * half(quantized.first.bits) + unit;
    let hidden = quantized.hidden.iter().map(|layer| layer.bits);
    let bits = hidden.chain([quantized.output.bits]);
    for (layer, bits) in network.weights().layers[1..].iter().zip(bits) {
        let outputs = layer.bias.len();
        let sum = |unit: usize| {
            let column = layer.weights.iter().skip(unit).step_by(outputs);
            column
                .map(|weight| f64::from(weight.abs()) * error + half(bits) * (1.0 + error))
                .sum::<f64>()
        };
        let sum = (0..outputs).map(sum).fold(0.0, f64::max) + half(bits + UNIT_BITS);
        error = if outputs == 1 {
            sum
        } else {
            slope * (sum + unit) + unit
        };
    }
    error + 1e-4
}

prop_compose! {
    fn networks()(
        features in 1usize..90,
        hidden in prop::collection::vec(1usize..80, 1..=3),
        squared: bool,
        gain in 0.1f32..20.0,
        seed: u64,
    ) -> Network {
        let activation = if squared { Activation::ScRelu } else { Activation::CRelu };
        scaled(&network(features, &hidden, activation, seed), gain)
    }
}

fn active(network: &Network, mask: u128) -> Vec<u16> {
    let features = network.architecture().features.size as u16;
    (0..features).filter(|f| mask >> f & 1 == 1).collect()
}

proptest! {
    #[test]
    fn integers_are_as_near_to_floats_as_rounding_leaves_them(
        network in networks(),
        mask in any::<u128>(),
    ) {
        let active = active(&network, mask);
        let quantized = Quantized::new(&network, active.len());
        prop_assume!(quantized.is_ok());
        let quantized = quantized.unwrap();
        let (integer, float) = (quantized.forward(&active), Inference::new(&network).forward(&active));
        let bound = bound(&quantized, &network, active.len());
        let error = f64::from(integer - float).abs();
        prop_assert!(error <= bound, "{integer} for {float}: {error} > {bound}");
    }

    #[test]
    fn all_instructions_give_the_same_integers(
        network in networks(),
        before in any::<u128>(),
        after in any::<u128>(),
    ) {
        let (from, to) = (active(&network, before), active(&network, after));
        let quantized = Quantized::new(&network, from.len().max(to.len()));
        prop_assume!(quantized.is_ok());
        let quantized = quantized.unwrap();
        let (on, off) = (active(&network, after & !before), active(&network, before & !after));
        let logits = [quantized.clone(), quantized.portable()].map(|quantized| {
            let mut sums = vec![Block::default(); quantized.width()];
            let (mut fresh, mut moved) = (sums.clone(), sums.clone());
            quantized.refresh(&from, &mut sums);
            quantized.update(&sums, &mut moved, &on, &off);
            quantized.refresh(&to, &mut fresh);
            assert_eq!(moved, fresh);
            (sums.clone(), quantized.logit(&sums), quantized.logit(&moved))
        });
        prop_assert_eq!(&logits[0], &logits[1]);
    }
}

#[test]
fn fresh_networks_of_the_usual_shapes_are_within_a_hundredth() {
    for (hidden, seed) in [(&[32][..], 1), (&[64], 2), (&[32, 16], 3), (&[64, 16], 4)] {
        for activation in [Activation::CRelu, Activation::ScRelu] {
            let network = network(269, hidden, activation, seed);
            let quantized = Quantized::new(&network, 59).unwrap();
            let active: Vec<u16> = (0..269).step_by(7).collect();
            let float = Inference::new(&network).forward(&active);
            let error = (quantized.forward(&active) - float).abs();
            assert!(error < 0.01, "{hidden:?} {activation:?}: {error}");
        }
    }
}

/// The very numbers, so that neither scales nor roundings may change unseen.
#[test]
fn the_result_is_the_same_everywhere() {
    let network = network(77, &[32, 16], Activation::ScRelu, 1);
    let quantized = Quantized::new(&network, 27).unwrap();
    assert_eq!(
        (quantized.first.bits, quantized.output.bits),
        (FINEST, FINEST)
    );
    let active: Vec<u16> = (0..77).step_by(4).collect();
    let float = Inference::new(&network).forward(&active);
    let integer = quantized.forward(&active);
    assert!((integer - float).abs() < 0.002, "{integer} for {float}");
    assert_eq!(integer.to_bits(), PINNED);
}

const PINNED: u32 = 3_183_367_376;

#[test]
fn the_widest_network_fits() {
    let network = network(300, &[1024, 513, 1024], Activation::CRelu, 3);
    let active: Vec<u16> = (0..300).step_by(3).collect();
    let quantized = Quantized::new(&network, active.len()).unwrap();
    let error = quantized.forward(&active) - Inference::new(&network).forward(&active);
    assert!(error.abs() < 0.01, "{error}");
}

#[test]
fn weights_that_could_overflow_are_refused_with_their_place() {
    let network = network(20, &[16, 8], Activation::ScRelu, 1);
    let refusal = |layer: usize, value: f32| {
        let mut weights = network.weights().clone();
        weights.layers[layer].weights.fill(value);
        let network = Network::new(network.metadata().clone(), weights).unwrap();
        Quantized::new(&network, 10).map(|_| ()).unwrap_err()
    };
    for (layer, value, bits) in [(0, 60.0, 16), (1, 300.0, 32), (2, -512.0, 32)] {
        let layer_number = layer + 1;
        let sum = QuantizeError::Sum {
            layer: layer_number,
            unit: 1,
            bits,
        };
        assert_eq!(refusal(layer, value), sum);
    }
    let message = refusal(1, -513.0).to_string();
    assert!(
        message.starts_with("Layer 2 has the weight -513,"),
        "{message}"
    );
    assert!(message.contains("body=float"), "{message}");
}

/// Sums count the features of one position, not all that there are.
#[test]
fn large_weights_have_coarse_steps() {
    let network = network(20, &[16], Activation::ScRelu, 1);
    let mut weights = network.weights().clone();
    weights.layers[0].weights.fill(30.0);
    let network = Network::new(network.metadata().clone(), weights).unwrap();
    let scale = |active| Quantized::new(&network, active).unwrap().first.bits;
    assert_eq!((scale(1), scale(2), scale(10)), (10, 9, 6));
}
