//! Saving the intact blocks of a damaged shard.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::block::{BLOCK_HEAD_BYTES, BLOCK_MARKER, BlockHead, Wanted};
use super::error::ShardError;
use super::footer::{FOOTER_BYTES, Footer};
use super::header::ShardHeader;
use super::sample::Sample;
use super::source::ShardFile;
use super::summary::ShardSummary;
use super::writer::ShardWriter;
use crate::files::Existing;
use crate::game::Game;

/// What was saved of a shard and what was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalvageReport {
    /// The new shard.
    pub saved: ShardSummary,
    /// Number of intact blocks found.
    pub whole_blocks: u32,
    /// Number of lost samples, symmetric copies included; `None` if the footer is lost too.
    pub lost_samples: Option<u64>,
    /// Number of bytes outside the header, intact blocks and the footer.
    pub lost_bytes: u64,
}

/// Copies the intact blocks of the shard `path` to a new shard `out`.
///
/// Samples in damaged blocks are lost, even if other samples of their game are saved.
///
/// # Errors
/// If the header is damaged, no block is intact, `out` exists, or a file cannot be read or written.
pub fn salvage<G: Game>(path: &Path, out: &Path) -> Result<SalvageReport, ShardError> {
    let mut source = ShardFile::open(path)?;
    let (header, start) = ShardHeader::read_from(source.from(0)?, path)?;
    header.check_game::<G>(path)?;
    let mut writer = ShardWriter::<G>::create(out, &header, Existing::Keep)?;
    let (mut offset, mut known_bytes, mut whole_blocks) = (start, start, 0);
    while let Some(place) = source.find(BLOCK_MARKER, offset)? {
        let Some(block) = whole_block(&mut source, place, &header)? else {
            offset = place + 1;
            continue;
        };
        for original in &block.originals {
            writer.push(original)?;
        }
        whole_blocks += 1;
        known_bytes += block.bytes;
        offset = place + block.bytes;
    }
    if whole_blocks == 0 {
        return Err(ShardError::NothingWhole {
            path: path.to_owned(),
        });
    }
    let footer = footer(&mut source, offset)?;
    if footer.is_some() {
        known_bytes += FOOTER_BYTES as u64;
    }
    let saved = writer.finish()?;
    Ok(SalvageReport {
        lost_samples: footer.map(|footer| footer.totals.samples.saturating_sub(saved.samples)),
        lost_bytes: source.length().saturating_sub(known_bytes),
        saved,
        whole_blocks,
    })
}

struct WholeBlock<G> {
    bytes: u64,
    originals: Vec<Sample<G>>,
}

/// Reads the block at `place` if it is intact.
fn whole_block<G: Game>(
    source: &mut ShardFile,
    place: u64,
    header: &ShardHeader,
) -> Result<Option<WholeBlock<G>>, ShardError> {
    let bytes = source.read_at(place, BLOCK_HEAD_BYTES)?;
    let room = source
        .length()
        .saturating_sub(place + BLOCK_HEAD_BYTES as u64);
    let Ok(head) = BlockHead::parse(&bytes, room) else {
        return Ok(None);
    };
    let payload = source.read_at(place + BLOCK_HEAD_BYTES as u64, head.payload_bytes())?;
    let originals = head.decode(&payload, header.augment, Wanted::Originals);
    Ok(originals.ok().map(|originals| WholeBlock {
        bytes: head.block_bytes(),
        originals,
    }))
}

