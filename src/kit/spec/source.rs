//! Where the network of a player is from.

use std::fmt;
use std::path::{Path, PathBuf};

use super::SpecError;
use crate::kit::Kit;
use crate::network::Network;

/// Where the network of a player is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkSource {
    /// The one that comes with the program.
    Shipped,
    /// A network file.
    File(PathBuf),
}

impl NetworkSource {
    /// Reads and checks the network.
    ///
    /// # Errors
    /// If the file cannot be used, or no network of the game comes with the program.
    pub fn load<G: Kit>(&self) -> Result<Network, SpecError> {
        match self {
            Self::Shipped => {
                let bytes = G::NETWORK.ok_or(SpecError::NothingShipped { game: G::NAME })?;
                let path = format!("data/networks/{}.net", G::NAME);
                Ok(Network::from_bytes(bytes, Path::new(&path))?)
            }
            Self::File(path) => Ok(Network::load(path)?),
        }
    }

    /// The word that specifications say it by.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Shipped => "neural".to_owned(),
            Self::File(path) => format!("neural:{}", path.display()),
        }
    }
}

impl fmt::Display for NetworkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped => f.write_str("The network that comes with the program"),
            Self::File(path) => write!(f, "The network file {}", path.display()),
        }
    }
}
