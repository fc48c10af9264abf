//! Training: from samples to weights, by burn, on a named device.
//!
//! Settings, replay buffers and validation are always built; the rest needs the cargo feature `train`.

#[cfg(feature = "train")]
mod batch;
#[cfg(feature = "train")]
mod checkpoint;
mod checkpoint_format;
#[cfg(feature = "train")]
mod data_loader;
#[cfg(feature = "train")]
mod device;
#[cfg(feature = "train")]
mod error;
#[cfg(feature = "train")]
mod gradient_descent;
#[cfg(feature = "train")]
mod gradients;
#[cfg(feature = "train")]
mod hold_out;
#[cfg(feature = "train")]
mod input;
mod loss;
#[cfg(feature = "train")]
mod metrics;
#[cfg(feature = "train")]
mod optimizer;
#[cfg(feature = "train")]
mod plan;
mod replay_buffer;
mod schedule;
#[cfg(feature = "train")]
mod session;
mod settings;
#[cfg(test)]
mod tests;
#[cfg(feature = "train")]
mod trainer;
mod validation;

#[cfg(feature = "train")]
pub use batch::Batch;
#[cfg(feature = "train")]
pub use checkpoint::{CheckpointError, CheckpointSummary, read_checkpoint};
pub use checkpoint_format::is_checkpoint;
#[cfg(feature = "train")]
pub use data_loader::DataLoaderError;
#[cfg(feature = "train")]
pub use device::{DeviceChoice, DeviceError};
#[cfg(feature = "train")]
pub use error::TrainError;
#[cfg(feature = "train")]
pub use gradient_descent::{GradientDescent, GradientDescentSettings, StepError};
pub use loss::{Loss, expected_score, target};
#[cfg(feature = "train")]
pub use optimizer::StateError;
pub use replay_buffer::{ReplayBuffer, ReplayBufferError, ScanError};
pub use schedule::{LearningRate, ResultWeight};
#[cfg(feature = "train")]
pub use session::{CANDIDATE_FILE, CHECKPOINT_FILE, METRICS_FILE, remove_checkpoint};
pub use settings::TrainingSettings;
#[cfg(feature = "train")]
pub use trainer::{Trained, TrainingJob, train};
pub use validation::{Measure, ValidationSet};
