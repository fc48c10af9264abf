//! The training device: `cpu`, `gpu` or `cuda`.

use std::fmt;
use std::str::FromStr;

use burn::tensor::Device;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A device that this build can train on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceChoice {
    /// The CPU; a step splits its batch into chunks of fixed size, whose sums are added in a fixed order,
    /// so its result does not depend on the number of threads.
    Cpu,
    /// The GPU by Vulkan or Metal.
    #[cfg(feature = "wgpu")]
    Gpu,
    /// The first NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda,
}

/// A device that is not available.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// The name is unknown.
    #[error("there is no device {found:?}; choose cpu, gpu or cuda")]
    Unknown {
        /// The name given.
        found: String,
    },
    /// The device is not part of this build.
    #[error(
        "this program was built without the device {device}; build it with \
         `cargo build --release --features {feature}`, or choose cpu"
    )]
    NotBuilt {
        /// The device requested.
        device: &'static str,
        /// The cargo feature that it requires.
        feature: &'static str,
    },
}

impl DeviceChoice {
    /// Returns the burn device, without autodiff. It is opened on first use.
    pub fn device(self) -> Device {
        match self {
            Self::Cpu => Device::flex(),
            #[cfg(feature = "wgpu")]
            Self::Gpu => Device::wgpu(burn::tensor::DeviceKind::DefaultDevice),
            #[cfg(feature = "cuda")]
            Self::Cuda => Device::cuda(0),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        match text {
            "cpu" => Ok(Self::Cpu),
            #[cfg(feature = "wgpu")]
            "gpu" => Ok(Self::Gpu),
            #[cfg(not(feature = "wgpu"))]
            "gpu" => Err(DeviceError::NotBuilt {
                device: "gpu",
                feature: "wgpu",
            }),
            #[cfg(feature = "cuda")]
            "cuda" => Ok(Self::Cuda),
            #[cfg(not(feature = "cuda"))]
            "cuda" => Err(DeviceError::NotBuilt {
                device: "cuda",
                feature: "cuda",
            }),
            _ => Err(DeviceError::Unknown {
                found: text.to_owned(),
            }),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Cpu => "cpu",
            #[cfg(feature = "wgpu")]
            Self::Gpu => "gpu",
            #[cfg(feature = "cuda")]
            Self::Cuda => "cuda",
        })
    }
}

impl TryFrom<String> for DeviceChoice {
    type Error = DeviceError;

    fn try_from(text: String) -> Result<Self, DeviceError> {
        text.parse()
    }
}

impl From<DeviceChoice> for String {
    fn from(choice: DeviceChoice) -> Self {
        choice.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_available() {
        assert_eq!("cpu".parse(), Ok(DeviceChoice::Cpu));
        assert_eq!(DeviceChoice::Cpu.to_string(), "cpu");
        assert!(!DeviceChoice::Cpu.device().is_autodiff());
    }

    #[test]
    fn unknown_devices_are_rejected_with_the_known_ones() {
        let message = "tpu".parse::<DeviceChoice>().unwrap_err().to_string();
        assert_eq!(
            message,
            r#"there is no device "tpu"; choose cpu, gpu or cuda"#
        );
    }

    #[cfg(not(feature = "wgpu"))]
    #[test]
    fn a_device_not_built_names_its_feature() {
        let message = "gpu".parse::<DeviceChoice>().unwrap_err().to_string();
        assert!(message.contains("--features wgpu"), "{message}");
    }
}
