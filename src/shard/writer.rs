//! Writing shards.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::BLOCK_SAMPLES;
use super::block::BlockBuilder;
use super::error::ShardError;
use super::footer::{Footer, Totals};
use super::header::ShardHeader;
use super::sample::Sample;
use super::summary::ShardSummary;
use crate::files::{AtomicFile, Existing, FileError};
use crate::game::Game;

/// A shard being written. The file gets its name in [`ShardWriter::finish`]; if the writer is
/// dropped before that, no file is left.
#[derive(Debug)]
pub struct ShardWriter<G: Game> {
    path: PathBuf,
    header: ShardHeader,
    block_samples: u32,
    output: Digested,
    block: BlockBuilder,
    totals: Totals,
    last_game: Option<u32>,
    game: PhantomData<fn(G)>,
}

impl<G: Game> ShardWriter<G> {
    /// Starts the shard `path`.
    ///
    /// # Errors
    /// If the header is of another game or too long, if the file exists and must be kept, or if the
    /// folder is not writable.
    pub fn create(
        path: &Path,
        header: &ShardHeader,
        existing: Existing,
    ) -> Result<Self, ShardError> {
        Self::with_blocks(path, header, existing, BLOCK_SAMPLES)
    }

    /// Like [`Self::create`], with blocks of another size, at most [`BLOCK_SAMPLES`].
    pub(super) fn with_blocks(
        path: &Path,
        header: &ShardHeader,
        existing: Existing,
        block_samples: u32,
    ) -> Result<Self, ShardError> {
        // A block may exceed its size by the copies of one base sample; readers allow for that.
        const { assert!(G::SYMMETRIES <= BLOCK_SAMPLES as usize) }
        let head = header
            .to_bytes::<G>()
            .map_err(|reason| ShardError::RefusedHeader {
                path: path.to_owned(),
                reason,
            })?;
        let file = AtomicFile::create(path, existing).map_err(FileError::io("create", path))?;
        let mut writer = Self {
            path: path.to_owned(),
            header: header.clone(),
            block_samples,
            output: Digested::new(file),
            block: BlockBuilder::default(),
            totals: Totals::default(),
            last_game: None,
            game: PhantomData,
        };
        writer.write(&head)?;
        Ok(writer)
    }

    /// Adds a base sample; games must come in ascending order.
    ///
    /// A rejected sample leaves the shard unchanged. After any other error the writer can only be
    /// dropped.
    ///
    /// # Errors
    /// If the sample is a symmetric copy, its score is not finite, its position is finished, or its
    /// game is out of order or outside the header's range; or if writing fails.
    pub fn push(&mut self, sample: &Sample<G>) -> Result<(), ShardError> {
        let refused = |reason| ShardError::RefusedSample {
            path: self.path.clone(),
            game: sample.game,
            ply: sample.ply,
            reason,
        };
        self.check(sample).map_err(refused)?;
        self.block
            .push(sample, self.header.augment)
            .map_err(refused)?;
        if self.last_game != Some(sample.game) {
            self.last_game = Some(sample.game);
            self.totals.games += 1;
        }
        if self.block.samples() >= self.block_samples {
            self.end_block()?;
        }
        Ok(())
    }

    fn check(&self, sample: &Sample<G>) -> Result<(), String> {
        if !sample.original {
            return Err("it is a symmetric copy; pass base samples only".to_owned());
        }
        sample.check()?;
        if !self.header.covers(sample.game) {
            return Err(format!(
                "the shard covers {} games starting at game {}",
                self.header.games, self.header.first_game
            ));
        }
        match self.last_game {
            Some(last) if sample.game < last => Err(format!("it comes after game {last}")),
            _ => Ok(()),
        }
    }

    /// Ends the shard, syncs it and renames it into place.
    ///
    /// # Errors
    /// If writing fails, or if a file that must be kept was created under the name in the meantime.
    pub fn finish(mut self) -> Result<ShardSummary, ShardError> {
        self.end_block()?;
        let totals = self
            .totals
            .to_bytes()
            .map_err(|reason| self.unwritable(reason))?;
        self.write(&totals)?;
        let rest = Footer::rest(&totals, self.output.digest());
        self.write(&rest)?;
        let footer =
            Footer::parse(&[totals, rest].concat()).map_err(|reason| self.unwritable(reason))?;
        let summary = ShardSummary::new(&footer, self.output.written);
        self.output
            .file
            .commit()
            .map_err(FileError::io("write", &self.path))?;
        Ok(summary)
    }

