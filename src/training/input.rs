//! The first layer of a network, by hand: its inputs are 0 or 1 and mostly 0, so that sums of rows
//! of weights take the place of a product of matrices.
//!
//! Each sum runs in one fixed order, so results do not depend on threads or machines.

use std::ops::Range;

use super::Batch;
use crate::network::Activation;

/// The first layer's parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InputLayer {
    /// A row for each feature, as long as the bias.
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
    pub activation: Activation,
}

/// What the first layer makes of some positions, `[positions, outputs]` each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Units {
    /// Sums clamped to the range from 0 to 1, which tell the slopes.
    clamped: Vec<f32>,
    /// What the next layer sees.
    pub active: Vec<f32>,
}

/// The first layer's share of a gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InputGradient {
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
}

impl InputLayer {
    /// The units of the positions of `range`.
    pub fn forward(&self, batch: &Batch, range: Range<usize>) -> Units {
        let size = range.len() * self.bias.len();
        let mut units = Units {
            clamped: Vec::with_capacity(size),
            active: Vec::with_capacity(size),
        };
        sum(self, batch, range, &mut units);
        units
    }

    /// The gradient of the parameters, given that of the units of the positions of `range`.
    pub fn backward(
        &self,
        batch: &Batch,
        range: Range<usize>,
        units: &Units,
        mut slopes: Vec<f32>,
    ) -> InputGradient {
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
        let mut gradient = InputGradient {
            weights: vec![0.0; self.weights.len()],
            bias: vec![0.0; self.bias.len()],
        };
        spread(batch, range, &slopes, &mut gradient);
        gradient
    }
}

impl InputGradient {
    /// Adds the share of other positions.
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

/// Calls a function with the width and the start of each stretch of outputs: sums over a stretch
/// of constant width stay in registers.
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
fn sum(layer: &InputLayer, batch: &Batch, range: Range<usize>, units: &mut Units) {
    for index in range {
        let active = batch.active(index);
        by_stretch!(layer.bias.len(), sum_stretch(layer, active, units));
    }
}

#[inline(always)]
fn sum_stretch<const W: usize>(
    layer: &InputLayer,
    active: &[u16],
    units: &mut Units,
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
fn spread(batch: &Batch, range: Range<usize>, slopes: &[f32], gradient: &mut InputGradient) {
    by_stretch!(
        gradient.bias.len(),
        spread_stretch(batch, &range, slopes, gradient)
    );
}

#[inline(always)]
fn spread_stretch<const W: usize>(
    batch: &Batch,
    range: &Range<usize>,
    slopes: &[f32],
    gradient: &mut InputGradient,
    start: usize,
) -> usize {
    let outputs = gradient.bias.len();
    let mut bias = [0.0; W];
    for (index, row) in range.clone().zip(slopes.chunks_exact(outputs)) {
        let mut slopes = [0.0; W];
        slopes.copy_from_slice(&row[start..start + W]);
        for &feature in batch.active(index) {
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
