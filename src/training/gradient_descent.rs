//! Gradient descent: steps of one network on one device.

use burn::tensor::{Device, TensorReadError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(any(feature = "wgpu", feature = "cuda"))]
use super::gradients::dense;
use super::gradients::sparse;
use super::optimizer::LayerOptimizer;
use super::{Batch, DeviceChoice, Loss, StateError};
use crate::network::{
    Architecture, ArchitectureError, InvalidNetwork, TrainableNetwork, Weights, WeightsError,
};

/// Settings of all steps. The learning rate may change from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradientDescentSettings {
    /// The loss to minimise.
    pub loss: Loss,
    /// Bound on the size of every weight and bias, above 0; `None` for no bound.
    pub weight_clip: Option<f32>,
    /// Weight decay: the share of each weight, times the learning rate, that a step removes; 0 or above.
    /// Decoupled from the gradient (Loshchilov and Hutter 2019); biases do not decay.
    pub weight_decay: f32,
}

/// A step, or a gradient descent, that failed.
#[derive(Debug, Error)]
pub enum StepError {
    /// The network is impossible.
    #[error(transparent)]
    Network(#[from] InvalidNetwork),
    /// A batch without positions.
    #[error("the batch is empty")]
    EmptyBatch,
    /// A batch for another network.
    #[error("the batch has {found} {what}; the network takes {expected}")]
    OtherNetwork {
        /// "features" or "views".
        what: &'static str,
        /// Their number in the batch.
        found: usize,
        /// Their number in the network.
        expected: usize,
    },
    /// Training has diverged.
    #[error(
        "the loss became {loss}; the weights are those before this step: go back to a checkpoint \
         and lower the learning rate"
    )]
    Diverged {
        /// The loss: NaN or infinite.
        loss: f32,
    },
    /// Weights are out of bounds.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The optimizer's state could not be restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// The device failed.
    #[error("the device did not return a result: {0}")]
    Device(#[from] TensorReadError),
}

impl From<ArchitectureError> for StepError {
    fn from(error: ArchitectureError) -> Self {
        Self::Network(error.into())
    }
}

/// A network being trained: its weights and the optimizer's state on a device.
///
/// On the CPU, the same steps give the same bits, whatever the number of threads of the program.
pub struct GradientDescent {
    architecture: Architecture,
    loss: Loss,
    choice: DeviceChoice,
    device: Device,
    network: TrainableNetwork,
    optimizer: LayerOptimizer,
}

impl GradientDescent {
    /// Copies `weights` of `architecture` to the device, with a fresh optimizer: AdamW with moments of
    /// 0.9 and 0.999, and an epsilon of 1e-8.
    ///
    /// # Errors
    /// If the weights do not fit the architecture.
    pub fn new(
        architecture: &Architecture,
        weights: &Weights,
        config: &GradientDescentSettings,
        device: DeviceChoice,
    ) -> Result<Self, StepError> {
        architecture.check()?;
        weights.check(architecture)?;
        let choice = device;
        let device = choice.device().autodiff();
        Ok(Self {
            choice,
            architecture: architecture.clone(),
            loss: config.loss,
            network: TrainableNetwork::from_weights(architecture, weights, &device),
            optimizer: LayerOptimizer::new(architecture, config.weight_decay, config.weight_clip),
            device,
        })
    }

    /// Takes one step on `batch` at a learning rate above 0, and returns the loss before it. On the CPU
    /// it uses the threads of the current rayon pool.
    ///
    /// # Errors
    /// If the batch is empty or for another network, the loss is not finite, or the device fails. The
    /// weights are then unchanged.
    pub fn step(&mut self, batch: &Batch, learning_rate: f64) -> Result<f32, StepError> {
        let architecture = &self.architecture;
        for (what, found, expected) in [
            ("features", batch.features(), architecture.features.size),
            ("views", batch.positions().views(), architecture.views),
        ] {
            if found != expected {
                return Err(StepError::OtherNetwork {
                    what,
                    found,
                    expected,
                });
            }
        }
        if batch.is_empty() {
            return Err(StepError::EmptyBatch);
        }
        let gradient = match self.choice {
            DeviceChoice::Cpu => sparse,
            #[cfg(any(feature = "wgpu", feature = "cuda"))]
            _ => dense,
        };
        let (value, gradient) = gradient(&self.network, self.loss, batch, &self.device)?;
        if !value.is_finite() {
            return Err(StepError::Diverged { loss: value });
        }
        self.optimizer
            .step(learning_rate, &mut self.network, gradient);
        Ok(value)
    }

