//! The header of a shard: format, game and origin of its samples.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::codec::{self, MAX_VALUE_BYTES};
use super::error::{MAKE_AGAIN, ShardError};
use crate::files::{FileError, FileFormat, PREAMBLE_BYTES};
use crate::game::Game;

pub(super) static FORMAT: FileFormat = FileFormat {
    name: "shard",
    magic: *b"BAGSHARD",
    version: 1,
    remedy: |_| MAKE_AGAIN.to_owned(),
};

/// Returns true if a file that starts with `bytes` is a shard of any version.
#[must_use]
pub fn is_shard(bytes: &[u8]) -> bool {
    FORMAT.is_start(bytes)
}

/// Where the symmetric copies of positions are made (augmentation).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Augment {
    /// By the writer: the file contains the copies.
    #[default]
    Write,
    /// By the reader: the file contains base samples only and is several times smaller.
    Read,
}

/// Origin of a shard's samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    /// Name of the game, [`Game::NAME`].
    pub game: String,
    /// Random seed of the run.
    pub seed: u64,
    /// Generation that the games belong to.
    pub generation: u32,
    /// Digest of the network that played; `None` if no network did.
    pub network: Option<String>,
    /// Digest of the settings that define the run.
    pub config: String,
    /// Index of the shard's first game in its generation.
    pub first_game: u32,
    /// Number of games that the shard covers, including games without samples.
    pub games: u32,
    /// Where symmetric copies are made.
    pub augment: Augment,
}

impl ShardHeader {
    /// Returns true if `game` is one of the shard's games.
    pub(super) fn covers(&self, game: u32) -> bool {
        game.checked_sub(self.first_game)
            .is_some_and(|index| index < self.games)
    }

    /// Encodes the start of the file: preamble and header.
    ///
    /// # Errors
    /// Returns the reason if the header is not valid for `G`.
    pub(super) fn to_bytes<G: Game>(&self) -> Result<Vec<u8>, String> {
        if self.game != G::NAME {
            return Err(format!("it is for the game {}, not {}", self.game, G::NAME));
        }
        if self.first_game.checked_add(self.games).is_none() {
            return Err(format!(
                "{} games starting at game {} exceed the largest game index",
                self.games, self.first_game
            ));
        }
        let mut record = Vec::new();
        codec::append(self, MAX_VALUE_BYTES, &mut record)?;
        Ok(FORMAT.start_with_header(&record))
    }

    /// Reads the header from the start of `file`, whose name is `path`, and returns it with the
    /// number of bytes read.
    pub(super) fn read_from(file: impl Read, path: &Path) -> Result<(Self, u64), ShardError> {
        let record = FORMAT.read_header(file, path, MAX_VALUE_BYTES)?;
        let header = codec::read_all(&record)
            .map_err(|reason| FORMAT.damaged(path, format!("its header is wrong: {reason}")))?;
        Ok((header, (PREAMBLE_BYTES + record.len()) as u64))
    }

    /// Checks that the header is of game `G`.
    pub(super) fn check_game<G: Game>(&self, path: &Path) -> Result<(), ShardError> {
        if self.game == G::NAME {
            return Ok(());
        }
        Err(ShardError::Game {
            path: path.to_owned(),
            expected: G::NAME,
            found: self.game.clone(),
        })
    }
}

/// Reads only the header of a shard of any game.
///
/// # Errors
/// If the file cannot be read, or is not a shard of this version, or its header is damaged.
pub fn read_header(path: &Path) -> Result<ShardHeader, ShardError> {
    let file = File::open(path).map_err(FileError::io("open", path))?;
    Ok(ShardHeader::read_from(file, path)?.0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::header;
    use super::*;
    use crate::games::bagh_chal::Position;

    fn read(bytes: &[u8]) -> Result<(ShardHeader, u64), ShardError> {
        ShardHeader::read_from(bytes, Path::new("a.shard"))
    }

    #[test]
    fn a_header_round_trips_with_its_length() {
        for augment in [Augment::Write, Augment::Read] {
            let mut header = header(augment);
            header.network = Some("ab".repeat(32));
            let mut bytes = header.to_bytes::<Position>().unwrap();
            let length = bytes.len() as u64;
            bytes.extend(b"and more");
            assert_eq!(read(&bytes).unwrap(), (header, length));
        }
    }

    #[test]
    fn other_files_are_distinguished_from_damaged_shards() {
        let bytes = header(Augment::Write).to_bytes::<Position>().unwrap();
        for foreign in [&b""[..], b"BAGX", b"{\"game\": \"bagh-chal\", \"seed\": 1}"] {
            let error = read(foreign).unwrap_err();
            assert!(
                matches!(error, ShardError::File(FileError::Foreign { .. })),
                "{error}"
            );
        }
        for length in [3, 8, 19, 20, bytes.len() - 1] {
            let error = read(&bytes[..length]).unwrap_err();
            assert!(
                matches!(error, ShardError::File(FileError::Damaged { .. })),
                "{error}"
            );
        }
    }

    #[test]
    fn a_newer_version_is_named() {
        let mut bytes = header(Augment::Write).to_bytes::<Position>().unwrap();
        bytes[8..12].copy_from_slice(&2_u32.to_le_bytes());
        assert_eq!(
            read(&bytes).unwrap_err().to_string(),
            "the shard a.shard has format version 2, and this program reads version 1; use a newer \
             version of bagheera"
        );
    }

    #[test]
    fn a_huge_length_is_rejected_before_reading() {
        let mut bytes = header(Augment::Write).to_bytes::<Position>().unwrap();
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = read(&bytes).unwrap_err().to_string();
        assert!(
            error.contains("length of its header is 4294967295 bytes"),
            "{error}"
        );
    }

    #[test]
    fn invalid_headers_are_not_written() {
        let foreign = ShardHeader {
            game: "y".to_owned(),
            ..header(Augment::Write)
        };
        let long = ShardHeader {
            config: "c".repeat(1000),
            ..header(Augment::Write)
        };
        let beyond = ShardHeader {
            first_game: u32::MAX,
            ..header(Augment::Write)
        };
        for (refused, reason) in [
            (foreign, "game y"),
            (long, "limit is 1024"),
            (beyond, "exceed"),
        ] {
            let refusal = refused.to_bytes::<Position>().unwrap_err();
            assert!(refusal.contains(reason), "{refusal}");
        }
    }

    #[test]
    fn the_header_of_any_game_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        fs::write(&path, header(Augment::Read).to_bytes::<Position>().unwrap()).unwrap();
        assert_eq!(read_header(&path).unwrap(), header(Augment::Read));
        assert!(read_header(&folder.path().join("none")).is_err());
    }
}
