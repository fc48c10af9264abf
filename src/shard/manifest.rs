//! The list of a generation's shards, written when all of them are there.

mod error;

pub use error::ManifestError;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::header::{Augment, Header};
use super::reader::ShardReader;
use super::statistics::OutcomeCounts;
use super::summary::ShardSummary;
use crate::files::{FileError, write_atomically};
use crate::game::Game;

/// What a manifest or collection is called in a folder of shards.
pub const MANIFEST_FILE: &str = "manifest.json";
/// The version of the manifests that this program writes and reads.
const MANIFEST_VERSION: u32 = 1;
/// No manifest is longer; tens of thousands of shards fit.
pub(super) const MAX_MANIFEST_BYTES: u64 = 16 << 20;

/// Whether a file that begins with `bytes` means to be a manifest; 64 of them tell.
#[must_use]
pub fn is_manifest(bytes: &[u8]) -> bool {
    holds(bytes, "manifest")
}

/// Whether a text begins like a versioned JSON object with a member of that name.
pub(super) fn holds(bytes: &[u8], member: &str) -> bool {
    let text: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let rest = text.strip_prefix(b"{\"format\":").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest[digits..].starts_with(format!(",\"{member}\":").as_bytes())
}

/// What a generation of self-play has made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The game's name, [`Game::NAME`].
    pub game: String,
    /// The seed of the run.
    pub seed: u64,
    /// The generation.
    pub generation: u32,
    /// The digest of the network that played; nothing if none did.
    pub network: Option<String>,
    /// The digest of the endgame tables that games used; nothing if they used none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// The digest of the settings that define the run.
    pub config: String,
    /// Who makes the images.
    pub augment: Augment,
    /// The shards in the order of their games, which follow one another without a gap.
    pub shards: Vec<ShardEntry>,
    /// What the games were like.
    pub games: GameCounts,
    /// Originals that some symmetry makes equal to an earlier one, as self-play counts them.
    pub duplicates: u64,
}

/// A shard as the manifest knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// The name of the file, which lies beside the manifest.
    pub file: String,
    /// The digest in its footer, in hexadecimal.
    pub digest: String,
    /// The index of its first game.
    pub first_game: u32,
    /// Games that it is for, those that gave no sample included.
    pub games: u32,
    /// Samples, images included.
    pub samples: u64,
    /// Samples without the images.
    pub originals: u64,
    /// Length of the file.
    pub bytes: u64,
}

impl ShardEntry {
    /// The entry of a shard just finished.
    #[must_use]
    pub fn new(file: String, header: &Header, summary: &ShardSummary) -> Self {
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

/// What the games of a generation were like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameCounts {
    /// How they ended; every game has an outcome.
    pub outcomes: OutcomeCounts,
    /// Games that differ in some move from all earlier ones.
    pub unique: u64,
    /// Games drawn because too many plies passed without an irreversible move.
    pub cap_hits: u64,
    /// Plies of a game on average.
    pub mean_length: f64,
}

/// A manifest as its file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Versioned<T> {
    format: u32,
    manifest: T,
}

/// The part of it that every version has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// The content of a manifest or collection, which is not long.
pub(super) fn read_text(path: &Path) -> Result<Vec<u8>, ManifestError> {
    let mut json = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut json))
        .map_err(FileError::io("read", path))?;
    if json.len() as u64 > MAX_MANIFEST_BYTES {
        return Err(ManifestError::Inconsistent {
            path: path.to_owned(),
            reason: format!("it is longer than {MAX_MANIFEST_BYTES} bytes"),
        });
    }
    Ok(json)
}

/// What a versioned JSON text says, if it is of the version that this program reads.
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
    /// Samples of all shards, images included; stays at the largest number instead of overflowing.
    #[must_use]
    pub fn samples(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.samples))
    }

    /// Samples of all shards without the images.
    #[must_use]
    pub fn originals(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.originals))
    }

    /// Bytes of all shards.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        sum(self.shards.iter().map(|shard| shard.bytes))
    }

    /// Writes the manifest, in place of an earlier one; the shards are there already.
    ///
    /// # Errors
    /// If it contradicts itself or cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ManifestError> {
        self.check(path)?;
        let versioned = Versioned {
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
    /// If it cannot be read, is of another version, or contradicts itself.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let json = read_text(path)?;
        let Versioned::<Self> { manifest, .. } = parse(path, &json, MANIFEST_VERSION)?;
        manifest.check(path)?;
        Ok(manifest)
    }

    /// Whether all its shards lie beside the manifest at `path`; says nothing of what they hold.
    #[must_use]
    pub fn is_complete(&self, path: &Path) -> bool {
        let mut files = self.shards.iter().map(|shard| &shard.file);
        files.all(|file| path.with_file_name(file).exists())
    }

    /// Opens the shards of the manifest that lies at `path`, and checks that they are the ones it
    /// lists.
    ///
    /// # Errors
    /// If one is missing, damaged outside its samples, or another one.
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

    /// Compares what is found of a shard with what the manifest says of it.
    ///
    /// # Errors
    /// Says what differs.
    pub fn difference(
        &self,
        entry: &ShardEntry,
        header: &Header,
        summary: &ShardSummary,
    ) -> Result<(), String> {
        let expected = Header {
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
            return Err("its header differs".to_owned());
        }
        let found = ShardEntry::new(entry.file.clone(), &expected, summary);
        if found.digest != entry.digest {
            return Err("its digest differs".to_owned());
        }
        if found != *entry {
            return Err("its counts differ".to_owned());
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

    /// What in the manifest cannot be, if anything.
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
                return Some(format!("the digest of {file} is not one"));
            }
            if shard.originals > shard.samples {
                return Some(format!("{file} has more originals than samples"));
            }
            if shard.first_game != next_game {
                return Some(format!(
                    "{file} begins with game {}, and game {next_game} is next",
                    shard.first_game
                ));
            }
            let Some(next) = next_game.checked_add(shard.games) else {
                return Some(format!("{file} has more games than there are indices"));
            };
            next_game = next;
        }
        let games: u64 = self.shards.iter().map(|shard| u64::from(shard.games)).sum();
        self.games.contradiction(games).or_else(|| {
            let originals = self.originals();
            (self.duplicates > originals).then(|| {
                format!(
                    "{} of {originals} originals are duplicates",
                    self.duplicates
                )
            })
        })
    }
}

impl GameCounts {
    /// What cannot be of a generation of so many games, if anything.
    fn contradiction(&self, games: u64) -> Option<String> {
        let outcomes = self.outcomes;
        if outcomes.none != 0 || outcomes.decided() != games {
            return Some(format!(
                "{} of its {games} games have an outcome",
                outcomes.decided()
            ));
        }
        if self.unique > games || self.cap_hits > outcomes.draw {
            return Some("it counts more games of a kind than there are".to_owned());
        }
        if !self.mean_length.is_finite() || self.mean_length < 0.0 {
            return Some(format!("{} is no length of a game", self.mean_length));
        }
        None
    }
}

/// The sum of counts that a file states, at most the largest number.
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// Whether a name leads to a file of the folder it is looked up in.
pub(super) fn is_file_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    let first = components.next();
    matches!(first, Some(Component::Normal(first)) if first == name) && components.next().is_none()
}

#[cfg(test)]
mod tests;
