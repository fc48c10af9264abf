//! The network: a few dense layers over binary features, from their description to their file.
//!
//! The same weights have two bodies: [`Body`], a burn module that training differentiates, and
//! [`Inference`], a hand-written forward pass that search calls. A test holds them together.

mod architecture;
#[cfg(feature = "train")]
mod body;
mod error;
mod file;
mod inference;
mod player;
mod weights;

pub use architecture::{Activation, Architecture, ArchitectureError, FeatureId, MismatchError};
#[cfg(feature = "train")]
pub use body::{Body, Dense};
pub use error::{InvalidNetwork, NetworkError};
pub use file::{Metadata, Network, is_network};
pub use inference::Inference;
pub use player::{NeuralEvaluation, NeuralPlayer};
pub use weights::{Layer, Weights, WeightsError};

#[cfg(all(test, feature = "train"))]
pub(crate) use architecture::tests::architecture as test_architecture;

/// The name of the best network in the directory of a run.
pub const BEST_NETWORK: &str = "best.net";
