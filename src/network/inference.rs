//! The forward pass that search calls: by hand, one position at a time, without allocation.
//!
//! Each sum runs in one fixed order, eight units side by side, which compilers turn into vector
//! instructions by themselves; so results agree to the last bit on all machines.

use super::{Activation, Architecture, Layer, Network};

/// Units of a block.
const LANES: usize = 8;

/// Eight neighbouring units.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Block([f32; LANES]);

impl Block {
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

/// Cuts `values` into blocks, the last one filled up with zeros.
fn blocks(values: &[f32]) -> impl Iterator<Item = Block> {
    values.chunks(LANES).map(|chunk| {
        let mut block = Block::default();
        block.0[..chunk.len()].copy_from_slice(chunk);
        block
    })
}

/// A layer whose units are filled up with zeros to whole blocks.
#[derive(Debug, Clone)]
struct Dense {
    bias: Vec<Block>,
    /// A row for each input, as long as the bias.
    rows: Vec<Block>,
}

/// What a layer sums over.
trait Source {
    /// Sums blocks `start..start + T` of `dense`, bias included.
    fn sum<const T: usize>(&self, dense: &Dense, start: usize) -> [Block; T];
}

/// The indices of the inputs that are 1, all others being 0.
struct Active<'a>(&'a [u16]);

impl Source for Active<'_> {
    #[inline(always)]
    fn sum<const T: usize>(&self, dense: &Dense, start: usize) -> [Block; T] {
        let mut sums = dense.bias_tile(start);
        for &feature in self.0 {
            let at = usize::from(feature) * dense.bias.len() + start;
            for (sum, weights) in sums.iter_mut().zip(&dense.rows[at..at + T]) {
                sum.add(weights);
            }
        }
        sums
    }
}

/// The units of the layer before.
struct Units<'a>(&'a [Block]);

