//! Reading shards, sequentially or by block.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::vec;

use super::block::{BLOCK_HEAD_BYTES, BlockEntry, BlockHead, Wanted};
use super::error::ShardError;
use super::footer::{FOOTER_BYTES, FOOTER_MARKER, Footer, Totals};
use super::header::ShardHeader;
use super::sample::Sample;
use super::source::ShardFile;
use super::summary::ShardSummary;
use crate::game::Game;

/// An open shard whose header, footer and block heads have been checked.
///
/// Payloads are checked when they are read. The file is open only during reads, so any number of
/// shards can be held, and threads can share a reader.
#[derive(Clone, Debug)]
pub struct ShardReader<G> {
    path: PathBuf,
    header: ShardHeader,
    blocks: Vec<BlockEntry>,
    summary: ShardSummary,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> ShardReader<G> {
    /// Opens the shard `path` without reading samples.
    ///
    /// # Errors
    /// If the file cannot be read, is not a shard of this version and game, or is damaged outside
    /// the payloads of its blocks.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let mut source = ShardFile::open(path)?;
        let (header, start) = ShardHeader::read_from(source.from(0)?, path)?;
        header.check_game::<G>(path)?;
        let (blocks, footer) = scan(&mut source, path, start)?;
        Ok(Self {
            path: path.to_owned(),
            header,
            blocks,
            summary: ShardSummary::new(&footer, source.length()),
            game: PhantomData,
        })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the header.
    #[must_use]
    pub fn header(&self) -> &ShardHeader {
        &self.header
    }

    /// Returns the totals and digest of the footer.
    #[must_use]
    pub fn summary(&self) -> &ShardSummary {
        &self.summary
    }

    /// Returns the blocks in file order.
    #[must_use]
    pub fn blocks(&self) -> &[BlockEntry] {
        &self.blocks
    }

    /// Reads the samples of block `index`, each base sample followed by its symmetric copies.
    ///
    /// # Errors
    /// If the block is damaged or the file cannot be read.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn read_block(&self, index: usize) -> Result<Vec<Sample<G>>, ShardError> {
        self.read(index, Wanted::All)
    }

    /// Reads the base samples of block `index`.
    ///
    /// # Errors
    /// If the block is damaged or the file cannot be read.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn read_originals(&self, index: usize) -> Result<Vec<Sample<G>>, ShardError> {
        self.read(index, Wanted::Originals)
    }

    /// Iterates over all samples, each base sample followed by its copies; ends after an error.
    pub fn samples(&self) -> Samples<'_, G> {
        Samples::new(self, Wanted::All)
    }

    /// Iterates over the base samples; ends after an error.
    pub fn originals(&self) -> Samples<'_, G> {
        Samples::new(self, Wanted::Originals)
    }

    fn read(&self, index: usize, wanted: Wanted) -> Result<Vec<Sample<G>>, ShardError> {
        let BlockEntry { offset, head } = self.blocks[index];
        let mut source = ShardFile::open(&self.path)?;
        let length = BLOCK_HEAD_BYTES + head.payload_bytes();
        let bytes = source.read_at(offset, length)?;
        let damaged = |reason| self.damaged(index, reason);
        let payload = self.blocks[index].payload(&mut bytes.as_slice());
        let decode = |payload| head.decode(payload, self.header.augment, wanted);
        payload.and_then(decode).map_err(damaged)
    }
}

impl<G> ShardReader<G> {
    /// Returns the error for damage in block `index`.
    pub(super) fn damaged(&self, index: usize, reason: String) -> ShardError {
        ShardError::Block {
            path: self.path.clone(),
            block: index,
            offset: self.blocks[index].offset,
            reason,
        }
    }
}