/// Reads the footer if the file still ends with one that starts at or after `offset`.
fn footer(source: &mut ShardFile, offset: u64) -> Result<Option<Footer>, ShardError> {
    let place = source.length().saturating_sub(FOOTER_BYTES as u64);
    let bytes = source.read_at(place.max(offset), FOOTER_BYTES)?;
    Ok(Footer::parse(&bytes).ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::header::Augment;
    use super::super::reader::ShardReader;
    use super::super::tests::{header, sample, write_shard};
    use super::super::verify::verify;
    use super::*;
    use crate::files::FileError;
    use crate::games::bagh_chal::Position;
    use crate::workers::pool;

    /// Returns five samples of five games, one block each.
    fn five_samples() -> Vec<Sample<Position>> {
        let game = |game| Sample {
            game,
            score: game as f32,
            ..sample(3)
        };
        (7..12).map(game).collect()
    }

    fn games(path: &Path) -> Vec<u32> {
        let reader = ShardReader::<Position>::open(path).unwrap();
        let originals = reader.originals().map(|sample| sample.unwrap().game);
        originals.collect()
    }

    #[test]
    fn an_intact_shard_is_copied_byte_for_byte() {
        for augment in [Augment::Write, Augment::Read] {
            let folder = tempfile::tempdir().unwrap();
            let (path, out) = (folder.path().join("a"), folder.path().join("b"));
            let mut writer = ShardWriter::create(&path, &header(augment), Existing::Keep).unwrap();
            for _ in 0..300 {
                five_samples()
                    .iter()
                    .map(|sample| Sample { game: 7, ..*sample })
                    .for_each(|sample| writer.push(&sample).unwrap());
            }
            writer.finish().unwrap();
            let report = salvage::<Position>(&path, &out).unwrap();
            assert_eq!((report.lost_bytes, report.lost_samples), (0, Some(0)));
            assert_eq!(report.whole_blocks, 3);
            assert_eq!(fs::read(&path).unwrap(), fs::read(&out).unwrap());
        }
    }

    #[test]
    fn every_truncation_keeps_the_blocks_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let (path, out) = (folder.path().join("a"), folder.path().join("b"));
        write_shard(&path, Augment::Write, 8, &five_samples());
        let bytes = fs::read(&path).unwrap();
        let reader = ShardReader::<Position>::open(&path).unwrap();
        let ends: Vec<_> = reader
            .blocks()
            .iter()
            .map(|block| (block.offset() + block.head.block_bytes()) as usize)
            .collect();
        for length in ends[0]..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let report = salvage::<Position>(&path, &out).unwrap();
            let whole = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(report.whole_blocks as usize, whole);
            assert_eq!(report.lost_bytes as usize, length - ends[whole - 1]);
            assert_eq!(report.lost_samples, None);
            assert_eq!(games(&out), (7..7 + whole as u32).collect::<Vec<_>>());
            fs::remove_file(&out).unwrap();
        }
        for length in [ends[0] - 1, 150, 3] {
            fs::write(&path, &bytes[..length]).unwrap();
            salvage::<Position>(&path, &out).unwrap_err();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_flipped_bit_loses_only_its_block() {
        let folder = tempfile::tempdir().unwrap();
        let (path, out) = (folder.path().join("a"), folder.path().join("b"));
        write_shard(&path, Augment::Read, 8, &five_samples());
        let whole = fs::read(&path).unwrap();
        let second = ShardReader::<Position>::open(&path).unwrap().blocks()[1];
        for bit in 8 * second.offset..8 * (second.offset + second.head.block_bytes()) {
            let mut bytes = whole.clone();
            bytes[bit as usize / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            let report = salvage::<Position>(&path, &out).unwrap();
            assert_eq!(games(&out), [7, 9, 10, 11]);
            assert_eq!(report.lost_bytes, second.head.block_bytes());
            assert_eq!(report.lost_samples, Some(8));
            assert_eq!(
                verify::<Position>(&out, &pool(1).unwrap()).unwrap().summary,
                report.saved
            );
            fs::remove_file(&out).unwrap();
        }
    }

    #[test]
    fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_shard(&path, Augment::Write, 8, &five_samples());
        let error = salvage::<Position>(&path, &path).unwrap_err();
        assert!(
            matches!(error, ShardError::File(FileError::Exists { .. })),
            "{error}"
        );
        verify::<Position>(&path, &pool(1).unwrap()).unwrap();
    }
}
