//! The network in integers: 16-bit sums of features that an accumulator keeps up to date, and small
//! layers over them.
//!
//! Every layer has its own scale, the finest at which no sum can leave its integers; a network that
//! has none is refused. So sums are exact, and any order of adding and any instructions give the
//! same integers.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod layout;
mod portable;

use thiserror::Error;

use super::{Activation, Architecture, Network};
pub(super) use layout::Block;
use layout::{Dense, LANES, Output, Sparse};

/// A unit's value of 1 between two layers, as a power of two.
const UNIT_BITS: u32 = 13;
/// The finest scale of weights, as a power of two.
const FINEST: u32 = 12;
/// The coarsest: rounding weights to 1/64 costs nothing that could be measured, to less it might.
const COARSEST: u32 = 6;

/// Why a network cannot be played in integers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuantizeError {
    /// A sum could leave its integers even at the coarsest scale.
    #[error(
        "Layer {layer} has weights so large that unit {unit} could overflow its {bits}-bit sum. \
         Play it with body=float, or train it with a smaller weight_clip."
    )]
    Sum {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// The unit, from 1.
        unit: usize,
        /// Bits of its sum.
        bits: u32,
    },
    /// A weight is beyond its integers even at the coarsest scale.
    #[error(
        "Layer {layer} has the weight {weight}, too large for 16 bits. Play it with body=float, or \
         train it with a smaller weight_clip."
    )]
    Weight {
        /// The layer, from 1 on the input side.
        layer: usize,
        /// The weight, in words.
        weight: String,
    },
}

/// Which instructions the integers are computed with; all give the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    Portable,
}

impl Instructions {
    /// The quickest that this processor has.
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Portable
    }
}

/// A network laid out for judging positions in integers; one serves any number of threads.
///
/// Its weights are rounded to steps of between 1/64 and 1/4096, units to steps of 1/8192.
#[derive(Debug, Clone)]
pub struct Quantized {
    activation: Activation,
    first: Sparse,
    hidden: Vec<Dense>,
    output: Output,
    /// Blocks of the widest layer.
    widest: usize,
    instructions: Instructions,
}

impl Quantized {
    /// Rounds the weights of `network`, of whose features a position switches on `max_active` at
    /// most.
    ///
    /// # Errors
    /// If a sum could overflow.
    pub fn new(network: &Network, max_active: usize) -> Result<Self, QuantizeError> {
        let architecture = network.architecture();
        let layers = &network.weights().layers;
        let depth = architecture.hidden.len();
        let first = Sparse::new(&layers[0], max_active)?;
        let hidden = layers[1..depth].iter().enumerate();
        let hidden: Vec<_> = hidden
            .map(|(index, layer)| Dense::new(layer, index + 2))
            .collect::<Result<_, _>>()?;
        let width = |units: &usize| units.div_ceil(LANES);
        Ok(Self {
            activation: architecture.activation,
            first,
            hidden,
            output: Output::new(&layers[depth], depth + 1)?,
            widest: architecture.hidden.iter().map(width).max().unwrap_or(0),
            instructions: Instructions::best(),
        })
    }

    /// The network computed without special instructions: the same integers, more slowly.
    #[must_use]
    pub fn portable(self) -> Self {
        Self {
            instructions: Instructions::Portable,
            ..self
        }
    }

    /// Score of the position whose `active` features are given, in logits from `Max`'s view.
    ///
    /// # Panics
    /// If a feature is not below the size of the network's feature set.
    #[must_use]
    pub fn forward(&self, active: &[u16]) -> f32 {
        let mut sums = vec![Block::default(); self.width()];
        self.refresh(active, &mut sums);
        self.score(&sums)
    }

    /// Blocks of the first layer's sums.
    pub(super) fn width(&self) -> usize {
        self.first.bias.len()
    }

    /// Sums the first layer for the active features of a position.
    #[inline]
    pub(super) fn refresh(&self, active: &[u16], sums: &mut [Block]) {
        self.update(&self.first.bias, sums, active, &[]);
    }

    /// Sums the first layer for a position from the sums of another, given the features that go on
    /// and off.
    #[inline]
    pub(super) fn update(&self, before: &[Block], after: &mut [Block], on: &[u16], off: &[u16]) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => avx2.update(&self.first, before, after, on, off),
            Instructions::Portable => portable::update(&self.first, before, after, on, off),
        }
    }

    /// The score, in logits, that follows from the first layer's sums.
    #[inline]
    pub(super) fn score(&self, sums: &[Block]) -> f32 {
        // Below 2^24 the conversion is exact; beyond, it rounds the same way everywhere.
        self.logit(sums) as f32 / (1u32 << (UNIT_BITS + self.output.bits)) as f32
    }

    fn logit(&self, sums: &[Block]) -> i32 {
        // Stack for the width at hand: clearing it for the widest would cost more than the sums.
        match self.widest {
            0..=4 => self.propagate::<4>(sums),
            5..=16 => self.propagate::<16>(sums),
            _ => self.propagate::<{ Architecture::MAX_WIDTH / LANES }>(sums),
        }
    }

    #[inline]
    fn propagate<const N: usize>(&self, sums: &[Block]) -> i32 {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => avx2.propagate::<N>(self, sums),
            Instructions::Portable => portable::propagate::<N>(self, sums),
        }
    }
}

#[cfg(test)]
mod tests;