/// Reads the heads of all blocks, and the footer.
fn scan(
    source: &mut ShardFile,
    path: &Path,
    start: u64,
) -> Result<(Vec<BlockEntry>, Footer), ShardError> {
    let damaged_end = |reason| ShardError::Footer {
        path: path.to_owned(),
        reason,
    };
    let mut blocks: Vec<BlockEntry> = Vec::new();
    let mut offset = start;
    loop {
        // One extra byte reveals whether anything follows the footer.
        let bytes = source.read_at(offset, FOOTER_BYTES + 1)?;
        if bytes.is_empty() {
            let reason = format!("the file ends after {} blocks", blocks.len());
            return Err(damaged_end(reason));
        }
        if bytes.starts_with(&FOOTER_MARKER) {
            let footer = Footer::parse(&bytes).map_err(damaged_end)?;
            check_totals(&blocks, &footer.totals).map_err(damaged_end)?;
            return Ok((blocks, footer));
        }
        let room = (source.length() - offset).saturating_sub(BLOCK_HEAD_BYTES as u64);
        let head = BlockHead::parse(&bytes, room).map_err(|reason| ShardError::Block {
            path: path.to_owned(),
            block: blocks.len(),
            offset,
            reason,
        })?;
        blocks.push(BlockEntry { offset, head });
        offset += head.block_bytes();
    }
}

fn check_totals(blocks: &[BlockEntry], totals: &Totals) -> Result<(), String> {
    let sum =
        |count: fn(&BlockEntry) -> usize| blocks.iter().map(|block| count(block) as u64).sum();
    let found = Totals {
        blocks: blocks.len() as u32,
        samples: sum(BlockEntry::samples),
        originals: sum(BlockEntry::originals),
        games: totals.games,
    };
    if found == *totals {
        return Ok(());
    }
    Err(format!(
        "it states {} blocks, {} base samples and {} samples; the file has {}, {} and {}",
        totals.blocks,
        totals.originals,
        totals.samples,
        found.blocks,
        found.originals,
        found.samples
    ))
}

/// Iterator over the samples of a shard in game order; holds one block at a time.
#[derive(Debug)]
pub struct Samples<'a, G> {
    reader: &'a ShardReader<G>,
    wanted: Wanted,
    next_block: usize,
    block: vec::IntoIter<Sample<G>>,
    /// Game of the last sample.
    game: u32,
}

impl<'a, G> Samples<'a, G> {
    fn new(reader: &'a ShardReader<G>, wanted: Wanted) -> Self {
        Self {
            reader,
            wanted,
            next_block: 0,
            block: Vec::new().into_iter(),
            game: 0,
        }
    }

    /// Ends the iteration and returns the error for a sample whose game is out of order.
    fn out_of_order(&mut self, game: u32) -> ShardError {
        let block = self.next_block - 1;
        self.next_block = usize::MAX;
        self.block = Vec::new().into_iter();
        let reason = format!("game {game} cannot follow game {}", self.game);
        self.reader.damaged(block, reason)
    }
}