impl Source for Units<'_> {
    #[inline(always)]
    fn sum<const T: usize>(&self, dense: &Dense, start: usize) -> [Block; T] {
        // Even and odd inputs are summed apart, so that an addition need not wait for the last.
        let mut even = dense.bias_tile::<T>(start);
        let mut odd = [Block::default(); T];
        let width = dense.bias.len();
        let inputs = self.0.iter().flat_map(|block| block.0.as_chunks::<2>().0);
        // Rows end with the last real input, before those that only fill up its block.
        for (&[first, second], rows) in inputs.zip(dense.rows.chunks(2 * width)) {
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

impl Dense {
    fn new(layer: &Layer) -> Self {
        let outputs = layer.bias.len();
        Self {
            bias: blocks(&layer.bias).collect(),
            rows: layer.weights.chunks(outputs).flat_map(blocks).collect(),
        }
    }

    #[inline(always)]
    fn bias_tile<const T: usize>(&self, start: usize) -> [Block; T] {
        let mut tile = [Block::default(); T];
        tile.copy_from_slice(&self.bias[start..start + T]);
        tile
    }

    /// Writes the layer's units, tile by tile: a tile's sums stay in registers.
    #[inline(always)]
    fn forward(&self, source: impl Source, activation: Activation, units: &mut [Block]) {
        let mut start = 0;
        while start < self.bias.len() {
            start += match self.bias.len() - start {
                4.. => self.tile::<4>(&source, activation, start, units),
                2 | 3 => self.tile::<2>(&source, activation, start, units),
                _ => self.tile::<1>(&source, activation, start, units),
            };
        }
    }

    #[inline(always)]
    fn tile<const T: usize>(
        &self,
        source: &impl Source,
        activation: Activation,
        start: usize,
        units: &mut [Block],
    ) -> usize {
        let mut sums = source.sum::<T>(self, start);
        for sum in &mut sums {
            sum.activate(activation);
        }
        units[start..start + T].copy_from_slice(&sums);
        T
    }
}

/// [`Inference::forward`], compiled twice: with AVX2, and for any processor of the kind. Neither
/// fuses multiplications with additions, so both give the same bits.
#[multiversion::multiversion(targets("x86_64+avx+avx2"))]
fn forward(inference: &Inference, active: &[u16]) -> f32 {
    // Stack for the width at hand: clearing it for the widest would cost more than the sums.
    match inference.widest {
        0..=8 => inference.run::<8>(active),
        9..=32 => inference.run::<32>(active),
        _ => inference.run::<{ Architecture::MAX_WIDTH / LANES }>(active),
    }
}

/// A network laid out for judging single positions; one serves any number of threads.
///
/// It holds to the burn body of the same weights within 1e-5.
#[derive(Debug, Clone)]
pub struct Inference {
    activation: Activation,
    first: Dense,
    hidden: Vec<Dense>,
    output: Vec<Block>,
    output_bias: f32,
    /// Blocks of the widest layer.
    widest: usize,
}

impl Inference {
    /// Lays out the weights of `network`.
    pub fn new(network: &Network) -> Self {
        let architecture = network.architecture();
        let layers = &network.weights().layers;
        let depth = architecture.hidden.len();
        let dense: Vec<Dense> = layers[..depth].iter().map(Dense::new).collect();
        Self {
            activation: architecture.activation,
            widest: dense
                .iter()
                .map(|dense| dense.bias.len())
                .max()
                .unwrap_or(0),
            first: dense[0].clone(),
            hidden: dense[1..].to_vec(),
            output: blocks(&layers[depth].weights).collect(),
            output_bias: layers[depth].bias[0],
        }
    }

    /// Score of the position whose `active` features are given, in logits from `Max`'s view:
    /// always finite.
    ///
    /// The same features in the same order give the same bits; another order may round
    /// otherwise.
    ///
    /// # Panics
    /// If a feature is not below the size of the network's feature set.
    pub fn forward(&self, active: &[u16]) -> f32 {
        forward(self, active)
    }

    #[inline(always)]
    fn run<const N: usize>(&self, active: &[u16]) -> f32 {
        let mut units = [Block::default(); N];
        self.first
            .forward(Active(active), self.activation, &mut units);
        let mut inputs = self.first.bias.len();
        for dense in &self.hidden {
            let mut next = [Block::default(); N];
            dense.forward(Units(&units[..inputs]), self.activation, &mut next);
            units = next;
            inputs = dense.bias.len();
        }
        let mut products = Block::default();
        for (unit, weights) in units.iter().zip(&self.output) {
            for ((product, unit), weight) in products.0.iter_mut().zip(unit.0).zip(weights.0) {
                *product += unit * weight;
            }
        }
        self.output_bias + products.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::architecture::tests::architecture;
    use proptest::prelude::*;

    fn network(features: usize, hidden: &[usize], activation: Activation, seed: u64) -> Network {
        Network::random(architecture(features, hidden, activation), seed).unwrap()
    }

    /// The definition of the network, one sum after the other in double precision.
    fn reference(network: &Network, active: &[u16]) -> f64 {
        let architecture = network.architecture();
        let mut units = vec![0.0f64; architecture.features.size];
        for &feature in active {
            units[usize::from(feature)] = 1.0;
        }
        for (index, layer) in network.weights().layers.iter().enumerate() {
            let outputs = layer.bias.len();
            units = (0..outputs)
                .map(|output| {
                    let products = units.iter().enumerate().map(|(input, unit)| {
                        unit * f64::from(layer.weights[input * outputs + output])
                    });
                    let sum = f64::from(layer.bias[output]) + products.sum::<f64>();
                    match (index == architecture.hidden.len(), architecture.activation) {
                        (true, _) => sum,
                        (false, Activation::CRelu) => sum.clamp(0.0, 1.0),
                        (false, Activation::ScRelu) => sum.clamp(0.0, 1.0).powi(2),
                    }
                })
                .collect();
        }
        units[0]
    }

    prop_compose! {
        fn networks()(
            features in 1usize..90,
            hidden in prop::collection::vec(1usize..80, 1..=3),
            squared: bool,
            seed: u64,
        ) -> Network {
            let activation = if squared { Activation::ScRelu } else { Activation::CRelu };
            let mut network = network(features, &hidden, activation, seed);
            // Biases other than the initial zeros, so that a forgotten one is missed.
            let metadata = network.metadata().clone();
            let mut weights = network.weights().clone();
            for layer in &mut weights.layers {
                for (index, bias) in layer.bias.iter_mut().enumerate() {
                    *bias = 0.1 * (index % 7) as f32 - 0.2;
                }
            }
            network = Network::new(metadata, weights).unwrap();
            network
        }
    }

    proptest! {
        #[test]
        fn it_computes_the_network_of_its_definition(
            network in networks(),
            mask in any::<u128>(),
        ) {
            let features = network.architecture().features.size as u16;
            let active: Vec<u16> = (0..features).filter(|f| mask >> f & 1 == 1).collect();
            let inference = Inference::new(&network);
            let found = inference.forward(&active);
            let expected = reference(&network, &active);
            prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{} for {}", found, expected);
            // Compiled here for any processor.
            prop_assert_eq!(inference.run::<32>(&active).to_bits(), found.to_bits());
        }
    }

    #[test]
    fn the_widest_network_fits() {
        let network = network(300, &[1024, 513, 1024], Activation::CRelu, 3);
        let active: Vec<u16> = (0..300).step_by(3).collect();
        let found = f64::from(Inference::new(&network).forward(&active));
        assert!((found - reference(&network, &active)).abs() < 1e-4);
    }

    /// The very bits, so that no compiler or machine may change the order of sums unseen.
    #[test]
    fn the_result_is_the_same_to_the_last_bit_everywhere() {
        let inference = Inference::new(&network(77, &[32, 16], Activation::ScRelu, 1));
        let active: Vec<u16> = (0..77).step_by(4).collect();
        assert_eq!(inference.forward(&active).to_bits(), 3_183_360_696);
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
        assert!(Inference::new(&network).forward(&active).is_finite());
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn a_feature_of_another_set_is_not_read_from_elsewhere() {
        Inference::new(&network(8, &[8], Activation::CRelu, 1)).forward(&[8]);
    }
}
