//! The source of a player's network.

use std::fmt;
use std::path::{Path, PathBuf};

use super::SpecError;
use crate::kit::Kit;
use crate::network::Network;

/// The source of a player's network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkSource {
    /// The network that the program contains.
    Shipped,
    /// A network file.
    File(PathBuf),
}

impl NetworkSource {
    /// Reads and checks the network.
    ///
    /// # Errors
    /// If the file cannot be used, or the program contains no network of the game.
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

    /// The name in specifications.
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
            Self::Shipped => f.write_str("the network that comes with the program"),
            Self::File(path) => write!(f, "the network file {}", path.display()),
        }
    }
}
