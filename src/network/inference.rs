//! The forward pass in floating point, one position at a time, without allocation.
//!
//! Every sum has a fixed order, eight units side by side, which the compiler vectorises; results agree
//! to the last bit on all machines.

use super::{Activation, Architecture, LayerWeights, Network};

/// Units of a block.
const LANES: usize = 8;

/// Eight neighbouring units.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct FloatBlock([f32; LANES]);

impl FloatBlock {
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(&other.0) {
            *sum += value;
        }
    }

    #[inline(always)]
    fn add_scaled(&mut self, other: &Self, scale: f32) {
        for (sum, value) in self.0.iter_mut().zip(&other.0) {
            *sum += scale * value;
        }
    }

    #[inline(always)]
    fn activate(&mut self, activation: Activation) {
        for value in &mut self.0 {
            *value = value.clamp(0.0, 1.0);
        }
        if let Activation::ScRelu = activation {
            for value in &mut self.0 {
                *value *= *value;
            }
        }
    }

    #[inline(always)]
    fn total(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// Splits `values` into blocks, the last one padded with zeros.
fn blocks(values: &[f32]) -> impl Iterator<Item = FloatBlock> {
    values.chunks(LANES).map(|chunk| {
        let mut block = FloatBlock::default();
        block.0[..chunk.len()].copy_from_slice(chunk);
        block
    })
}

/// A layer whose units are padded with zeros to whole blocks.
#[derive(Debug, Clone)]
struct FloatLayer {
    bias: Vec<FloatBlock>,
    /// A row for each input, as long as the bias.
    rows: Vec<FloatBlock>,
}

/// The inputs of a layer.
trait LayerInput {
    /// Returns sums `start..start + T` of `layer`, bias included.
    fn sum<const T: usize>(&self, layer: &FloatLayer, start: usize) -> [FloatBlock; T];
}

/// Indices of the inputs that are 1; all others are 0.
struct ActiveFeatures<'a>(&'a [u16]);

impl LayerInput for ActiveFeatures<'_> {
    #[inline(always)]
    fn sum<const T: usize>(&self, layer: &FloatLayer, start: usize) -> [FloatBlock; T] {
        let mut sums = layer.bias_tile(start);
        for &feature in self.0 {
            let at = usize::from(feature) * layer.bias.len() + start;
            for (sum, weights) in sums.iter_mut().zip(&layer.rows[at..at + T]) {
                sum.add(weights);
            }
        }
        sums
    }
}

/// Units of the previous layer.
struct UnitBlocks<'a>(&'a [FloatBlock]);

impl LayerInput for UnitBlocks<'_> {
    #[inline(always)]
    fn sum<const T: usize>(&self, layer: &FloatLayer, start: usize) -> [FloatBlock; T] {
        // Even and odd inputs are summed separately, so that an addition need not wait for the previous one.
        let mut even = layer.bias_tile::<T>(start);
        let mut odd = [FloatBlock::default(); T];
        let width = layer.bias.len();
        let inputs = self.0.iter().flat_map(|block| block.0.as_chunks::<2>().0);
        // Rows end with the last real input, before the padding of its block.
        for (&[first, second], rows) in inputs.zip(layer.rows.chunks(2 * width)) {
            for (sum, weights) in even.iter_mut().zip(&rows[start..start + T]) {
                sum.add_scaled(weights, first);
            }
            if let Some(row) = rows.get(width + start..width + start + T) {
                for (sum, weights) in odd.iter_mut().zip(row) {
                    sum.add_scaled(weights, second);
                }
            }
        }
        for (sum, other) in even.iter_mut().zip(&odd) {
            sum.add(other);
        }
        even
    }
}

impl FloatLayer {
    fn new(layer: &LayerWeights) -> Self {
        let outputs = layer.bias.len();
        Self {
            bias: blocks(&layer.bias).collect(),
            rows: layer.weights.chunks(outputs).flat_map(blocks).collect(),
        }
    }

    #[inline(always)]
    fn bias_tile<const T: usize>(&self, start: usize) -> [FloatBlock; T] {
        let mut tile = [FloatBlock::default(); T];
        tile.copy_from_slice(&self.bias[start..start + T]);
        tile
    }

    /// Writes the layer's units tile by tile: a tile's sums stay in registers.
    #[inline(always)]
    fn forward(&self, input: impl LayerInput, activation: Activation, units: &mut [FloatBlock]) {
        let mut start = 0;
        while start < self.bias.len() {
            start += match self.bias.len() - start {
                4.. => self.tile::<4>(&input, activation, start, units),
                2 | 3 => self.tile::<2>(&input, activation, start, units),
                _ => self.tile::<1>(&input, activation, start, units),
            };
        }
    }

    #[inline(always)]
    fn tile<const T: usize>(
        &self,
        input: &impl LayerInput,
        activation: Activation,
        start: usize,
        units: &mut [FloatBlock],
    ) -> usize {
        let mut sums = input.sum::<T>(self, start);
        for sum in &mut sums {
            sum.activate(activation);
        }
        units[start..start + T].copy_from_slice(&sums);
        T
    }
}

/// [`Inference::forward`], compiled with AVX2 and for any processor. Neither fuses multiplications
/// with additions, so both return the same bits.
#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn forward(inference: &Inference, views: &[&[u16]], bucket: usize) -> f32 {
    // Arrays of a fitting size: clearing the widest costs more than the sums.
    match inference.widest {
        0..=8 => inference.run::<8>(views, bucket),
        9..=32 => inference.run::<32>(views, bucket),
        _ => inference.run::<MOST_BLOCKS>(views, bucket),
    }
}

const MOST_BLOCKS: usize = Architecture::MAX_VIEWS * Architecture::MAX_WIDTH / LANES;