    fn end_block(&mut self) -> Result<(), ShardError> {
        let (samples, originals) = (self.block.samples(), self.block.originals());
        let taken = self.block.take();
        if let Some(bytes) = taken.map_err(|reason| self.unwritable(reason))? {
            self.write(&bytes)?;
            self.totals.blocks += 1;
            self.totals.samples += u64::from(samples);
            self.totals.originals += u64::from(originals);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ShardError> {
        self.output
            .write_all(bytes)
            .map_err(FileError::io("write", &self.path))?;
        Ok(())
    }

    fn unwritable(&self, reason: String) -> ShardError {
        FileError::io("write", &self.path)(io::Error::other(reason)).into()
    }
}

/// A file that digests and counts the bytes written to it.
#[derive(Debug)]
struct Digested {
    file: AtomicFile,
    hasher: Sha256,
    written: u64,
}

impl Digested {
    fn new(file: AtomicFile) -> Self {
        Self {
            file,
            hasher: Sha256::new(),
            written: 0,
        }
    }

    fn digest(&self) -> [u8; 32] {
        self.hasher.clone().finalize().into()
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::header::Augment;
    use super::super::reader::ShardReader;
    use super::super::tests::{finished_position, header, sample, write_shard};
    use super::*;
    use crate::games::bagh_chal::Position;

    #[test]
    fn a_dropped_writer_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        let mut writer =
            ShardWriter::<Position>::create(&path, &header(Augment::Write), Existing::Keep)
                .unwrap();
        for index in 0..2000 {
            let mut sample = sample(3);
            sample.ply = index;
            writer.push(&sample).unwrap();
        }
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_existing_shard_is_only_replaced_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(0)]);
        let before = fs::read(&path).unwrap();
        let refusal =
            ShardWriter::<Position>::create(&path, &header(Augment::Write), Existing::Keep)
                .unwrap_err();
        assert!(
            matches!(refusal, ShardError::File(FileError::Exists { .. })),
            "{refusal}"
        );
        assert_eq!(fs::read(&path).unwrap(), before);
        let writer =
            ShardWriter::<Position>::create(&path, &header(Augment::Read), Existing::Replace)
                .unwrap();
        assert_eq!(fs::read(&path).unwrap(), before);
        writer.finish().unwrap();
        assert_ne!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_rejected_sample_leaves_the_shard_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        let mut writer =
            ShardWriter::create(&path, &header(Augment::Write), Existing::Keep).unwrap();
        let good = Sample {
            game: 8,
            ..sample(3)
        };
        writer.push(&good).unwrap();
        let finished = Sample {
            position: finished_position(),
            ..good
        };
        for (bad, reason) in [
            (
                Sample {
                    score: f32::NAN,
                    ..good
                },
                "not finite",
            ),
            (
                Sample {
                    original: false,
                    ..good
                },
                "is a symmetric copy",
            ),
            (Sample { game: 7, ..good }, "after game 8"),
            (Sample { game: 6, ..good }, "10 games starting at game 7"),
            (Sample { game: 17, ..good }, "10 games starting at game 7"),
            (finished, "is finished"),
        ] {
            let refusal = writer.push(&bad).unwrap_err().to_string();
            assert!(refusal.contains(reason), "{refusal}");
            assert!(refusal.contains("a.shard"), "{refusal}");
        }
        let summary = writer.finish().unwrap();
        assert_eq!(
            (summary.samples, summary.originals, summary.games),
            (8, 1, 1)
        );
        let read: Vec<_> = ShardReader::<Position>::open(&path)
            .unwrap()
            .originals()
            .map(Result::unwrap)
            .collect();
        assert_eq!(read, [good]);
    }

    #[test]
    fn a_missing_folder_is_reported() {
        let path = Path::new("no/such/folder/a.shard");
        let error = ShardWriter::<Position>::create(path, &header(Augment::Write), Existing::Keep)
            .unwrap_err()
            .to_string();
        assert!(error.contains("no/such/folder/a.shard"), "{error}");
    }
}