impl<G: Game> Iterator for Samples<'_, G> {
    type Item = Result<Sample<G>, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sample) = self.block.next() {
                if sample.game < self.game || !self.reader.header.covers(sample.game) {
                    return Some(Err(self.out_of_order(sample.game)));
                }
                self.game = sample.game;
                return Some(Ok(sample));
            }
            if self.next_block >= self.reader.blocks.len() {
                return None;
            }
            match self.reader.read(self.next_block, self.wanted) {
                Ok(samples) => {
                    self.next_block += 1;
                    self.block = samples.into_iter();
                }
                Err(error) => {
                    self.next_block = usize::MAX;
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::header::Augment;
    use super::super::tests::{header, sample, samples, write_shard};
    use super::super::writer::ShardWriter;
    use super::*;
    use crate::files::Existing;
    use crate::games::bagh_chal::Position;

    fn open(path: &Path) -> ShardReader<Position> {
        ShardReader::open(path).unwrap()
    }

    fn all(samples: Samples<'_, Position>) -> Vec<Sample<Position>> {
        samples.map(Result::unwrap).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn samples_round_trip_equally_in_both_modes(
            samples in samples(0..40),
            block_samples in 1_u32..60,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let images: Vec<_> = samples.iter().flat_map(Sample::images).collect();
            let [written, turned] = [Augment::Write, Augment::Read].map(|augment| {
                let path = folder.path().join(format!("{augment:?}"));
                let summary = write_shard(&path, augment, block_samples, &samples);
                let reader = open(&path);
                assert_eq!(reader.summary(), &summary);
                assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
                reader
            });
            for reader in [&written, &turned] {
                prop_assert_eq!(&all(reader.samples()), &images);
                prop_assert_eq!(&all(reader.originals()), &samples);
            }
            prop_assert_eq!(written.blocks().len(), turned.blocks().len());
            for index in 0..written.blocks().len() {
                let block = written.read_block(index).unwrap();
                prop_assert_eq!(&turned.read_block(index).unwrap(), &block);
                prop_assert_eq!(written.blocks()[index].samples(), block.len());
                prop_assert!(block[0].original);
                let full = block_samples as usize..block_samples as usize + 8;
                let last = index + 1 == written.blocks().len();
                prop_assert!(full.contains(&block.len()) || last);
                let originals = written.read_originals(index).unwrap();
                prop_assert_eq!(written.blocks()[index].originals(), originals.len());
                prop_assert_eq!(turned.read_originals(index).unwrap(), originals);
            }
        }
    }

    #[test]
    fn a_base_sample_and_its_copies_share_a_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        // 8, 4 and 8 symmetric copies.
        write_shard(&path, Augment::Write, 9, &[sample(3), sample(1), sample(3)]);
        let sizes: Vec<_> = open(&path)
            .blocks()
            .iter()
            .map(BlockEntry::samples)
            .collect();
        assert_eq!(sizes, [12, 8]);
        write_shard(&path, Augment::Write, 8, &[sample(3), sample(1), sample(3)]);
        let sizes: Vec<_> = open(&path)
            .blocks()
            .iter()
            .map(BlockEntry::samples)
            .collect();
        assert_eq!(sizes, [8, 12]);
    }

    #[test]
    fn blocks_close_at_the_default_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        let mut writer =
            ShardWriter::create(&path, &header(Augment::Read), Existing::Keep).unwrap();
        for _ in 0..1200 {
            writer.push(&sample(3)).unwrap();
        }
        writer.finish().unwrap();
        let sizes: Vec<_> = open(&path)
            .blocks()
            .iter()
            .map(BlockEntry::samples)
            .collect();
        assert_eq!(sizes, [4096, 4096, 1408]);
    }

    #[test]
    fn a_shard_without_samples_is_valid() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[]);
        assert_eq!(open(&path).blocks(), []);
        assert!(open(&path).samples().next().is_none());
    }

    #[test]
    fn an_error_names_the_block_and_ends_the_iteration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(3); 3]);
        let offset = open(&path).blocks()[1].offset();
        let mut bytes = fs::read(&path).unwrap();
        bytes[offset as usize + 40] ^= 1;
        fs::write(&path, bytes).unwrap();
        let reader = open(&path);
        let mut samples = reader.samples().skip(8);
        let error = samples.next().unwrap().unwrap_err().to_string();
        let place = format!("block 1 of the shard {}, at byte {offset}", path.display());
        assert!(error.starts_with(&place), "{error}");
        assert!(samples.next().is_none());
        assert_eq!(reader.read_block(2).unwrap().len(), 8);
    }

    #[test]
    fn a_shard_replaced_after_opening_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(3)]);
        let reader = open(&path);
        let other = Sample {
            score: 9.0,
            ..sample(3)
        };
        write_shard(&path, Augment::Write, 8, &[other]);
        let error = reader.read_block(0).unwrap_err().to_string();
        assert!(error.contains("was changed after"), "{error}");
    }

    #[test]
    fn a_huge_length_in_a_huge_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(3)]);
        let offset = open(&path).blocks()[0].offset();
        let mut bytes = fs::read(&path).unwrap();
        bytes[offset as usize + 4..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(1 << 33)
            .unwrap();
        let error = ShardReader::<Position>::open(&path)
            .unwrap_err()
            .to_string();
        assert!(error.contains("block 0"), "{error}");
        assert!(error.contains("4294967295 bytes; the limit is"), "{error}");
    }

    #[test]
    fn bytes_after_the_footer_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(3)]);
        let mut bytes = fs::read(&path).unwrap();
        bytes.push(0);
        fs::write(&path, &bytes).unwrap();
        let error = ShardReader::<Position>::open(&path).unwrap_err();
        assert!(matches!(error, ShardError::Footer { .. }), "{error}");
    }
}
