//! The loss of a batch and its gradient: by burn, except for the feature transformer on the CPU.

use std::ops::Range;

use burn::tensor::activation::{log_sigmoid, sigmoid};
use burn::tensor::{Device, Gradients, Tensor, TensorData, TensorReadError};
use rayon::prelude::*;

use super::input::{TransformerGradient, TransformerWeights};
use super::{Batch, Loss};
use crate::network::TrainableNetwork;

/// Positions that a thread takes at a time: few enough for a core's cache, and enough to make burn's
/// cost per operation negligible. The number determines the order of sums.
const CHUNK: usize = 1024;

/// The gradient of one layer, without autodiff.
#[derive(Clone)]
pub(super) struct LayerGradient {
    /// `[inputs, outputs]`.
    pub weight: Tensor<2>,
    /// `[outputs]`.
    pub bias: Tensor<1>,
}

/// The mean loss of a batch and its gradient, input side first.
pub(super) type LossGradient = (f32, Vec<LayerGradient>);

/// Computes the whole batch at once, the inputs as 0 and 1: for devices other than the CPU.
#[cfg(any(test, feature = "wgpu", feature = "cuda"))]
pub(super) fn dense(
    network: &TrainableNetwork,
    loss: Loss,
    batch: &Batch,
    device: &Device,
) -> Result<LossGradient, TensorReadError> {
    let size = batch.len();
    let rows = size * batch.positions().views();
    let inputs = TensorData::new(batch.multi_hot(), [rows, batch.features()]);
    let inputs = Tensor::<2>::from_data(inputs, device); // [batch × views, features]
    let targets = targets(batch, 0..size, device);
    let logits = select_buckets(network.forward(inputs), batch, 0..size, device);
    let loss = sum_of_losses(loss, logits, targets).div_scalar(size as f32);
    let mut gradients = loss.backward();
    let gradient = layers(network, 0, &mut gradients);
    Ok((loss.try_into_scalar()?, gradient))
}

/// Computes the batch in chunks on the threads of the current pool, the feature transformer by hand.
///
/// The result does not depend on the number of threads.
pub(super) fn sparse(
    network: &TrainableNetwork,
    loss: Loss,
    batch: &Batch,
    device: &Device,
) -> Result<LossGradient, TensorReadError> {
    let first = &network.layers[0];
    let transformer = TransformerWeights {
        weights: first.weight.val().try_into_vec_as()?,
        bias: first.bias.val().try_into_vec_as()?,
        activation: network.activation(),
    };
    let size = batch.len();
    // A graph for each chunk, so that threads do not wait for each other.
    let chunks: Vec<_> = (0..size)
        .step_by(CHUNK)
        .map(|start| (start..size.min(start + CHUNK), network.fork()))
        .collect();
    let chunks: Vec<_> = chunks
        .into_par_iter()
        .map(|(range, network)| chunk(&transformer, &network, loss, batch, range, device))
        .collect();
    let (mut total, mut sum): (f32, Option<(TransformerGradient, Vec<LayerGradient>)>) =
        (0.0, None);
    for chunk in chunks {
        let (loss, of_input, of_rest) = chunk?;
        total += loss;
        sum = Some(match sum {
            None => (of_input, of_rest),
            Some((mut input, rest)) => {
                input.add(&of_input);
                (input, rest.into_iter().zip(of_rest).map(added).collect())
            }
        });
    }
    let mut gradient = Vec::new();
    if let Some((of_input, of_rest)) = sum {
        let shape = [batch.features(), of_input.bias.len()];
        let inner = device.clone().without_autodiff();
        gradient.push(LayerGradient {
            bias: Tensor::from_data(TensorData::new(of_input.bias, [shape[1]]), &inner),
            weight: Tensor::from_data(TensorData::new(of_input.weights, shape), &inner),
        });
        gradient.extend(of_rest);
    }
    Ok((total, gradient))
}

