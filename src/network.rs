//! The network: a few dense layers over binary features, from their description to their file.
//!
//! The same weights have three bodies: [`Body`], a burn module that training differentiates,
//! [`Inference`], a hand-written forward pass that search calls, and [`Quantized`], the same in
//! integers, whose first layer an [`Accumulator`] keeps up to date. Tests hold them together.

mod accumulator;
mod architecture;
#[cfg(feature = "train")]
mod body;
mod error;
mod file;
mod inference;
mod player;
mod quantized;
mod weights;

pub use accumulator::Accumulator;
pub use architecture::{Activation, Architecture, ArchitectureError, FeatureId, MismatchError};
#[cfg(feature = "train")]
pub use body::{Body, Dense};
pub use error::{InvalidNetwork, NetworkError};
pub use file::{Metadata, Network, is_network};
pub use inference::Inference;
pub use player::{IntegerEvaluation, NeuralEvaluation, NeuralPlayer};
pub use quantized::{QuantizeError, Quantized};
pub use weights::{Layer, Weights, WeightsError};

#[cfg(all(test, feature = "train"))]
pub(crate) use architecture::tests::architecture as test_architecture;

/// The name of the best network in the directory of a run.
pub const BEST_NETWORK: &str = "best.net";