/// A network in floating point; any number of threads can share it.
///
/// Scores differ from those of the burn module by less than 1e-5.
#[derive(Debug, Clone)]
pub struct Inference {
    activation: Activation,
    views: usize,
    transformer: FloatLayer,
    hidden: Vec<FloatLayer>,
    /// Output weights and bias of each bucket.
    outputs: Vec<(Vec<FloatBlock>, f32)>,
    /// Blocks of the widest layer.
    widest: usize,
}

impl Inference {
    /// Lays out the weights of `network`.
    pub fn new(network: &Network) -> Self {
        let architecture = network.architecture();
        let layers = network.weights().with_whole_blocks(architecture, LANES);
        let depth = architecture.hidden.len();
        let dense: Vec<FloatLayer> = layers[..depth].iter().map(FloatLayer::new).collect();
        let width = |(index, layer): (usize, &FloatLayer)| match index {
            0 => architecture.views * layer.bias.len(),
            _ => layer.bias.len(),
        };
        let output = &layers[depth];
        let buckets = output.bias.iter().enumerate().map(|(bucket, &bias)| {
            let row = output.weights.iter().skip(bucket);
            let row: Vec<f32> = row.step_by(output.bias.len()).copied().collect();
            (blocks(&row).collect(), bias)
        });
        Self {
            activation: architecture.activation,
            views: architecture.views,
            widest: dense.iter().enumerate().map(width).max().unwrap_or(0),
            transformer: dense[0].clone(),
            hidden: dense[1..].to_vec(),
            outputs: buckets.collect(),
        }
    }

    /// Returns the logit of an output bucket, always finite, given the active features of each view:
    /// the score of `Max`, or of the side to move with a feature set of two views.
    ///
    /// The same features in the same order give the same bits; another order may round differently.
    ///
    /// # Panics
    /// If a feature is not below the size of the network's feature set, the number of views differs, or
    /// there is no such bucket.
    pub fn forward(&self, views: &[&[u16]], bucket: usize) -> f32 {
        assert_eq!(views.len(), self.views, "number of views");
        forward(self, views, bucket)
    }

    /// Returns the number of views.
    pub(super) fn views(&self) -> usize {
        self.views
    }

    /// Returns the number of output buckets.
    pub(super) fn output_buckets(&self) -> usize {
        self.outputs.len()
    }

    #[inline(always)]
    fn run<const N: usize>(&self, views: &[&[u16]], bucket: usize) -> f32 {
        let mut units = [FloatBlock::default(); N];
        let width = self.transformer.bias.len();
        for (view, units) in views.iter().zip(units.chunks_mut(width)) {
            self.transformer
                .forward(ActiveFeatures(view), self.activation, units);
        }
        let mut inputs = views.len() * width;
        for layer in &self.hidden {
            let mut next = [FloatBlock::default(); N];
            layer.forward(UnitBlocks(&units[..inputs]), self.activation, &mut next);
            units = next;
            inputs = layer.bias.len();
        }
        let (weights, bias) = &self.outputs[bucket];
        let mut products = FloatBlock::default();
        for (unit, weights) in units.iter().zip(weights) {
            for ((product, unit), weight) in products.0.iter_mut().zip(unit.0).zip(weights.0) {
                *product += unit * weight;
            }
        }
        bias + products.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::architecture::tests::architecture;
    use crate::network::reference::{lists, networks, reference};
    use proptest::prelude::*;

    fn network(features: usize, hidden: &[usize], activation: Activation, seed: u64) -> Network {
        Network::random(architecture(features, hidden, activation), seed).unwrap()
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_definition(
            network in networks(1.0..1.0001),
            masks in any::<[u128; 2]>(),
            bucket in any::<prop::sample::Index>(),
        ) {
            let lists = lists(&network, masks);
            let views: Vec<&[u16]> = lists.iter().map(Vec::as_slice).collect();
            let bucket = bucket.index(network.architecture().output_buckets);
            let inference = Inference::new(&network);
            let found = inference.forward(&views, bucket);
            let expected = reference(&network, &views, bucket);
            prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{} for {}", found, expected);
            // Compiled here for any processor.
            prop_assert_eq!(inference.run::<32>(&views, bucket).to_bits(), found.to_bits());
        }
    }

    #[test]
    fn the_widest_network_fits() {
        let network = network(300, &[1024, 513, 1024], Activation::CRelu, 3);
        let active: Vec<u16> = (0..300).step_by(3).collect();
        let found = f64::from(Inference::new(&network).forward(&[&active], 0));
        assert!((found - reference(&network, &[&active], 0)).abs() < 1e-4);
    }

    /// Exact bits, so that a changed order of sums is noticed.
    #[test]
    fn the_result_is_the_same_to_the_last_bit_everywhere() {
        let inference = Inference::new(&network(77, &[32, 16], Activation::ScRelu, 1));
        let active: Vec<u16> = (0..77).step_by(4).collect();
        assert_eq!(inference.forward(&[&active], 0).to_bits(), 3_183_360_696);
    }

    #[test]
    fn extreme_weights_give_a_finite_score() {
        let network = network(8, &[8, 8], Activation::ScRelu, 1);
        let metadata = network.metadata().clone();
        let mut weights = network.weights().clone();
        for layer in &mut weights.layers {
            layer.weights.fill(crate::network::Weights::MAX_SIZE);
        }
        let network = Network::new(metadata, weights).unwrap();
        let active: Vec<u16> = (0..8).collect();
        assert!(Inference::new(&network).forward(&[&active], 0).is_finite());
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn a_feature_out_of_range_panics() {
        Inference::new(&network(8, &[8], Activation::CRelu, 1)).forward(&[&[8]], 0);
    }
}
