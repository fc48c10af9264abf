//! Quantised weights in the order in which the forward pass reads them.

use super::{COARSEST, FINEST, QuantizeError, UNIT_BITS};
use crate::network::LayerWeights;

/// Units of a block.
pub(super) const LANES: usize = 16;

/// Sixteen neighbouring units or weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Block(pub(super) [i16; LANES]);

/// Eight neighbouring 32-bit sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct SumBlock(pub(super) [i32; LANES / 2]);

/// The feature transformer: a row of weights for each feature, shared by all views.
#[derive(Debug, Clone)]
pub(super) struct FeatureTransformer {
    /// Quantisation shift of weights and sums.
    pub bits: u32,
    pub bias: Vec<Block>,
    /// A row for each feature, as long as the bias.
    pub rows: Vec<Block>,
}

/// A layer between two layers of units.
#[derive(Debug, Clone)]
pub(super) struct HiddenLayer {
    /// Quantisation shift of weights; sums add that of units.
    pub bits: u32,
    pub outputs: Vec<OutputBlock>,
}

/// Weights and biases of sixteen neighbouring units of a layer.
#[derive(Debug, Clone)]
pub(super) struct OutputBlock {
    pub bias: [SumBlock; 2],
    /// For each block of inputs and each pair in it, the weights of the first eight units and of the
    /// last eight, the two weights of a unit side by side.
    pub inputs: Vec<[[Block; 2]; LANES / 2]>,
}

/// The output layer: a row of weights for each bucket.
#[derive(Debug, Clone)]
pub(super) struct OutputLayer {
    /// Quantisation shift of weights; sums add that of units.
    pub bits: u32,
    /// Blocks of a row.
    pub inputs: usize,
    pub rows: Vec<Block>,
    pub bias: Vec<i32>,
}

/// Rounds a value to a whole number of steps of 2^−`bits`.
fn rounded(value: f32, bits: u32) -> i64 {
    (f64::from(value) * f64::from(1u32 << bits)).round() as i64
}

fn blocks(values: &[i16]) -> impl Iterator<Item = Block> {
    values.chunks(LANES).map(|chunk| {
        let mut block = Block::default();
        block.0[..chunk.len()].copy_from_slice(chunk);
        block
    })
}

/// Calls `layout` with ever coarser scales until it accepts one; returns its error about the coarsest.
fn finest<T>(layout: impl Fn(u32) -> Result<T, QuantizeError>) -> Result<T, QuantizeError> {
    let fitting = (COARSEST + 1..=FINEST)
        .rev()
        .find_map(|bits| layout(bits).ok());
    fitting.map_or_else(|| layout(COARSEST), Ok)
}

fn weight(value: f32, bits: u32, layer: usize) -> Result<i16, QuantizeError> {
    i16::try_from(rounded(value, bits)).map_err(|_| QuantizeError::Weight {
        layer,
        weight: value.to_string(),
    })
}

fn weights(values: &[f32], bits: u32, layer: usize) -> Result<Vec<i16>, QuantizeError> {
    let values = values.iter();
    values.map(|value| weight(*value, bits, layer)).collect()
}

/// Rounds the bias of a unit and checks that its sum over units cannot overflow.
fn checked_bias(
    bias: f32,
    weights: impl Iterator<Item = i16>,
    bits: u32,
    overflow: QuantizeError,
) -> Result<i32, QuantizeError> {
    let bias = rounded(bias, bits + UNIT_BITS);
    let most: i64 = weights.map(|weight| i64::from(weight).abs()).sum();
    if bias.abs() + (most << UNIT_BITS) > i64::from(i32::MAX) {
        return Err(overflow);
    }
    Ok(bias as i32)
}

impl FeatureTransformer {
    pub fn new(layer: &LayerWeights, max_active: usize) -> Result<Self, QuantizeError> {
        finest(|bits| Self::with_scale(layer, max_active, bits))
    }

