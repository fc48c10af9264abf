//! Writing a shard.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::BLOCK_SAMPLES;
use super::block::BlockBuilder;
use super::error::ShardError;
use super::footer::{Footer, Totals};
use super::header::Header;
use super::sample::Sample;
use super::summary::ShardSummary;
use crate::files::{AtomicFile, Existing, FileError};
use crate::game::Game;

/// A shard in the making; there is no file of its name before [`ShardWriter::finish`], and none
/// ever if it is dropped before.
#[derive(Debug)]
pub struct ShardWriter<G: Game> {
    path: PathBuf,
    header: Header,
    block_samples: u32,
    output: Digested,
    block: BlockBuilder,
    totals: Totals,
    last_game: Option<u32>,
    game: PhantomData<fn(G)>,
}

impl<G: Game> ShardWriter<G> {
    /// Begins the shard `path`.
    ///
    /// # Errors
    /// If the header names another game or is too long, if such a file exists and is to be kept,
    /// or if the folder cannot be written to.
    pub fn create(path: &Path, header: &Header, existing: Existing) -> Result<Self, ShardError> {
        Self::with_blocks(path, header, existing, BLOCK_SAMPLES)
    }

    /// The same with blocks of another size, at most [`BLOCK_SAMPLES`].
    pub(super) fn with_blocks(
        path: &Path,
        header: &Header,
        existing: Existing,
        block_samples: u32,
    ) -> Result<Self, ShardError> {
        // A block may exceed its size by the images of one original, and readers allow for that.
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

    /// Adds an original; games come in the order of their indices.
    ///
    /// A refused sample leaves the shard as it was. After any other error the writer is good for
    /// nothing but dropping.
    ///
    /// # Errors
    /// If the sample is an image, its score is not finite, its position is finished, or its game
    /// is not one of the header's or comes too late; or if the disk refuses.
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
            return Err("it is an image, and images are made here".to_owned());
        }
        sample.check()?;
        if !self.header.covers(sample.game) {
            return Err(format!(
                "the shard is for {} games from game {} on",
                self.header.games, self.header.first_game
            ));
        }
        match self.last_game {
            Some(last) if sample.game < last => Err(format!("it comes after game {last}")),
            _ => Ok(()),
        }
    }

    /// Ends the shard, makes it durable and gives it its name.
    ///
    /// # Errors
    /// If the disk refuses, or if a file that is to be kept has meanwhile got the name.
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

/// A file with the digest and the number of the bytes written to it.
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
    fn a_dropped_writer_leaves_nothing_behind() {
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
    fn an_existing_shard_is_replaced_on_request_only() {
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
    fn a_refused_sample_leaves_the_shard_as_it_was() {
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
                "is an image",
            ),
            (Sample { game: 7, ..good }, "after game 8"),
            (Sample { game: 6, ..good }, "10 games from game 7 on"),
            (Sample { game: 17, ..good }, "10 games from game 7 on"),
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
    fn a_missing_folder_is_named() {
        let path = Path::new("no/such/folder/a.shard");
        let error = ShardWriter::<Position>::create(path, &header(Augment::Write), Existing::Keep)
            .unwrap_err()
            .to_string();
        assert!(error.contains("no/such/folder/a.shard"), "{error}");
    }
}
