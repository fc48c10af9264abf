//! The network: a few dense layers over binary features, from its description to its file.
//!
//! [`Architecture`] describes a network to training, inference, files and inspection alike. The weights
//! have two implementations: [`TrainableNetwork`], a burn module that training differentiates, and
//! [`Quantized`], a forward pass in integers whose feature transformer is kept up to date by an
//! [`Accumulator`]: it plays, and training validates by it. Tests compare both with the definition in
//! double precision.

mod accumulator;
mod architecture;
#[cfg(feature = "train")]
mod body;
mod error;
mod file;
mod player;
mod quantized;
#[cfg(test)]
pub(crate) mod reference;
mod weights;

pub use accumulator::Accumulator;
pub use architecture::{Activation, Architecture, ArchitectureError, FeatureId, MismatchError};
#[cfg(feature = "train")]
pub use body::{DenseLayer, TrainableNetwork};
pub use error::{InvalidNetwork, NetworkError};
pub use file::{Metadata, Network, is_network};
pub use player::{NeuralEvaluation, NeuralPlayer};
pub use quantized::{QuantizeError, Quantized};
pub use weights::{LayerWeights, Weights, WeightsError};

#[cfg(all(test, feature = "train"))]
pub(crate) use architecture::tests::{architecture as test_architecture, described};

/// File name of the best network in a run directory.
pub const BEST_NETWORK: &str = "best.net";
