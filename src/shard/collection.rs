//! Collections: lists of merged shards, of any number of generations.
//!
//! A manifest also describes the games of its generation; a collection only lists shards, whose
//! headers identify their games.

use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::header::{Augment, ShardHeader};
use super::manifest::{
    MAX_MANIFEST_BYTES, ManifestError, is_file_name, parse, read_text, starts_with_member,
};
use super::reader::ShardReader;
use super::summary::ShardSummary;
use crate::files::{FileError, write_atomically};
use crate::game::Game;
use crate::mismatch::first_mismatch;

/// Version of the collection format that this program writes and reads.
const COLLECTION_VERSION: u32 = 1;

/// Returns true if `bytes` (at least the first 64 of the file) look like a collection.
#[must_use]
pub fn is_collection(bytes: &[u8]) -> bool {
    starts_with_member(bytes, "collection")
}

/// The filter with which a collection was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilterRecord {
    /// The first and last generation; `None` if all.
    pub generations: Option<(u32, u32)>,
    /// Names of the phases; empty if all.
    pub phases: Vec<String>,
    /// Names of the outcomes; empty if all.
    pub outcomes: Vec<String>,
    /// Whether only one sample was kept of positions that are equal under symmetry.
    pub folded: bool,
}

/// A list of shards of one or more generations, written together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Name of the game, [`Game::NAME`].
    pub game: String,
    /// Where symmetric copies are made.
    pub augment: Augment,
    /// The filter that selected the samples.
    pub filter: FilterRecord,
    /// The shards, oldest generation first.
    pub shards: Vec<CollectedShard>,
}

/// An entry of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectedShard {
    /// Name of the shard's file, in the folder of the collection.
    pub file: String,
    /// Header of the shard.
    pub header: ShardHeader,
    /// Totals and digest of the shard.
    pub summary: ShardSummary,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionFile<T> {
    format: u32,
    collection: T,
}

impl Collection {
    /// Returns the number of samples in all shards, symmetric copies included.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.shards.iter().map(|shard| shard.summary.samples).sum()
    }

    /// Returns the number of base samples in all shards.
    #[must_use]
    pub fn originals(&self) -> u64 {
        let shards = self.shards.iter();
        shards.map(|shard| shard.summary.originals).sum()
    }

    /// Writes the collection, replacing an earlier one. The shards must exist already.
    ///
    /// # Errors
    /// If it is inconsistent or cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ManifestError> {
        self.check(path)?;
        let versioned = CollectionFile {
            format: COLLECTION_VERSION,
            collection: self,
        };
        let mut json = serde_json::to_vec_pretty(&versioned)
            .map_err(|error| FileError::io("write", path)(error.into()))?;
        json.push(b'\n');
        if json.len() as u64 > MAX_MANIFEST_BYTES {
            return Err(ManifestError::TooMany {
                path: path.to_owned(),
                shards: self.shards.len(),
            });
        }
        write_atomically(path, |file| file.write_all(&json))
            .map_err(FileError::io("write", path))?;
        Ok(())
    }

    /// Reads a collection.
    ///
    /// # Errors
    /// If it cannot be read, has another version or is inconsistent.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let json = read_text(path)?;
        let CollectionFile::<Self> { collection, .. } = parse(path, &json, COLLECTION_VERSION)?;
        collection.check(path)?;
        Ok(collection)
    }

    /// Opens the shards of the collection in the file `path` and checks that they are the listed
    /// ones.
    ///
    /// # Errors
    /// If a shard is missing, damaged outside its samples, or differs from the listed one.
    pub fn open_shards<G: Game>(&self, path: &Path) -> Result<Vec<ShardReader<G>>, ManifestError> {
        let open = |listed: &CollectedShard| {
            let reader = ShardReader::open(&path.with_file_name(&listed.file))?;
            let (header, summary) = (reader.header(), reader.summary());
            let differs = first_mismatch([
                (*header != listed.header, "its header differs"),
                (
                    summary.digest != listed.summary.digest,
                    "its digest differs",
                ),
                (*summary != listed.summary, "its counts differ"),
            ]);
            match differs {
                None => Ok(reader),
                Some(reason) => Err(ManifestError::Stranger {
                    path: path.to_owned(),
                    shard: reader.path().to_owned(),
                    reason: reason.to_owned(),
                }),
            }
        };
        self.shards.iter().map(open).collect()
    }

    fn check(&self, path: &Path) -> Result<(), ManifestError> {
        self.contradiction().map_or(Ok(()), |reason| {
            Err(ManifestError::Inconsistent {
                path: path.to_owned(),
                reason,
            })
        })
    }

    /// Returns the first inconsistency.
    fn contradiction(&self) -> Option<String> {
        let mut names: Vec<_> = self.shards.iter().map(|shard| &shard.file).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(format!("it lists {} twice", twice[0]));
        }
        for CollectedShard {
            file,
            header,
            summary,
        } in &self.shards
        {
            if !is_file_name(file) {
                return Some(format!("{file:?} is not the name of a file beside it"));
            }
            if (&header.game, header.augment) != (&self.game, self.augment) {
                return Some(format!("{file} has another game or augment setting"));
            }
            if summary.originals > summary.samples {
                return Some(format!("{file} has more base samples than samples"));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{header, sample, write_shard};
    use super::*;
    use crate::games::bagh_chal::Position;

    #[test]
    fn a_collection_round_trips_and_faults_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest.json");
        let shard = folder.path().join("a.shard");
        let summary = write_shard(&shard, Augment::Write, 8, &[sample(1), sample(3)]);
        let collection = Collection {
            game: Position::NAME.to_owned(),
            augment: Augment::Write,
            filter: FilterRecord {
                generations: Some((2, 4)),
                ..FilterRecord::default()
            },
            shards: vec![CollectedShard {
                file: "a.shard".to_owned(),
                header: header(Augment::Write),
                summary,
            }],
        };
        let shard_of = |number| CollectedShard {
            file: format!("{number}"),
            ..collection.shards[0].clone()
        };
        let long = Collection {
            shards: (0..40_000).map(shard_of).collect(),
            ..collection.clone()
        };
        let error = long.save(&path).unwrap_err().to_string();
        assert!(error.contains("cannot list 40000 shards"), "{error}");
        assert!(!path.exists());
        collection.save(&path).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        assert!(is_collection(&whole.as_bytes()[..64]));
        assert!(!super::super::is_manifest(&whole.as_bytes()[..64]));
        let loaded = Collection::load(&path).unwrap();
        assert_eq!(loaded, collection);
        assert_eq!((loaded.samples(), loaded.originals()), (12, 2));
        assert_eq!(loaded.open_shards::<Position>(&path).unwrap().len(), 1);
        for (from, to, reason) in [
            ("\"a.shard\"", "\"../a.shard\"", "not the name of a file"),
            ("\"samples\": 12", "\"samples\": 1", "more base samples"),
            (
                "\"augment\": \"write\"",
                "\"augment\": \"read\"",
                "another game or augment",
            ),
            ("\"folded\": false", "\"folded\": 3", "is not a manifest"),
            ("\"format\": 1", "\"format\": 2", "has format version 2"),
        ] {
            assert!(whole.contains(from), "{from}");
            fs::write(&path, whole.replacen(from, to, 1)).unwrap();
            let error = Collection::load(&path).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.contains("manifest.json"), "{error}");
        }
        write_shard(&shard, Augment::Write, 8, &[sample(1), sample(2)]);
        let error = loaded.open_shards::<Position>(&path).unwrap_err();
        assert!(error.to_string().contains("digest differs"), "{error}");
    }
}
