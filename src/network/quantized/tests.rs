use proptest::prelude::*;

use super::*;
use crate::network::Network;
use crate::network::architecture::tests::architecture;
use crate::network::reference::{lists, networks, reference};

fn network(features: usize, hidden: &[usize], activation: Activation, seed: u64) -> Network {
    Network::random(architecture(features, hidden, activation), seed).unwrap()
}

/// Largest change of the logit by rounding for a position with `active` features: half a step for each
/// weight and unit, carried through the layers.
fn bound(quantized: &Quantized, network: &Network, active: usize) -> f64 {
    let half = |bits: u32| 0.5f64.powi(bits as i32 + 1);
    let slope = match quantized.activation {
        Activation::CRelu => 1.0,
        Activation::ScRelu => 2.0,
    };
    let unit = half(UNIT_BITS);
    let mut error = slope * (active + 1) as f64 * half(quantized.transformer.bits) + unit;
    let hidden = quantized.hidden.iter().map(|layer| layer.bits);
    let bits = hidden.chain([quantized.output.bits]);
    let layers = network.weights().layers.iter().enumerate();
    for ((index, layer), bits) in layers.skip(1).zip(bits) {
        let outputs = layer.bias.len();
        let sum = |unit: usize| {
            let column = layer.weights.iter().skip(unit).step_by(outputs);
            column
                .map(|weight| f64::from(weight.abs()) * error + half(bits) * (1.0 + error))
                .sum::<f64>()
        };
        let sum = (0..outputs).map(sum).fold(0.0, f64::max) + half(bits + UNIT_BITS);
        error = if index == network.architecture().hidden.len() {
            sum
        } else {
            slope * (sum + unit) + unit
        };
    }
    error + 1e-4
}

fn views(lists: &[Vec<u16>]) -> Vec<&[u16]> {
    lists.iter().map(Vec::as_slice).collect()
}

fn most(lists: &[Vec<u16>]) -> usize {
    lists.iter().map(Vec::len).max().unwrap()
}

proptest! {
    #[test]
    fn integers_differ_from_floats_by_rounding_only(
        network in networks(0.1..20.0),
        masks in any::<[u128; 2]>(),
        bucket in any::<prop::sample::Index>(),
    ) {
        let lists = lists(&network, masks);
        let quantized = Quantized::new(&network, most(&lists));
        prop_assume!(quantized.is_ok());
        let quantized = quantized.unwrap();
        let bucket = bucket.index(network.architecture().output_buckets);
        let integer = quantized.forward(&views(&lists), bucket);
        let float = reference(&network, &views(&lists), bucket);
        let bound = bound(&quantized, &network, most(&lists));
        let error = (f64::from(integer) - float).abs();
        prop_assert!(error <= bound, "{integer} for {float}: {error} > {bound}");
    }

    #[test]
    fn all_instructions_give_the_same_integers(
        network in networks(0.1..20.0),
        before in any::<[u128; 2]>(),
        after in any::<[u128; 2]>(),
    ) {
        let [from, to] = [before, after].map(|masks| lists(&network, masks));
        let quantized = Quantized::new(&network, most(&from).max(most(&to)));
        prop_assume!(quantized.is_ok());
        let quantized = quantized.unwrap();
        let changes = |a: [u128; 2], b: [u128; 2]| lists(&network, [a[0] & !b[0], a[1] & !b[1]]);
        let (on, off) = (changes(after, before), changes(before, after));
        let logits = [quantized.clone(), quantized.portable()].map(|quantized| {
            let width = quantized.width();
            let mut sums = vec![vec![Block::default(); width]; quantized.views()];
            let mut moved = sums.clone();
            for view in 0..quantized.views() {
                let mut fresh = vec![Block::default(); width];
                quantized.refresh(&from[view], &mut sums[view]);
                quantized.update(&sums[view], &mut moved[view], &on[view], &off[view]);
                quantized.refresh(&to[view], &mut fresh);
                assert_eq!(moved[view], fresh);
            }
            let logits = |sums: &[Vec<Block>]| {
                let sums = [&sums[0][..], sums.get(1).map_or(&[][..], Vec::as_slice)];
                let buckets = 0..quantized.output_buckets();
                buckets.map(|bucket| quantized.logit(sums, bucket)).collect::<Vec<_>>()
            };
            (sums.clone(), logits(&sums), logits(&moved))
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
            let float = reference(&network, &[&active], 0) as f32;
            let error = (quantized.forward(&[&active], 0) - float).abs();
            assert!(error < 0.01, "{hidden:?} {activation:?}: {error}");
        }
    }
}

/// Exact numbers, so that a change of scales or rounding is noticed.
#[test]
fn the_result_is_the_same_everywhere() {
    let network = network(77, &[32, 16], Activation::ScRelu, 1);
    let quantized = Quantized::new(&network, 27).unwrap();
    assert_eq!(
        (quantized.transformer.bits, quantized.output.bits),
        (FINEST, FINEST)
    );
    let active: Vec<u16> = (0..77).step_by(4).collect();
    let float = reference(&network, &[&active], 0) as f32;
    let integer = quantized.forward(&[&active], 0);
    assert!((integer - float).abs() < 0.002, "{integer} for {float}");
    assert_eq!(integer.to_bits(), PINNED);
}

const PINNED: u32 = 3_183_367_376;

#[test]
fn the_widest_network_fits() {
    let network = network(300, &[1024, 513, 1024], Activation::CRelu, 3);
    let active: Vec<u16> = (0..300).step_by(3).collect();
    let quantized = Quantized::new(&network, active.len()).unwrap();
    let error = f64::from(quantized.forward(&[&active], 0)) - reference(&network, &[&active], 0);
    assert!(error.abs() < 0.01, "{error}");
}

#[test]
fn weights_that_could_overflow_are_rejected_with_their_place() {
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
        message.starts_with("layer 2 has the weight -513,"),
        "{message}"
    );
    assert!(message.contains("smaller weight_clip"), "{message}");
}

/// Only features of one position are summed, not all of the set.
#[test]
fn large_weights_have_coarse_steps() {
    let network = network(20, &[16], Activation::ScRelu, 1);
    let mut weights = network.weights().clone();
    weights.layers[0].weights.fill(30.0);
    let network = Network::new(network.metadata().clone(), weights).unwrap();
    let scale = |active| Quantized::new(&network, active).unwrap().transformer.bits;
    assert_eq!((scale(1), scale(2), scale(10)), (10, 9, 6));
}
