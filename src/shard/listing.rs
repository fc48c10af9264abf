//! Lists of shards: manifests and collections.

use std::path::Path;

use super::collection::{Collection, is_collection};
use super::manifest::{Manifest, ManifestError, read_text};
use super::reader::ShardReader;
use crate::game::Game;

/// A file that lists shards in its own folder.
#[derive(Clone, Debug, PartialEq)]
pub enum Listing {
    /// The shards of one generation of self-play.
    Manifest(Manifest),
    /// Shards merged from others.
    Collection(Collection),
}

impl Listing {
    /// Reads a list.
    ///
    /// # Errors
    /// If the file cannot be read, has another version or is inconsistent.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        if is_collection(&read_text(path)?) {
            Collection::load(path).map(Self::Collection)
        } else {
            Manifest::load(path).map(Self::Manifest)
        }
    }

    /// Returns the name of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Self::Manifest(manifest) => &manifest.game,
            Self::Collection(collection) => &collection.game,
        }
    }

    /// Opens the listed shards; `path` is the file of the list. Checks that they are the listed
    /// ones.
    ///
    /// # Errors
    /// If a shard is missing, damaged outside its samples, or differs from the listed one.
    pub fn open_shards<G: Game>(&self, path: &Path) -> Result<Vec<ShardReader<G>>, ManifestError> {
        match self {
            Self::Manifest(manifest) => manifest.open_shards(path),
            Self::Collection(collection) => collection.open_shards(path),
        }
    }
}
