//! Training: from samples to weights, by burn, on the device that one names.
//!
//! Needs the cargo feature `train`.

#[cfg(feature = "train")]
mod batch;
#[cfg(feature = "train")]
mod device;
#[cfg(feature = "train")]
mod fit;
#[cfg(feature = "train")]
mod optimizer;

#[cfg(feature = "train")]
pub use batch::Batch;
#[cfg(feature = "train")]
pub use device::{DeviceChoice, DeviceError};
#[cfg(feature = "train")]
pub use fit::{Fit, FitConfig, FitError, Loss};
#[cfg(feature = "train")]
pub use optimizer::StateError;