/// Computes the share of some positions in the mean loss of the batch and its gradient.
fn chunk(
    transformer: &TransformerWeights,
    network: &TrainableNetwork,
    loss: Loss,
    batch: &Batch,
    range: Range<usize>,
    device: &Device,
) -> Result<(f32, TransformerGradient, Vec<LayerGradient>), TensorReadError> {
    let views = batch.positions().views();
    let lists = views * range.start..views * range.end;
    let mut units = transformer.forward(batch.positions(), lists.clone());
    let active = std::mem::take(&mut units.active);
    let shape = [range.len(), views * transformer.bias.len()];
    let active = Tensor::<2>::from_data(TensorData::new(active, shape), device).require_grad();
    let targets = targets(batch, range.clone(), device);
    let logits = network.forward_units(active.clone()); // [positions, buckets]
    let logits = select_buckets(logits, batch, range, device);
    let loss = sum_of_losses(loss, logits, targets).div_scalar(batch.len() as f32);
    let mut gradients = loss.backward();
    let of_rest = layers(network, 1, &mut gradients);
    let slopes = taken(&active, &mut gradients).try_into_vec_as()?;
    let of_input = transformer.backward(batch.positions(), lists, &units, slopes);
    Ok((loss.try_into_scalar()?, of_input, of_rest))
}

fn targets(batch: &Batch, range: Range<usize>, device: &Device) -> Tensor<2> {
    let shape = [range.len(), 1];
    let targets = TensorData::new(batch.targets()[range].to_vec(), shape);
    Tensor::from_data(targets, device) // [positions, 1]
}

/// Returns the logits `[positions, 1]` of each position's bucket, of those of all buckets.
fn select_buckets(
    logits: Tensor<2>,
    batch: &Batch,
    range: Range<usize>,
    device: &Device,
) -> Tensor<2> {
    let [positions, buckets] = logits.dims();
    if buckets == 1 {
        return logits;
    }
    let mut mask = vec![0.0_f32; positions * buckets];
    for (row, index) in mask.chunks_exact_mut(buckets).zip(range) {
        row[batch.positions().bucket(index)] = 1.0;
    }
    let mask = Tensor::from_data(TensorData::new(mask, [positions, buckets]), device);
    (logits * mask).sum_dim(1)
}

/// Takes the gradients of the layers from number `first` on.
fn layers(
    network: &TrainableNetwork,
    first: usize,
    gradients: &mut Gradients,
) -> Vec<LayerGradient> {
    let layers = network.layers[first..].iter();
    let gradients = layers.map(|layer| LayerGradient {
        weight: taken(&layer.weight.val(), gradients),
        bias: taken(&layer.bias.val(), gradients),
    });
    gradients.collect()
}

fn taken<const D: usize>(tensor: &Tensor<D>, gradients: &mut Gradients) -> Tensor<D> {
    #[expect(
        clippy::expect_used,
        reason = "every parameter is used in every forward pass"
    )]
    tensor.grad_remove(gradients).expect("a gradient")
}

fn added((sum, other): (LayerGradient, LayerGradient)) -> LayerGradient {
    LayerGradient {
        weight: sum.weight + other.weight,
        bias: sum.bias + other.bias,
    }
}