    /// Returns the current weights.
    ///
    /// # Errors
    /// If they are not finite, or the device fails.
    pub fn weights(&self) -> Result<Weights, StepError> {
        let weights = self.network.to_weights()?;
        weights.check(&self.architecture)?;
        Ok(weights)
    }

    /// Returns the optimizer's state, exact to the last bit. With the weights it is the whole state.
    ///
    /// # Errors
    /// If the device fails.
    pub fn state(&self) -> Result<Vec<u8>, StepError> {
        Ok(self.optimizer.to_bytes()?)
    }

    /// Returns the number of steps taken, including those before the state was restored.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Restores an optimizer's state that [`GradientDescent::state`] returned, after
    /// [`GradientDescent::new`] with the weights of the same step.
    ///
    /// # Errors
    /// If it belongs to another architecture; nothing is changed then.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), StepError> {
        let device = self.device.clone().without_autodiff();
        self.optimizer.restore(state, &self.architecture, &device)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::EncodedPositions;
    use crate::network::Activation;
    use crate::network::test_architecture as architecture;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const FEATURES: usize = 24;
    const CONFIG: GradientDescentSettings = GradientDescentSettings {
        loss: Loss::Mse,
        weight_clip: Some(1.98),
        weight_decay: 0.01,
    };

    /// Batch number `index` of a game whose first two features decide unless they are equal.
    fn batch(index: u64, size: usize) -> Batch {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(index);
        let mut positions = EncodedPositions::with_capacity(1, size, FEATURES);
        let mut targets = Vec::new();
        for _ in 0..size {
            let bits = random.next_u32();
            let on = |feature: usize| bits >> feature & 1 == 1;
            let target = match (on(0), on(1)) {
                (true, false) => 1.0,
                (false, true) => 0.0,
                _ => 0.5,
            };
            let active: Vec<u16> = (0..FEATURES as u16).filter(|&f| on(f.into())).collect();
            positions.push(&[&active], 0);
            targets.push(target);
        }
        Batch::new(FEATURES, positions, targets)
    }

    fn network(hidden: &[usize], activation: Activation) -> (Architecture, Weights) {
        let architecture = architecture(FEATURES, hidden, activation);
        let weights = Weights::random(&architecture, 1);
        (architecture, weights)
    }

    fn fit(config: &GradientDescentSettings) -> GradientDescent {
        let (architecture, weights) = network(&[16, 8], Activation::ScRelu);
        GradientDescent::new(&architecture, &weights, config, DeviceChoice::Cpu).unwrap()
    }

    fn run(fit: &mut GradientDescent, batches: std::ops::Range<u64>, size: usize) -> Vec<f32> {
        batches
            .map(|index| fit.step(&batch(index, size), 0.01).unwrap())
            .collect()
    }

    #[test]
    fn the_loss_falls_to_the_entropy_of_the_targets() {
        let doubt = std::f32::consts::LN_2 / 2.0;
        for (loss, least) in [(Loss::Mse, 0.0), (Loss::CrossEntropy, doubt)] {
            for activation in [Activation::ScRelu, Activation::CRelu] {
                let (architecture, weights) = network(&[16, 8], activation);
                let config = GradientDescentSettings { loss, ..CONFIG };
                let mut fit =
                    GradientDescent::new(&architecture, &weights, &config, DeviceChoice::Cpu)
                        .unwrap();
                let losses = run(&mut fit, 0..300, 256);
                let (first, last) = (losses[0] - least, losses[299] - least);
                assert!(
                    last < 0.1 * first,
                    "{loss:?} {activation:?}: {first} {last}"
                );
            }
        }
    }

    #[test]
    fn a_resumed_training_equals_an_uninterrupted_one() {
        let mut straight = fit(&CONFIG);
        run(&mut straight, 0..20, 64);

        let mut early = fit(&CONFIG);
        run(&mut early, 0..10, 64);
        let (weights, state) = (early.weights().unwrap(), early.state().unwrap());
        let architecture = early.architecture.clone();
        let mut late =
            GradientDescent::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu).unwrap();
        late.restore(&state).unwrap();
        assert_eq!(late.state().unwrap(), state);
        run(&mut late, 10..20, 64);

