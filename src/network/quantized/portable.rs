//! The integers in plain Rust, the reference for special instructions.

use super::layout::{Block, FeatureTransformer, HiddenLayer, LANES, OutputLayer};
use super::{Quantized, UNIT_BITS, ViewSums};
use crate::network::Activation;

/// Adds rows to sums and subtracts others, tile by tile: a tile's sums stay in registers.
#[inline(always)]
pub(super) fn update(
    layer: &FeatureTransformer,
    before: &[Block],
    after: &mut [Block],
    on: &[u16],
    off: &[u16],
) {
    let width = layer.bias.len();
    let mut start = 0;
    while start + 4 <= width {
        update_tile::<4>(layer, before, after, on, off, start);
        start += 4;
    }
    if start + 2 <= width {
        update_tile::<2>(layer, before, after, on, off, start);
        start += 2;
    }
    if start < width {
        update_tile::<1>(layer, before, after, on, off, start);
    }
}

#[inline(always)]
fn update_tile<const T: usize>(
    layer: &FeatureTransformer,
    before: &[Block],
    after: &mut [Block],
    on: &[u16],
    off: &[u16],
    start: usize,
) {
    let mut sums = [Block::default(); T];
    sums.copy_from_slice(&before[start..start + T]);
    let row = |feature: u16| {
        let at = usize::from(feature) * layer.bias.len() + start;
        &layer.rows[at..at + T]
    };
    // Intermediate sums may wrap around; the last one fits, so the result is exact.
    for &feature in on {
        for (sum, weights) in sums.iter_mut().zip(row(feature)) {
            for (sum, weight) in sum.0.iter_mut().zip(weights.0) {
                *sum = sum.wrapping_add(weight);
            }
        }
    }
    for &feature in off {
        for (sum, weights) in sums.iter_mut().zip(row(feature)) {
            for (sum, weight) in sum.0.iter_mut().zip(weights.0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
    }
    after[start..start + T].copy_from_slice(&sums);
}

/// Returns the logit of a bucket in the scale of the output layer, given the sums of the feature
/// transformer.
pub(super) fn propagate<const N: usize>(network: &Quantized, sums: ViewSums, bucket: usize) -> i32 {
    let mut units = [Block::default(); N];
    let bits = network.transformer.bits;
    let mut inputs = 0;
    for view in sums {
        for (unit, sum) in units[inputs..].iter_mut().zip(view) {
            for (unit, sum) in unit.0.iter_mut().zip(sum.0) {
                let clamped = sum.clamp(0, 1 << bits);
                *unit = activate(clamped << (UNIT_BITS + 1 - bits), network.activation);
            }
        }
        inputs += view.len();
    }
    for layer in &network.hidden {
        let mut next = [Block::default(); N];
        hidden(layer, &units[..inputs], network.activation, &mut next);
        units = next;
        inputs = layer.outputs.len();
    }
    logit(&network.output, &units, bucket)
}

/// Applies the activation to a value from 0 to 1 given at twice the scale of units.
#[inline(always)]
fn activate(value: i16, activation: Activation) -> i16 {
    match activation {
        Activation::CRelu => value >> 1,
        Activation::ScRelu => {
            let square = i32::from(value) * i32::from(value);
            ((square + (1 << (UNIT_BITS + 1))) >> (UNIT_BITS + 2)) as i16
        }
    }
}

fn hidden(layer: &HiddenLayer, inputs: &[Block], activation: Activation, units: &mut [Block]) {
    for (output, unit) in layer.outputs.iter().zip(units) {
        let mut sums = output.bias;
        for (block, pairs) in inputs.iter().zip(&output.inputs) {
            for (&[first, second], halves) in block.0.as_chunks::<2>().0.iter().zip(pairs) {
                for (sums, weights) in sums.iter_mut().zip(halves) {
                    let weights = weights.0.as_chunks::<2>().0;
                    for (sum, weights) in sums.0.iter_mut().zip(weights) {
                        *sum += i32::from(first) * i32::from(weights[0])
                            + i32::from(second) * i32::from(weights[1]);
                    }
                }
            }
        }
        for (half, sums) in sums.iter().enumerate() {
            for (lane, sum) in sums.0.iter().enumerate() {
                let clamped = (*sum).clamp(0, 1 << (UNIT_BITS + layer.bits));
                let value = (clamped >> (layer.bits - 1)) as i16;
                unit.0[half * LANES / 2 + lane] = activate(value, activation);
            }
        }
    }
}

fn logit(layer: &OutputLayer, units: &[Block], bucket: usize) -> i32 {
    let products = units.iter().zip(layer.row(bucket)).map(|(unit, weights)| {
        let pairs = unit.0.iter().zip(weights.0);
        pairs
            .map(|(unit, weight)| i32::from(*unit) * i32::from(weight))
            .sum::<i32>()
    });
    layer.bias[bucket] + products.sum::<i32>()
}
