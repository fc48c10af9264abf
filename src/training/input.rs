//! The feature transformer's share of a gradient step, by hand: its inputs are 0 or 1 and mostly 0, so
//! sums of rows of weights replace a product of matrices.
//!
//! Every sum has a fixed order, so results do not depend on threads or machines. A view of a position
//! is a list of active features; lists are numbered `views × position + view`.

use std::ops::Range;

use crate::features::EncodedPositions;
use crate::network::Activation;

/// The parameters of the feature transformer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TransformerWeights {
    /// A row for each feature, as long as the bias.
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
    pub activation: Activation,
}

/// The units of some lists, `[lists, outputs]` each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TransformedLists {
    /// Sums clamped to the range from 0 to 1, which determine the slopes.
    clamped: Vec<f32>,
    /// Units after the activation: `[positions, views × outputs]` for the next layer.
    pub active: Vec<f32>,
}

/// The gradient of the feature transformer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TransformerGradient {
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
}

impl TransformerWeights {
    /// Computes the units of `lists`.
    pub fn forward(&self, positions: &EncodedPositions, lists: Range<usize>) -> TransformedLists {
        let size = lists.len() * self.bias.len();
        let mut units = TransformedLists {
            clamped: Vec::with_capacity(size),
            active: Vec::with_capacity(size),
        };
        sum(self, positions, lists, &mut units);
        units
    }

    /// Computes the gradient of the parameters, given that of the units of `lists`.
    pub fn backward(
        &self,
        positions: &EncodedPositions,
        lists: Range<usize>,
        units: &TransformedLists,
        mut slopes: Vec<f32>,
    ) -> TransformerGradient {
        for (slope, &clamped) in slopes.iter_mut().zip(&units.clamped) {
            let inner = match self.activation {
                Activation::ScRelu => 2.0 * clamped,
                Activation::CRelu => 1.0,
            };
            *slope = match clamped > 0.0 && clamped < 1.0 {
                true => *slope * inner,
                false => 0.0,
            };
        }
        let mut gradient = TransformerGradient {
            weights: vec![0.0; self.weights.len()],
            bias: vec![0.0; self.bias.len()],
        };
        spread(positions, lists, &slopes, &mut gradient);
        gradient
    }
}

impl TransformerGradient {
    /// Adds the gradient of other positions.
    pub fn add(&mut self, other: &Self) {
        add(&mut self.weights, &other.weights);
        add(&mut self.bias, &other.bias);
    }
}

fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Calls a function with the width and the start of each stretch of outputs: sums of a stretch of
/// constant width stay in registers.
macro_rules! by_stretch {
    ($outputs:expr, $function:ident($($argument:expr),*)) => {
        let outputs: usize = $outputs;
        let mut start = 0;
        while start < outputs {
            start += match outputs - start {
                32.. => $function::<32>($($argument,)* start),
                16.. => $function::<16>($($argument,)* start),
                8.. => $function::<8>($($argument,)* start),
                _ => $function::<1>($($argument,)* start),
            };
        }
    };
}

#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn sum(
    layer: &TransformerWeights,
    positions: &EncodedPositions,
    lists: Range<usize>,
    units: &mut TransformedLists,
) {
    for index in lists {
        let active = positions.list(index);
        by_stretch!(layer.bias.len(), sum_stretch(layer, active, units));
    }
}

#[inline(always)]
fn sum_stretch<const W: usize>(
    layer: &TransformerWeights,
    active: &[u16],
    units: &mut TransformedLists,
    start: usize,
) -> usize {
    let outputs = layer.bias.len();
    let mut sums = [0.0; W];
    sums.copy_from_slice(&layer.bias[start..start + W]);
    for &feature in active {
        let at = usize::from(feature) * outputs + start;
        for (sum, weight) in sums.iter_mut().zip(&layer.weights[at..at + W]) {
            *sum += weight;
        }
    }
    for value in &mut sums {
        *value = value.clamp(0.0, 1.0);
    }
    units.clamped.extend_from_slice(&sums);
    if let Activation::ScRelu = layer.activation {
        for value in &mut sums {
            *value *= *value;
        }
    }
    units.active.extend_from_slice(&sums);
    W
}

#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn spread(
    positions: &EncodedPositions,
    lists: Range<usize>,
    slopes: &[f32],
    gradient: &mut TransformerGradient,
) {
    by_stretch!(
        gradient.bias.len(),
        spread_stretch(positions, &lists, slopes, gradient)
    );
}

#[inline(always)]
fn spread_stretch<const W: usize>(
    positions: &EncodedPositions,
    lists: &Range<usize>,
    slopes: &[f32],
    gradient: &mut TransformerGradient,
    start: usize,
) -> usize {
    let outputs = gradient.bias.len();
    let mut bias = [0.0; W];
    for (index, row) in lists.clone().zip(slopes.chunks_exact(outputs)) {
        let mut slopes = [0.0; W];
        slopes.copy_from_slice(&row[start..start + W]);
        for &feature in positions.list(index) {
            let at = usize::from(feature) * outputs + start;
            for (sum, slope) in gradient.weights[at..at + W].iter_mut().zip(&slopes) {
                *sum += slope;
            }
        }
        for (sum, slope) in bias.iter_mut().zip(&slopes) {
            *sum += slope;
        }
    }
    gradient.bias[start..start + W].copy_from_slice(&bias);
    W
}
