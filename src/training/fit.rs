//! Gradient steps of one network on one device.

use burn::tensor::{Device, TensorReadError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(any(feature = "wgpu", feature = "cuda"))]
use super::gradients::dense;
use super::gradients::sparse;
use super::optimizer::LayerOptimizer;
use super::{Batch, DeviceChoice, Loss, StateError};
use crate::network::{
    Architecture, ArchitectureError, Body, InvalidNetwork, Weights, WeightsError,
};

/// Settings of the steps, all but the learning rate, which may change from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitConfig {
    /// What is lowered.
    pub loss: Loss,
    /// Bound on the size of every weight and bias, above 0; none if absent.
    pub weight_clip: Option<f32>,
    /// Share of each weight, times the learning rate, that a step removes: 0 or above. Decoupled
    /// from the gradient (Loshchilov and Hutter 2019); biases are spared.
    pub weight_decay: f32,
}

/// Why a fit could not be set up or go on.
#[derive(Debug, Error)]
pub enum FitError {
    /// The network is impossible.
    #[error(transparent)]
    Network(#[from] InvalidNetwork),
    /// A batch without positions.
    #[error("A step needs at least one position, and the batch is empty.")]
    EmptyBatch,
    /// A batch of another feature set.
    #[error("The batch has {found} features; the network takes {expected}.")]
    Features {
        /// Features of the batch.
        found: usize,
        /// Features of the network.
        expected: usize,
    },
    /// Training has diverged.
    #[error(
        "The loss became {loss}. The weights are those before this step; go back to a checkpoint \
         and lower the learning rate."
    )]
    Diverged {
        /// The loss: NaN or infinite.
        loss: f32,
    },
    /// Weights have left all bounds.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The optimizer's state could not be restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// The device failed.
    #[error("The device did not return a result: {0}")]
    Device(#[from] TensorReadError),
}

impl From<ArchitectureError> for FitError {
    fn from(error: ArchitectureError) -> Self {
        Self::Network(error.into())
    }
}

/// A network being fitted: its weights and its optimizer's state on a device.
///
/// On the CPU, the same steps give the same bits, whatever the number of threads of the program.
pub struct Fit {
    architecture: Architecture,
    loss: Loss,
    choice: DeviceChoice,
    device: Device,
    body: Body,
    optimizer: LayerOptimizer,
}

impl Fit {
    /// Puts `weights` of `architecture` on the device, with a fresh optimizer: Adam with the
    /// usual moments of 0.9 and 0.999, and an epsilon of 1e-8.
    ///
    /// # Errors
    /// If the weights do not fit the architecture.
    pub fn new(
        architecture: &Architecture,
        weights: &Weights,
        config: &FitConfig,
        device: DeviceChoice,
    ) -> Result<Self, FitError> {
        architecture.check()?;
        weights.check(architecture)?;
        let choice = device;
        let device = choice.device().autodiff();
        Ok(Self {
            choice,
            architecture: architecture.clone(),
            loss: config.loss,
            body: Body::from_weights(architecture, weights, &device),
            optimizer: LayerOptimizer::new(architecture, config.weight_decay, config.weight_clip),
            device,
        })
    }

    /// Takes one step on `batch` and returns the loss before it. On the CPU it works on the threads of
    /// the rayon pool that it is called in.
    ///
    /// # Errors
    /// If the batch is empty or of another feature set, the loss not finite, or if the device
    /// fails. The weights are then as before.
    pub fn step(&mut self, batch: &Batch, learning_rate: f64) -> Result<f32, FitError> {
        let features = self.architecture.features.size;
        if batch.features() != features {
            return Err(FitError::Features {
                found: batch.features(),
                expected: features,
            });
        }
        if batch.is_empty() {
            return Err(FitError::EmptyBatch);
        }
        let gradient = match self.choice {
            DeviceChoice::Cpu => sparse,
            #[cfg(any(feature = "wgpu", feature = "cuda"))]
            _ => dense,
        };
        let (value, gradient) = gradient(&self.body, self.loss, batch, &self.device)?;
        if !value.is_finite() {
            return Err(FitError::Diverged { loss: value });
        }
        self.optimizer.step(learning_rate, &mut self.body, gradient);
        Ok(value)
    }

    /// The weights as they are now.
    ///
    /// # Errors
    /// If they are no longer finite, or the device fails.
    pub fn weights(&self) -> Result<Weights, FitError> {
        let weights = self.body.to_weights()?;
        weights.check(&self.architecture)?;
        Ok(weights)
    }

    /// The optimizer's state, exact to the last bit. With the weights, it is all that a fit
    /// knows.
    ///
    /// # Errors
    /// If the device fails.
    pub fn state(&self) -> Result<Vec<u8>, FitError> {
        Ok(self.optimizer.to_bytes()?)
    }

    /// Steps that the optimizer has taken, those before its state was restored included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Takes up an optimizer's state that [`Fit::state`] returned, for a fit made with the
    /// weights of the same moment.
    ///
    /// # Errors
    /// If it is damaged or belongs to another architecture; this fit is then as before.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), FitError> {
        let device = self.device.clone().without_autodiff();
        self.optimizer.restore(state, &self.architecture, &device)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Activation;
    use crate::network::test_architecture as architecture;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const FEATURES: usize = 24;
    const CONFIG: FitConfig = FitConfig {
        loss: Loss::Mse,
        weight_clip: Some(1.98),
        weight_decay: 0.01,
    };