    fn with_scale(
        layer: &LayerWeights,
        max_active: usize,
        bits: u32,
    ) -> Result<Self, QuantizeError> {
        let outputs = layer.bias.len();
        let bias = weights(&layer.bias, bits, 1)?;
        let rounded = weights(&layer.weights, bits, 1)?;
        for unit in 0..outputs {
            let column = rounded.iter().skip(unit).step_by(outputs);
            let mut column: Vec<i32> = column.map(|weight| i32::from(*weight)).collect();
            column.sort_unstable();
            let most: i32 = column
                .iter()
                .rev()
                .take(max_active)
                .map(|w| w.max(&0))
                .sum();
            let least: i32 = column.iter().take(max_active).map(|w| w.min(&0)).sum();
            let bias = i32::from(bias[unit]);
            if [bias + most, bias + least]
                .iter()
                .any(|sum| i16::try_from(*sum).is_err())
            {
                return Err(QuantizeError::Sum {
                    layer: 1,
                    unit: unit + 1,
                    bits: i16::BITS,
                });
            }
        }
        Ok(Self {
            bits,
            bias: blocks(&bias).collect(),
            rows: rounded.chunks(outputs).flat_map(blocks).collect(),
        })
    }
}

impl HiddenLayer {
    pub fn new(layer: &LayerWeights, number: usize) -> Result<Self, QuantizeError> {
        finest(|bits| Self::with_scale(layer, number, bits))
    }

    fn with_scale(layer: &LayerWeights, number: usize, bits: u32) -> Result<Self, QuantizeError> {
        let outputs = layer.bias.len();
        let rounded = weights(&layer.weights, bits, number)?;
        let inputs = (rounded.len() / outputs).div_ceil(LANES);
        let mut blocks = vec![
            OutputBlock {
                bias: Default::default(),
                inputs: vec![Default::default(); inputs],
            };
            outputs.div_ceil(LANES)
        ];
        for unit in 0..outputs {
            let block = &mut blocks[unit / LANES];
            let (half, lane) = (unit % LANES / 8, unit % 8);
            let column = || rounded.iter().skip(unit).step_by(outputs).copied();
            for (input, weight) in column().enumerate() {
                let pair = &mut block.inputs[input / LANES][input % LANES / 2];
                pair[half].0[2 * lane + input % 2] = weight;
            }
            let overflow = QuantizeError::Sum {
                layer: number,
                unit: unit + 1,
                bits: i32::BITS,
            };
            block.bias[half].0[lane] = checked_bias(layer.bias[unit], column(), bits, overflow)?;
        }
        let outputs = blocks;
        Ok(Self { bits, outputs })
    }
}

impl OutputLayer {
    pub fn new(layer: &LayerWeights, number: usize) -> Result<Self, QuantizeError> {
        finest(|bits| Self::with_scale(layer, number, bits))
    }

    fn with_scale(layer: &LayerWeights, number: usize, bits: u32) -> Result<Self, QuantizeError> {
        let buckets = layer.bias.len();
        let rounded = weights(&layer.weights, bits, number)?;
        let (mut rows, mut bias) = (Vec::new(), Vec::new());
        for bucket in 0..buckets {
            let row: Vec<i16> = rounded
                .iter()
                .skip(bucket)
                .step_by(buckets)
                .copied()
                .collect();
            let overflow = QuantizeError::Sum {
                layer: number,
                unit: bucket + 1,
                bits: i32::BITS,
            };
            bias.push(checked_bias(
                layer.bias[bucket],
                row.iter().copied(),
                bits,
                overflow,
            )?);
            rows.extend(blocks(&row));
        }
        let inputs = rows.len() / buckets;
        Ok(Self {
            bits,
            inputs,
            rows,
            bias,
        })
    }

    /// Returns the weights of a bucket.
    #[inline]
    pub fn row(&self, bucket: usize) -> &[Block] {
        &self.rows[bucket * self.inputs..(bucket + 1) * self.inputs]
    }
}
