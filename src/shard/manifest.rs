//! Manifests: the list of a generation's shards, written last.

mod error;

pub use error::ManifestError;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::header::{Augment, ShardHeader};
use super::reader::ShardReader;
use super::statistics::OutcomeCounts;
use super::summary::ShardSummary;
use crate::files::{FileError, write_atomically};
use crate::game::Game;

/// File name of the manifest or collection in a folder of shards.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Version of the manifest format that this program writes and reads.
const MANIFEST_VERSION: u32 = 1;
/// Maximum size of a manifest; enough for tens of thousands of shards.
pub(super) const MAX_MANIFEST_BYTES: u64 = 16 << 20;

/// Returns true if `bytes` (at least the first 64 of the file) look like a manifest.
#[must_use]
pub fn is_manifest(bytes: &[u8]) -> bool {
    starts_with_member(bytes, "manifest")
}

/// Returns true if `bytes` start like a versioned JSON object with the given member.
pub(super) fn starts_with_member(bytes: &[u8], member: &str) -> bool {
    let text: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let rest = text.strip_prefix(b"{\"format\":").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest[digits..].starts_with(format!(",\"{member}\":").as_bytes())
}

/// Result of the self-play of one generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the game, [`Game::NAME`].
    pub game: String,
    /// Random seed of the run.
    pub seed: u64,
    /// Number of the generation.
    pub generation: u32,
    /// Digest of the network that played; `None` if no network did.
    pub network: Option<String>,
    /// Digest of the tablebases used in the games; `None` if none were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Digest of the settings that define the run.
    pub config: String,
    /// Where symmetric copies are made.
    pub augment: Augment,
    /// The shards in game order, without gaps between their games.
    pub shards: Vec<ShardEntry>,
    /// Statistics of the games.
    pub games: GameCounts,
    /// Number of base samples equal under symmetry to an earlier one of the same shard.
    pub duplicates: u64,
}

/// A shard in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// Name of the file, in the folder of the manifest.
    pub file: String,
    /// The digest of its footer, in hexadecimal.
    pub digest: String,
    /// Index of its first game.
    pub first_game: u32,
    /// Number of games that it covers, including games without samples.
    pub games: u32,
    /// Number of samples, symmetric copies included.
    pub samples: u64,
    /// Number of base samples.
    pub originals: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl ShardEntry {
    /// Creates the entry of a finished shard.
    #[must_use]
    pub fn new(file: String, header: &ShardHeader, summary: &ShardSummary) -> Self {
        Self {
            file,
            digest: summary.digest.clone(),
            first_game: header.first_game,
            games: header.games,
            samples: summary.samples,
            originals: summary.originals,
            bytes: summary.bytes,
        }
    }
}

/// Statistics of the games of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameCounts {
    /// Outcomes of the games; every game has one.
    pub outcomes: OutcomeCounts,
    /// Number of games with distinct openings and moves.
    pub unique: u64,
    /// Number of games drawn by the no-progress limit.
    pub cap_hits: u64,
    /// Mean number of plies of a game.
    pub mean_length: f64,
}

/// The JSON file of a manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile<T> {
    format: u32,
    manifest: T,
}

/// The member that all versions have in common.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// Reads the text of a manifest or collection, whose size is bounded.
pub(super) fn read_text(path: &Path) -> Result<Vec<u8>, ManifestError> {
    let mut json = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut json))
        .map_err(FileError::io("read", path))?;
    if json.len() as u64 > MAX_MANIFEST_BYTES {
        return Err(ManifestError::Inconsistent {
            path: path.to_owned(),
            reason: format!("it exceeds {MAX_MANIFEST_BYTES} bytes"),
        });
    }
    Ok(json)
}

/// Parses a versioned JSON text, rejecting other versions than `reads`.
pub(super) fn parse<T: DeserializeOwned>(
    path: &Path,
    json: &[u8],
    reads: u32,
) -> Result<T, ManifestError> {
    let syntax = |source| ManifestError::Syntax {
        path: path.to_owned(),
        source,
    };
    let Version { format: found } = serde_json::from_slice(json).map_err(syntax)?;
    if found != reads {
        return Err(ManifestError::Version {
            path: path.to_owned(),
            found,
            reads,
        });
    }
    serde_json::from_slice(json).map_err(syntax)
}