        assert_eq!(late.weights().unwrap(), straight.weights().unwrap());
        assert_eq!(late.state().unwrap(), straight.state().unwrap());
    }

    #[test]
    fn a_training_resumed_before_its_first_step_equals_an_uninterrupted_one() {
        let state = fit(&CONFIG).state().unwrap();
        let mut late = fit(&CONFIG);
        run(&mut late, 5..6, 64);
        late = fit(&CONFIG);
        late.restore(&state).unwrap();
        let mut straight = fit(&CONFIG);
        assert_eq!(run(&mut late, 0..3, 64), run(&mut straight, 0..3, 64));
        assert_eq!(late.weights().unwrap(), straight.weights().unwrap());
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let weights = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                // As large as real ones, where a library would begin to use threads.
                let (architecture, weights) = network(&[256, 32], Activation::ScRelu);
                let mut fit =
                    GradientDescent::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu)
                        .unwrap();
                run(&mut fit, 0..3, 8192);
                fit.weights().unwrap()
            })
        };
        assert_eq!(weights(1), weights(2));
    }

    #[test]
    fn weights_stay_within_the_clip() {
        let config = GradientDescentSettings {
            weight_clip: Some(0.125),
            ..CONFIG
        };
        let mut fit = fit(&config);
        run(&mut fit, 0..5, 64);
        let weights = fit.weights().unwrap();
        let largest = weights.layers.iter().flat_map(|layer| &layer.weights);
        assert_eq!(largest.fold(0.0f32, |most, w| most.max(w.abs())), 0.125);
    }

    #[test]
    fn decay_shrinks_the_weights() {
        let size = |weight_decay| {
            let mut fit = fit(&GradientDescentSettings {
                weight_decay,
                ..CONFIG
            });
            run(&mut fit, 0..50, 64);
            let weights = fit.weights().unwrap();
            let squares = weights.layers.iter().flat_map(|layer| &layer.weights);
            squares.map(|w| w * w).sum::<f32>()
        };
        assert!(size(1.0) < 0.8 * size(0.0));
    }

    #[test]
    fn divergence_is_an_error() {
        let mut fit = fit(&GradientDescentSettings {
            weight_clip: None,
            ..CONFIG
        });
        let outcome = (0..10).try_for_each(|index| fit.step(&batch(index, 64), 1e38).map(drop));
        assert!(
            matches!(outcome, Err(StepError::Diverged { .. })),
            "{outcome:?}"
        );
        assert!(matches!(fit.weights(), Err(StepError::Weights(_))));
    }

    #[test]
    fn unusable_batches_are_rejected() {
        let mut fit = fit(&CONFIG);
        let before = fit.weights().unwrap();
        let empty = |features, views| {
            let positions = EncodedPositions::with_capacity(views, 0, 0);
            Batch::new(features, positions, Vec::new())
        };
        let mut message = |batch| fit.step(&batch, 0.01).unwrap_err().to_string();
        assert_eq!(message(empty(24, 1)), "the batch is empty");
        assert_eq!(
            message(empty(25, 1)),
            "the batch has 25 features; the network takes 24"
        );
        assert_eq!(
            message(empty(24, 2)),
            "the batch has 2 views; the network takes 1"
        );
        assert_eq!(fit.weights().unwrap(), before);
    }

    #[test]
    fn damaged_and_foreign_states_are_rejected() {
        let mut source = fit(&CONFIG);
        run(&mut source, 0..2, 64);
        let state = source.state().unwrap();
        let mut target = fit(&CONFIG);
        let mut refusal = |state: &[u8]| match target.restore(state) {
            Err(StepError::State(error)) => error,
            other => panic!("{other:?}"),
        };
        for state in [b"PK", &state[..state.len() - 4], &[0; 9]] {
            let message = refusal(state).to_string();
            assert!(message.contains("this architecture needs"), "{message}");
        }
        let (architecture, weights) = network(&[8], Activation::CRelu);
        let mut other =
            GradientDescent::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu).unwrap();
        assert!(other.restore(&state).is_err());
    }
}