/// Sum of the losses `[1]` of logits and targets, both `[positions, 1]`.
fn sum_of_losses(loss: Loss, logits: Tensor<2>, targets: Tensor<2>) -> Tensor<1> {
    match loss {
        Loss::Mse => (sigmoid(logits) - targets).square().sum(),
        // ln(1 - p) = ln p - logit, so that one stable logarithm serves both terms.
        Loss::CrossEntropy => {
            let doubt = targets.neg().add_scalar(1.0);
            (doubt * logits.clone() - log_sigmoid(logits)).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::EncodedPositions;
    use crate::network::{Activation, Weights, described};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn batch(features: usize, views: usize, buckets: usize, size: usize) -> Batch {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut positions = EncodedPositions::with_capacity(views, size, features / 4);
        let mut targets = Vec::new();
        for index in 0..size {
            let mut list = || -> Vec<u16> {
                let features = 0..features as u16;
                let active = features.filter(|_| random.next_u32().is_multiple_of(4));
                active.collect()
            };
            let lists = [list(), list()];
            let lists: Vec<&[u16]> = lists.iter().map(Vec::as_slice).take(views).collect();
            positions.push(&lists, index * 7 % 11 % buckets);
            targets.push((random.next_u32() % 11) as f32 / 10.0);
        }
        Batch::new(features, positions, targets)
    }

    fn values<const D: usize>(tensor: &Tensor<D>) -> Vec<f32> {
        tensor.clone().try_into_vec_as().unwrap()
    }

    #[test]
    fn sparse_and_dense_steps_have_the_same_loss_and_gradient() {
        let device = Device::flex().autodiff();
        for (features, views, hidden, buckets, size) in [
            (77, 1, &[64, 16][..], 1, 2500),
            (40, 1, &[8], 1, 1024),
            (30, 1, &[59, 3, 5], 1, 1),
            (269, 1, &[21], 1, 1025),
            (77, 2, &[32], 1, 1500),
            (40, 1, &[24, 8], 4, 1100),
            (90, 2, &[21], 4, 1025),
            (33, 2, &[16, 8, 4], 3, 700),
        ] {
            for activation in [Activation::ScRelu, Activation::CRelu] {
                for loss in [Loss::Mse, Loss::CrossEntropy] {
                    let architecture = described((features, views), hidden, buckets, activation);
                    let weights = Weights::random(&architecture, 3);
                    let network = TrainableNetwork::from_weights(&architecture, &weights, &device);
                    let batch = batch(features, views, buckets, size);
                    let (expected_loss, expected) = dense(&network, loss, &batch, &device).unwrap();
                    let (found_loss, found) = sparse(&network, loss, &batch, &device).unwrap();
                    assert!((found_loss - expected_loss).abs() < 1e-6);
                    assert_eq!(found.len(), expected.len());
                    for (found, expected) in found.iter().zip(&expected) {
                        let pairs = values(&found.weight).into_iter();
                        let pairs = pairs.chain(values(&found.bias)).zip(
                            values(&expected.weight)
                                .into_iter()
                                .chain(values(&expected.bias)),
                        );
                        let mut largest: f32 = 0.0;
                        for (found, expected) in pairs {
                            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
                            largest = largest.max(expected.abs());
                        }
                        assert!(largest > 1e-4, "{hidden:?} {largest}");
                    }
                }
            }
        }
    }

    /// The loss and its derivative for one logit.
    fn loss_and_slope(loss: Loss, logit: f32, target: f32) -> (f32, f32) {
        let device = Device::flex().autodiff();
        let logits = Tensor::<2>::from_data([[logit]], &device).require_grad();
        let targets = Tensor::from_data([[target]], &device);
        let loss = sum_of_losses(loss, logits.clone(), targets);
        let gradients = loss.backward();
        (
            loss.into_scalar(),
            logits.grad(&gradients).unwrap().into_scalar(),
        )
    }

    #[test]
    fn losses_and_slopes_follow_their_formulas() {
        for logit in [-3.0f64, -0.5, 0.0, 2.0] {
            for target in [0.0f64, 0.3, 1.0] {
                let p = 1.0 / (1.0 + (-logit).exp());
                let mse = ((p - target).powi(2), 2.0 * (p - target) * p * (1.0 - p));
                let entropy = -target * p.ln() - (1.0 - target) * (1.0 - p).ln();
                for (loss, expected) in [
                    (Loss::Mse, mse),
                    (Loss::CrossEntropy, (entropy, p - target)),
                ] {
                    let found = loss_and_slope(loss, logit as f32, target as f32);
                    assert!((f64::from(found.0) - expected.0).abs() < 1e-6);
                    assert!((f64::from(found.1) - expected.1).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn extreme_logits_give_finite_losses_and_slopes() {
        for logit in [-1e4, -100.0, 100.0, 1e4] {
            for target in [0.0, 0.5, 1.0] {
                for loss in [Loss::Mse, Loss::CrossEntropy] {
                    let (value, slope) = loss_and_slope(loss, logit, target);
                    assert!(value.is_finite() && slope.is_finite());
                }
            }
        }
    }
}