impl Manifest {
    /// Returns the number of samples in all shards, symmetric copies included, saturating.
    #[must_use]
    pub fn samples(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.samples))
    }

    /// Returns the number of base samples in all shards.
    #[must_use]
    pub fn originals(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.originals))
    }

    /// Returns the size of all shards in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.bytes))
    }

    /// Writes the manifest, replacing an earlier one. The shards must exist already.
    ///
    /// # Errors
    /// If it is inconsistent or cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ManifestError> {
        self.check(path)?;
        let versioned = ManifestFile {
            format: MANIFEST_VERSION,
            manifest: self,
        };
        write_atomically(path, |file| {
            serde_json::to_writer_pretty(&mut *file, &versioned)?;
            file.write_all(b"\n")
        })
        .map_err(FileError::io("write", path))?;
        Ok(())
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, has another version or is inconsistent.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let json = read_text(path)?;
        let ManifestFile::<Self> { manifest, .. } = parse(path, &json, MANIFEST_VERSION)?;
        manifest.check(path)?;
        Ok(manifest)
    }

    /// Returns true if all listed shards exist beside the manifest in `path`; does not open them.
    #[must_use]
    pub fn is_complete(&self, path: &Path) -> bool {
        let mut files = self.shards.iter().map(|shard| &shard.file);
        files.all(|file| path.with_file_name(file).exists())
    }

    /// Opens the shards of the manifest in the file `path` and checks that they are the listed
    /// ones.
    ///
    /// # Errors
    /// If a shard is missing, damaged outside its samples, or differs from the listed one.
    pub fn open_shards<G: Game>(&self, path: &Path) -> Result<Vec<ShardReader<G>>, ManifestError> {
        let open = |entry: &ShardEntry| {
            let reader = ShardReader::open(&path.with_file_name(&entry.file))?;
            self.difference(entry, reader.header(), reader.summary())
                .map_err(|reason| ManifestError::Stranger {
                    path: path.to_owned(),
                    shard: reader.path().to_owned(),
                    reason,
                })?;
            Ok(reader)
        };
        self.shards.iter().map(open).collect()
    }

    /// Compares a shard with its entry.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn difference(
        &self,
        entry: &ShardEntry,
        header: &ShardHeader,
        summary: &ShardSummary,
    ) -> Result<(), String> {
        let expected = ShardHeader {
            game: self.game.clone(),
            seed: self.seed,
            generation: self.generation,
            network: self.network.clone(),
            config: self.config.clone(),
            first_game: entry.first_game,
            games: entry.games,
            augment: self.augment,
        };
        if *header != expected {
            return Err("the header differs".to_owned());
        }
        let found = ShardEntry::new(entry.file.clone(), &expected, summary);
        if found.digest != entry.digest {
            return Err("the digest differs".to_owned());
        }
        if found != *entry {
            return Err("the counts differ".to_owned());
        }
        Ok(())
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
        let mut next_game = self.shards.first().map_or(0, |shard| shard.first_game);
        for shard in &self.shards {
            let ShardEntry { file, digest, .. } = shard;
            if !is_file_name(file) {
                return Some(format!("{file:?} is not the name of a file beside it"));
            }
            if digest.len() != 64 || !digest.bytes().all(|c| c.is_ascii_hexdigit()) {
                return Some(format!("the digest of {file} is malformed"));
            }
            if shard.originals > shard.samples {
                return Some(format!("{file} has more base samples than samples"));
            }
            if shard.first_game != next_game {
                return Some(format!(
                    "{file} starts with game {} instead of game {next_game}",
                    shard.first_game
                ));
            }
            let Some(next) = next_game.checked_add(shard.games) else {
                return Some(format!("{file} exceeds the largest game index"));
            };
            next_game = next;
        }
        let games: u64 = self.shards.iter().map(|shard| u64::from(shard.games)).sum();
        self.games.contradiction(games).or_else(|| {
            let originals = self.originals();
            (self.duplicates > originals).then(|| {
                format!(
                    "{} of {originals} base samples are duplicates",
                    self.duplicates
                )
            })
        })
    }
}

impl GameCounts {
    /// Returns the first inconsistency with the number of `games`.
    fn contradiction(&self, games: u64) -> Option<String> {
        let outcomes = self.outcomes;
        if outcomes.none != 0 || outcomes.decided() != games {
            return Some(format!(
                "{} of {games} games have an outcome",
                outcomes.decided()
            ));
        }
        if self.unique > games || self.cap_hits > outcomes.draw {
            return Some("it counts more unique or drawn games than there are".to_owned());
        }
        if !self.mean_length.is_finite() || self.mean_length < 0.0 {
            return Some(format!("{} is not a valid game length", self.mean_length));
        }
        None
    }
}

/// Returns the sum of counts, saturating.
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// Returns true if `name` is a plain file name without folders.
pub(super) fn is_file_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    let first = components.next();
    matches!(first, Some(Component::Normal(first)) if first == name) && components.next().is_none()
}

#[cfg(test)]
mod tests;
