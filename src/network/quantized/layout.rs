//! Rounded weights, laid out for the order in which they are read.

use super::{COARSEST, FINEST, QuantizeError, UNIT_BITS};
use crate::network::Layer;

/// Units of a block.
pub(super) const LANES: usize = 16;

/// Sixteen neighbouring units or weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Block(pub(super) [i16; LANES]);

/// Eight neighbouring sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Sums(pub(super) [i32; LANES / 2]);

/// The first layer: a row of weights for each feature.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    /// The scale of weights and sums, as a power of two.
    pub bits: u32,
    pub bias: Vec<Block>,
    /// A row for each feature, as long as the bias.
    pub rows: Vec<Block>,
}

/// A layer between two others.
#[derive(Debug, Clone)]
pub(super) struct Dense {
    /// The scale of weights, as a power of two; sums have that of units on top.
    pub bits: u32,
    pub outputs: Vec<OutputBlock>,
}

/// What sixteen neighbouring units of a layer are summed from.
#[derive(Debug, Clone)]
pub(super) struct OutputBlock {
    pub bias: [Sums; 2],
    /// For each block of inputs and each pair in it, the weights of the first eight units and of the
    /// last, each unit's two side by side.
    pub inputs: Vec<[[Block; 2]; LANES / 2]>,
}

/// The layer of the logit.
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// The scale of weights, as a power of two; the sum has that of units on top.
    pub bits: u32,
    pub weights: Vec<Block>,
    pub bias: i32,
}

/// A value as a whole number of steps of 2^−`bits`.
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

/// What `layout` makes of the finest scale that it accepts, or its complaint about the coarsest.
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

/// The bias of a unit of a layer over units, if the sum can never overflow.
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

impl Sparse {
    pub fn new(layer: &Layer, max_active: usize) -> Result<Self, QuantizeError> {
        finest(|bits| Self::with_scale(layer, max_active, bits))
    }

    fn with_scale(layer: &Layer, max_active: usize, bits: u32) -> Result<Self, QuantizeError> {
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

impl Dense {
    pub fn new(layer: &Layer, number: usize) -> Result<Self, QuantizeError> {
        finest(|bits| Self::with_scale(layer, number, bits))
    }

    fn with_scale(layer: &Layer, number: usize, bits: u32) -> Result<Self, QuantizeError> {
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

impl Output {
    pub fn new(layer: &Layer, number: usize) -> Result<Self, QuantizeError> {
        finest(|bits| {
            let rounded = weights(&layer.weights, bits, number)?;
            let overflow = QuantizeError::Sum {
                layer: number,
                unit: 1,
                bits: i32::BITS,
            };
            let bias = checked_bias(layer.bias[0], rounded.iter().copied(), bits, overflow)?;
            Ok(Self {
                bits,
                weights: blocks(&rounded).collect(),
                bias,
            })
        })
    }
}
