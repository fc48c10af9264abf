//! The network in integers: 16-bit sums of features, which an accumulator keeps up to date, and small
//! layers over them.
//!
//! Every layer has the finest quantisation shift at which no sum can overflow its integers; a network
//! for which no shift suffices is rejected. So sums are exact, and any order and any instructions give
//! the same integers.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod layout;
mod portable;

use thiserror::Error;

use super::{Activation, Architecture, Network};
pub(super) use layout::Block;
use layout::{FeatureTransformer, HiddenLayer, LANES, OutputLayer};

/// Quantisation shift of units: 1 is 2^13.
const UNIT_BITS: u32 = 13;
/// Largest quantisation shift of weights.
const FINEST: u32 = 12;
/// Smallest quantisation shift of weights: rounding to 1/64 has no measurable cost.
const COARSEST: u32 = 6;

/// A network that cannot be quantised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuantizeError {
    /// A sum could overflow even at the coarsest scale.
    #[error(
        "layer {layer} has weights so large that unit {unit} could overflow its {bits}-bit sum; \
         train it with a smaller weight_clip"
    )]
    Sum {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// The unit, from 1.
        unit: usize,
        /// Bits of its sum.
        bits: u32,
    },
    /// A weight overflows even at the coarsest scale.
    #[error(
        "layer {layer} has the weight {weight}, too large for 16 bits; train it with a smaller \
         weight_clip"
    )]
    Weight {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// The weight as text.
        weight: String,
    },
}

/// Instruction sets; all give the same integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    Portable,
}

impl Instructions {
    /// Returns the fastest set of this processor.
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Portable
    }
}

/// The feature transformer's sums of each view, in the order of the network's inputs; the second is
/// empty for a network with one view.
pub(super) type ViewSums<'a> = [&'a [Block]; Architecture::MAX_VIEWS];

/// A network in integers; any number of threads can share it.
///
/// Weights are rounded to steps of between 1/64 and 1/4096, units to steps of 1/8192.
#[derive(Debug, Clone)]
pub struct Quantized {
    activation: Activation,
    views: usize,
    transformer: FeatureTransformer,
    hidden: Vec<HiddenLayer>,
    output: OutputLayer,
    /// Blocks of the widest layer.
    widest: usize,
    instructions: Instructions,
}

impl Quantized {
    /// Rounds the weights of `network`; a view of a position has at most `max_active` active features.
    ///
    /// # Errors
    /// If a sum could overflow.
    pub fn new(network: &Network, max_active: usize) -> Result<Self, QuantizeError> {
        let architecture = network.architecture();
        let layers = network.weights().with_whole_blocks(architecture, LANES);
        let depth = architecture.hidden.len();
        let transformer = FeatureTransformer::new(&layers[0], max_active)?;
        let hidden = layers[1..depth].iter().enumerate();
        let hidden: Vec<_> = hidden
            .map(|(index, layer)| HiddenLayer::new(layer, index + 2))
            .collect::<Result<_, _>>()?;
        let widths = hidden.iter().map(|layer| layer.outputs.len());
        let transformed = architecture.views * transformer.bias.len();
        Ok(Self {
            activation: architecture.activation,
            views: architecture.views,
            widest: widths.fold(transformed, usize::max),
            transformer,
            hidden,
            output: OutputLayer::new(&layers[depth], depth + 1)?,
            instructions: Instructions::best(),
        })
    }

    /// Returns the network without special instructions: the same integers, more slowly.
    #[must_use]
    pub fn portable(self) -> Self {
        Self {
            instructions: Instructions::Portable,
            ..self
        }
    }

    /// Returns the logit of an output bucket, given the active features of each view: the score of
    /// `Max`, or of the side to move with a feature set of two views.
    ///
    /// # Panics
    /// If a feature is not below the size of the network's feature set, the number of views differs, or
    /// there is no such bucket.
    #[must_use]
    pub fn forward(&self, views: &[&[u16]], bucket: usize) -> f32 {
        assert_eq!(views.len(), self.views, "number of views");
        let mut sums = vec![Block::default(); self.views * self.width()];
        for (active, sums) in views.iter().zip(sums.chunks_mut(self.width())) {
            self.refresh(active, sums);
        }
        let (first, second) = sums.split_at(self.width());
        self.score([first, second], bucket)
    }

    /// Returns the number of views.
    #[inline]
    pub(super) fn views(&self) -> usize {
        self.views
    }

    /// Returns the number of output buckets.
    #[inline]
    pub(super) fn output_buckets(&self) -> usize {
        self.output.bias.len()
    }

    /// Returns the number of blocks of a view's sums.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.transformer.bias.len()
    }

    /// Computes the sums of a view from its active features.
    #[inline]
    pub(super) fn refresh(&self, active: &[u16], sums: &mut [Block]) {
        self.update(&self.transformer.bias, sums, active, &[]);
    }

    /// Computes the sums of a view from those of another position, given the features that are switched
    /// on and off.
    #[inline]
    pub(super) fn update(&self, before: &[Block], after: &mut [Block], on: &[u16], off: &[u16]) {
        let layer = &self.transformer;
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => avx2.update(layer, before, after, on, off),
            Instructions::Portable => portable::update(layer, before, after, on, off),
        }
    }

    /// Returns the logit of a bucket, given the sums of each view.
    #[inline]
    pub(super) fn score(&self, sums: ViewSums, bucket: usize) -> f32 {
        // Below 2^24 the conversion is exact; beyond, it rounds the same way everywhere.
        self.logit(sums, bucket) as f32 / (1u32 << (UNIT_BITS + self.output.bits)) as f32
    }

    fn logit(&self, sums: ViewSums, bucket: usize) -> i32 {
        // Arrays of a fitting size: clearing the widest costs more than the sums.
        match self.widest {
            0..=4 => self.propagate::<4>(sums, bucket),
            5..=16 => self.propagate::<16>(sums, bucket),
            17..=64 => self.propagate::<64>(sums, bucket),
            _ => self.propagate::<MOST_BLOCKS>(sums, bucket),
        }
    }

    #[inline]
    fn propagate<const N: usize>(&self, sums: ViewSums, bucket: usize) -> i32 {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => avx2.propagate::<N>(self, sums, bucket),
            Instructions::Portable => portable::propagate::<N>(self, sums, bucket),
        }
    }
}

const MOST_BLOCKS: usize = Architecture::MAX_VIEWS * Architecture::MAX_WIDTH / LANES;

#[cfg(test)]
mod tests;
