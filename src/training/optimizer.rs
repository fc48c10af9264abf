//! Adam with decoupled weight decay (AdamW) over the layers of a network, and its state as bytes.
//!
//! burn's own optimizer of whole modules stores its state under random parameter names and restores it
//! on the default device, which this machine may lack. Here a parameter is identified by its index, and
//! the caller chooses the device.

use burn::module::Param;
use burn::optim::{AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Tensor, TensorData, TensorReadError};
use thiserror::Error;

use super::gradients::LayerGradient;
use crate::network::{Architecture, TrainableNetwork};

/// Bytes of the number of steps, before the moments.
const STEPS_BYTES: usize = 8;

/// The optimizer's state has another length than that of its architecture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the optimizer's state has {found} bytes; this architecture needs {expected}")]
pub struct StateError {
    /// Bytes present.
    found: usize,
    /// Bytes that the architecture needs.
    expected: usize,
}

/// Moments of the gradients of one layer; `None` before the first step.
#[derive(Clone, Default)]
struct Moments {
    weight: Option<AdamWState<2>>,
    bias: Option<AdamWState<1>>,
}

/// The optimizer of a network, with one set of moments per layer.
pub(super) struct LayerOptimizer {
    weights: AdamW,
    /// Biases do not decay.
    biases: AdamW,
    clip: Option<f32>,
    moments: Vec<Moments>,
}

impl LayerOptimizer {
    pub(super) fn new(architecture: &Architecture, decay: f32, clip: Option<f32>) -> Self {
        // burn's default epsilon of 1e-5 would damp the small gradients of a trained network.
        let config = AdamWConfig::new().with_epsilon(1e-8);
        Self {
            weights: config.clone().with_weight_decay(decay).build(),
            biases: config.with_weight_decay(0.0).build(),
            clip,
            moments: vec![Moments::default(); architecture.layers().count()],
        }
    }

    /// Updates each parameter of `body` from its gradient.
    pub(super) fn step(
        &mut self,
        rate: f64,
        body: &mut TrainableNetwork,
        gradient: Vec<LayerGradient>,
    ) {
        let layers = body.layers.iter_mut().zip(&mut self.moments);
        for ((layer, moments), gradient) in layers.zip(gradient) {
            update(
                &self.weights,
                rate,
                self.clip,
                &mut layer.weight,
                gradient.weight,
                &mut moments.weight,
            );
            update(
                &self.biases,
                rate,
                self.clip,
                &mut layer.bias,
                gradient.bias,
                &mut moments.bias,
            );
        }
    }

    /// Returns the number of steps taken.
    pub(super) fn steps(&self) -> u64 {
        let first = self.moments.first().and_then(|first| first.weight.as_ref());
        first.map_or(0, |state| state.momentum.time as u64)
    }

    /// Returns the exact state: the number of steps (u64), then the first and second moments of each
    /// layer's weights and biases as f32; little-endian.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, TensorReadError> {
        let mut bytes = self.steps().to_le_bytes().to_vec();
        for moments in &self.moments {
            write(&mut bytes, moments.weight.as_ref())?;
            write(&mut bytes, moments.bias.as_ref())?;
        }
        Ok(bytes)
    }

    /// Restores on `device` the state that [`LayerOptimizer::to_bytes`] returned.
    pub(super) fn restore(
        &mut self,
        bytes: &[u8],
        architecture: &Architecture,
        device: &Device,
    ) -> Result<(), StateError> {
        let (steps, moments) = match bytes.split_first_chunk::<STEPS_BYTES>() {
            Some((steps, moments)) => (u64::from_le_bytes(*steps), moments),
            None => (0, bytes),
        };
        let parameters = if steps == 0 {
            0
        } else {
            architecture.parameters()
        };
        let expected = STEPS_BYTES + 8 * parameters;
        if bytes.len() != expected {
            return Err(StateError {
                found: bytes.len(),
                expected,
            });
        }
        let mut values = moments
            .chunks_exact(4)
            .map(|value| f32::from_le_bytes([value[0], value[1], value[2], value[3]]));
        self.moments = architecture
            .layers()
            .map(|(inputs, outputs)| match steps {
                0 => Moments::default(),
                _ => Moments {
                    weight: Some(read(steps, [inputs, outputs], &mut values, device)),
                    bias: Some(read(steps, [outputs], &mut values, device)),
                },
            })
            .collect();
        Ok(())
    }
}

fn update<const D: usize>(
    optimizer: &AdamW,
    rate: f64,
    clip: Option<f32>,
    parameter: &mut Param<Tensor<D>>,
    gradient: Tensor<D>,
    state: &mut Option<AdamWState<D>>,
) {
    let tensor = parameter.val();
    let (mut updated, next) = optimizer.step(rate, tensor.inner(), gradient, state.take());
    if let Some(clip) = clip {
        updated = updated.clamp(-clip, clip);
    }
    *state = next;
    *parameter = Param::initialized(parameter.id, updated.autodiff().require_grad());
}

fn write<const D: usize>(
    bytes: &mut Vec<u8>,
    state: Option<&AdamWState<D>>,
) -> Result<(), TensorReadError> {
    let Some(AdamWState { momentum }) = state else {
        return Ok(());
    };
    for moment in [&momentum.moment_1, &momentum.moment_2] {
        let values: Vec<f32> = moment.try_to_vec_as()?;
        bytes.extend(values.into_iter().flat_map(f32::to_le_bytes));
    }
    Ok(())
}

fn read<const D: usize>(
    steps: u64,
    shape: [usize; D],
    values: &mut impl Iterator<Item = f32>,
    device: &Device,
) -> AdamWState<D> {
    let size = shape.iter().product();
    let mut moment = || {
        let values: Vec<f32> = values.take(size).collect();
        Tensor::from_data(TensorData::new(values, shape), device)
    };
    let first = moment();
    AdamWState::new(AdaptiveMomentumState::new(steps as usize, first, moment()))
}
