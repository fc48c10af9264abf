//! The list of a generation's shards, written when all of them are there.

mod error;

pub use error::ManifestError;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::header::{Augment, Header};
use super::reader::ShardReader;
use super::statistics::OutcomeCounts;
use super::summary::ShardSummary;
use crate::files::write_atomically;
use crate::game::Game;

/// The version of the manifests that this program writes and reads.
const MANIFEST_VERSION: u32 = 1;
/// No manifest is longer; tens of thousands of shards fit.
const MAX_MANIFEST_BYTES: u64 = 16 << 20;

/// Whether a file that begins with `bytes` means to be a manifest; 64 of them tell.
#[must_use]
pub fn is_manifest(bytes: &[u8]) -> bool {
    let text: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let rest = text.strip_prefix(b"{\"format\":").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest[digits..].starts_with(b",\"manifest\":")
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

impl Manifest {
    /// Samples of all shards, images included.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.shards.iter().map(|shard| shard.samples).sum()
    }

    /// Samples of all shards without the images.
    #[must_use]
    pub fn originals(&self) -> u64 {
        self.shards.iter().map(|shard| shard.originals).sum()
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
        .map_err(ManifestError::io("write", path))
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, is of another version, or contradicts itself.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let mut json = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut json))
            .map_err(ManifestError::io("read", path))?;
        if json.len() as u64 > MAX_MANIFEST_BYTES {
            return Err(ManifestError::Inconsistent {
                path: path.to_owned(),
                reason: format!("it is longer than {MAX_MANIFEST_BYTES} bytes"),
            });
        }
        let syntax = |source| ManifestError::Syntax {
            path: path.to_owned(),
            source,
        };
        let Version { format: found } = serde_json::from_slice(&json).map_err(syntax)?;
        if found != MANIFEST_VERSION {
            return Err(ManifestError::Version {
                path: path.to_owned(),
                found,
            });
        }
        let Versioned::<Self> { manifest, .. } = serde_json::from_slice(&json).map_err(syntax)?;
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
            self.compare(entry, &reader)
                .map_err(|reason| ManifestError::Stranger {
                    path: path.to_owned(),
                    shard: reader.path().to_owned(),
                    reason,
                })?;
            Ok(reader)
        };
        self.shards.iter().map(open).collect()
    }

    fn compare<G: Game>(&self, entry: &ShardEntry, reader: &ShardReader<G>) -> Result<(), String> {
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
        if *reader.header() != expected {
            return Err("its header differs".to_owned());
        }
        let found = ShardEntry::new(entry.file.clone(), &expected, reader.summary());
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

/// Whether a name leads to a file of the folder it is looked up in.
fn is_file_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    let first = components.next();
    matches!(first, Some(Component::Normal(first)) if first == name) && components.next().is_none()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::path::PathBuf;

    use super::super::tests::{header, sample, write_shard};
    use super::*;
    use crate::games::bagh_chal::Position;

    /// A folder with a shard, and its manifest, not yet saved.
    fn generation() -> (tempfile::TempDir, PathBuf, Manifest) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest.json");
        let header = header(Augment::Write);
        let summary = write_shard(
            &folder.path().join("a.shard"),
            Augment::Write,
            8,
            &[sample(1), sample(3)],
        );
        let manifest = Manifest {
            shards: vec![ShardEntry::new("a.shard".to_owned(), &header, &summary)],
            games: GameCounts {
                outcomes: OutcomeCounts {
                    max: 4,
                    draw: 3,
                    min: 3,
                    none: 0,
                },
                unique: 9,
                cap_hits: 2,
                mean_length: 61.3,
            },
            duplicates: 1,
            game: header.game,
            seed: header.seed,
            generation: header.generation,
            network: header.network,
            tables: None,
            config: header.config,
            augment: header.augment,
        };
        (folder, path, manifest)
    }

    /// What loading says after `from` has become `to`.
    fn edited(from: &str, to: &str) -> String {
        let (_folder, path, manifest) = generation();
        manifest.save(&path).unwrap();
        let json = fs::read_to_string(&path).unwrap();
        assert!(json.contains(from), "{json}");
        fs::write(&path, json.replacen(from, to, 1)).unwrap();
        Manifest::load(&path).unwrap_err().to_string()
    }

    #[test]
    fn a_manifest_comes_back_with_its_shards() {
        let (_folder, path, manifest) = generation();
        manifest.save(&path).unwrap();
        let loaded = Manifest::load(&path).unwrap();
        assert_eq!(loaded, manifest);
        assert!(is_manifest(&fs::read(&path).unwrap()[..64]));
        assert!(!is_manifest(b"{\"format\": 1, \"state\": 2}"));
        assert_eq!((loaded.samples(), loaded.originals()), (12, 2));
        let shards = loaded.open_shards::<Position>(&path).unwrap();
        assert_eq!(shards[0].samples().count(), 12);
    }

    #[test]
    fn seeds_beyond_the_precision_of_floats_survive() {
        let (_folder, path, manifest) = generation();
        let seed = u64::MAX - 1;
        Manifest { seed, ..manifest }.save(&path).unwrap();
        assert_eq!(Manifest::load(&path).unwrap().seed, seed);
    }

    #[test]
    fn contradictions_are_named() {
        for (from, to, reason) in [
            ("\"a.shard\"", "\"../a.shard\"", "not the name of a file"),
            ("\"a.shard\"", "\"/a.shard\"", "not the name of a file"),
            ("\"digest\": \"", "\"digest\": \"0", "digest of a.shard"),
            ("\"first_game\": 7", "\"first_game\": 4294967290", "indices"),
            ("\"games\": 10", "\"games\": 11", "10 of its 11 games"),
            ("\"samples\": 12", "\"samples\": 1", "more originals"),
            ("\"unique\": 9", "\"unique\": 11", "more games of a kind"),
            ("\"cap_hits\": 2", "\"cap_hits\": 4", "more games of a kind"),
            ("61.3", "-61.3", "no length"),
            ("\"duplicates\": 1", "\"duplicates\": 3", "3 of 2 originals"),
            (
                "\"seed\": 42",
                "\"seed\": 42, \"extra\": 1",
                "unknown field",
            ),
            (
                "\"format\": 1",
                "\"format\": 2",
                "is format version 2; this program reads version 1",
            ),
            ("{", "", "is not a manifest"),
        ] {
            let error = edited(from, to);
            assert!(error.contains(reason), "{error}");
            assert!(error.contains("manifest.json"), "{error}");
        }
    }

    #[test]
    fn gaps_and_repetitions_between_shards_are_named() {
        let (_folder, path, mut manifest) = generation();
        let second = ShardEntry {
            file: "b.shard".to_owned(),
            first_game: 18,
            ..manifest.shards[0].clone()
        };
        manifest.shards.push(second);
        let error = manifest.save(&path).unwrap_err().to_string();
        assert!(
            error.contains("begins with game 18, and game 17 is next"),
            "{error}"
        );
        manifest.shards[1].file = "a.shard".to_owned();
        let error = manifest.save(&path).unwrap_err().to_string();
        assert!(error.contains("lists a.shard twice"), "{error}");
        assert!(!path.exists());
    }

    #[test]
    fn another_shard_of_the_name_is_a_stranger() {
        let (folder, path, manifest) = generation();
        let shard = folder.path().join("a.shard");
        for (augment, samples, reason) in [
            (Augment::Write, [sample(1), sample(2)], "its digest differs"),
            (Augment::Read, [sample(1), sample(3)], "its header differs"),
        ] {
            write_shard(&shard, augment, 8, &samples);
            let error = manifest
                .open_shards::<Position>(&path)
                .unwrap_err()
                .to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.contains("a.shard"), "{error}");
        }
        fs::remove_file(&shard).unwrap();
        let error = manifest
            .open_shards::<Position>(&path)
            .unwrap_err()
            .to_string();
        assert!(error.contains("a.shard"), "{error}");
    }
}