    /// Batch number `index` of a game whose first two features decide unless they are equal.
    fn batch(index: u64, size: usize) -> Batch {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(index);
        let mut batch = Batch::with_capacity(FEATURES, size);
        for _ in 0..size {
            let bits = random.next_u32();
            let on = |feature: usize| bits >> feature & 1 == 1;
            let target = match (on(0), on(1)) {
                (true, false) => 1.0,
                (false, true) => 0.0,
                _ => 0.5,
            };
            batch.push((0..FEATURES).filter(|&feature| on(feature)), target);
        }
        batch
    }

    fn network(hidden: &[usize], activation: Activation) -> (Architecture, Weights) {
        let architecture = architecture(FEATURES, hidden, activation);
        let weights = Weights::random(&architecture, 1);
        (architecture, weights)
    }

    fn fit(config: &FitConfig) -> Fit {
        let (architecture, weights) = network(&[16, 8], Activation::ScRelu);
        Fit::new(&architecture, &weights, config, DeviceChoice::Cpu).unwrap()
    }

    fn run(fit: &mut Fit, batches: std::ops::Range<u64>, size: usize) -> Vec<f32> {
        batches
            .map(|index| fit.step(&batch(index, size), 0.01).unwrap())
            .collect()
    }

    #[test]
    fn the_loss_falls_to_what_the_targets_allow() {
        let doubt = std::f32::consts::LN_2 / 2.0;
        for (loss, least) in [(Loss::Mse, 0.0), (Loss::CrossEntropy, doubt)] {
            for activation in [Activation::ScRelu, Activation::CRelu] {
                let (architecture, weights) = network(&[16, 8], activation);
                let config = FitConfig { loss, ..CONFIG };
                let mut fit =
                    Fit::new(&architecture, &weights, &config, DeviceChoice::Cpu).unwrap();
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
    fn a_resumed_fit_equals_one_that_never_stopped() {
        let mut straight = fit(&CONFIG);
        run(&mut straight, 0..20, 64);

        let mut early = fit(&CONFIG);
        run(&mut early, 0..10, 64);
        let (weights, state) = (early.weights().unwrap(), early.state().unwrap());
        let architecture = early.architecture.clone();
        let mut late = Fit::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu).unwrap();
        late.restore(&state).unwrap();
        assert_eq!(late.state().unwrap(), state);
        run(&mut late, 10..20, 64);

        assert_eq!(late.weights().unwrap(), straight.weights().unwrap());
        assert_eq!(late.state().unwrap(), straight.state().unwrap());
    }

    #[test]
    fn a_fit_resumed_before_its_first_step_equals_one_that_never_stopped() {
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
                    Fit::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu).unwrap();
                run(&mut fit, 0..3, 8192);
                fit.weights().unwrap()
            })
        };
        assert_eq!(weights(1), weights(2));
    }

    #[test]
    fn weights_stay_within_the_clip() {
        let config = FitConfig {
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
            let mut fit = fit(&FitConfig {
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
    fn divergence_is_an_error_and_no_network() {
        let mut fit = fit(&FitConfig {
            weight_clip: None,
            ..CONFIG
        });
        let outcome = (0..10).try_for_each(|index| fit.step(&batch(index, 64), 1e38).map(drop));
        assert!(
            matches!(outcome, Err(FitError::Diverged { .. })),
            "{outcome:?}"
        );
        assert!(matches!(fit.weights(), Err(FitError::Weights(_))));
    }

    #[test]
    fn unusable_batches_are_refused() {
        let mut fit = fit(&CONFIG);
        let before = fit.weights().unwrap();
        let empty = Batch::with_capacity(FEATURES, 1);
        assert!(matches!(fit.step(&empty, 0.01), Err(FitError::EmptyBatch)));
        let other = Batch::with_capacity(FEATURES + 1, 1);
        let message = fit.step(&other, 0.01).unwrap_err().to_string();
        assert_eq!(message, "The batch has 25 features; the network takes 24.");
        assert_eq!(fit.weights().unwrap(), before);
    }

    #[test]
    fn damaged_and_foreign_states_are_refused() {
        let mut source = fit(&CONFIG);
        run(&mut source, 0..2, 64);
        let state = source.state().unwrap();
        let mut target = fit(&CONFIG);
        let mut refusal = |state: &[u8]| match target.restore(state) {
            Err(FitError::State(error)) => error,
            other => panic!("{other:?}"),
        };
        assert_eq!(refusal(b"PK"), StateError::Foreign);
        assert!(matches!(
            refusal(&state[..state.len() - 4]),
            StateError::Length { .. }
        ));
        let mut flipped = state.clone();
        flipped[100] ^= 1;
        assert_eq!(refusal(&flipped), StateError::Damaged);
        let (architecture, weights) = network(&[8], Activation::CRelu);
        let mut other = Fit::new(&architecture, &weights, &CONFIG, DeviceChoice::Cpu).unwrap();
        assert!(other.restore(&state).is_err());
    }
}
