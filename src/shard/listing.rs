//! Lists of shards, of either kind.

use std::path::Path;

use super::collection::{Collection, is_collection};
use super::manifest::{Manifest, ManifestError, read_text};
use super::reader::ShardReader;
use crate::game::Game;

/// A file that lists shards which lie beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Listing {
    /// Those of a generation of self-play.
    Manifest(Manifest),
    /// Those that were put together from others.
    Collection(Collection),
}

impl Listing {
    /// Reads a list.
    ///
    /// # Errors
    /// If it cannot be read, is of another version, or contradicts itself.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        if is_collection(&read_text(path)?) {
            Collection::load(path).map(Self::Collection)
        } else {
            Manifest::load(path).map(Self::Manifest)
        }
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Self::Manifest(manifest) => &manifest.game,
            Self::Collection(collection) => &collection.game,
        }
    }

    /// Opens the shards of the list that lies at `path`, and checks that they are the ones it lists.
    ///
    /// # Errors
    /// If one is missing, damaged outside its samples, or another one.
    pub fn open_shards<G: Game>(&self, path: &Path) -> Result<Vec<ShardReader<G>>, ManifestError> {
        match self {
            Self::Manifest(manifest) => manifest.open_shards(path),
            Self::Collection(collection) => collection.open_shards(path),
        }
    }
}
