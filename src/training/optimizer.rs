//! Adam with decoupled weight decay over the layers of a body, and its state as bytes.
//!
//! burn's own optimizer of whole modules files its state under random parameter names and reads
//! it back on the default device, which may be one that this machine lacks. Here a parameter has
//! its place for a name, and the device is the one given.

use burn::module::Param;
use burn::optim::{AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Tensor, TensorData, TensorReadError};
use thiserror::Error;

use super::gradients::LayerGradient;
use crate::network::{Architecture, TrainableNetwork};

const MAGIC: [u8; 8] = *b"BagheerA";
const VERSION: u32 = 1;
const HEADER: usize = 20;
const CHECKSUM: usize = 4;

/// Why the state of an optimizer could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StateError {
    /// Not the state of an optimizer, or one of another version.
    #[error("The optimizer's state is none of this program's, or of another version.")]
    Foreign,
    /// The length does not fit the architecture.
    #[error(
        "The optimizer's state has {found} bytes where this architecture has {expected}: it is cut \
         short, or belongs to another network."
    )]
    Length {
        /// Bytes present.
        found: usize,
        /// Bytes that the architecture takes.
        expected: usize,
    },
    /// The checksum does not match.
    #[error("The optimizer's state is damaged: its checksum does not match.")]
    Damaged,
}

/// Moments of the gradients of one layer; none before the first step.
#[derive(Clone, Default)]
struct Moments {
    weight: Option<AdamWState<2>>,
    bias: Option<AdamWState<1>>,
}

/// The optimizer of a body, with one set of moments a layer.
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

    /// Moves each parameter of `body` against its gradient.
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

    /// Steps taken.
    pub(super) fn steps(&self) -> u64 {
        let first = self.moments.first().and_then(|first| first.weight.as_ref());
        first.map_or(0, |state| state.momentum.time as u64)
    }

    /// The moments, bit for bit: mark, version (u32), steps (u64), then the first and second
    /// moments of each layer's weights and biases as f32, and a CRC-32; little-endian.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, TensorReadError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.steps().to_le_bytes());
        for moments in &self.moments {
            write(&mut bytes, moments.weight.as_ref())?;
            write(&mut bytes, moments.bias.as_ref())?;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Takes up the moments that [`LayerOptimizer::to_bytes`] wrote, on `device`.
    pub(super) fn restore(
        &mut self,
        bytes: &[u8],
        architecture: &Architecture,
        device: &Device,
    ) -> Result<(), StateError> {
        let marked =
            bytes.starts_with(&MAGIC) && bytes[MAGIC.len()..].starts_with(&VERSION.to_le_bytes());
        if !marked || bytes.len() < HEADER + CHECKSUM {
            return Err(StateError::Foreign);
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        let steps = le_u64(&content[12..HEADER]);
        let parameters = if steps == 0 {
            0
        } else {
            architecture.parameters()
        };
        let expected = HEADER + 8 * parameters + CHECKSUM;
        if bytes.len() != expected {
            return Err(StateError::Length {
                found: bytes.len(),
                expected,
            });
        }
        if crc32fast::hash(content).to_le_bytes() != *checksum {
            return Err(StateError::Damaged);
        }
        let mut values = content[HEADER..]
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

fn le_u64(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u64::from(byte))
}
