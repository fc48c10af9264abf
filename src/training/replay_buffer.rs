//! The replay buffer: the shards of a training, the window of generations.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::game::Game;
use crate::shard::{Listing, ManifestError, ShardError, ShardReader};
use crate::workers::{Context, Finish, ordered};

/// A replay buffer that could not be opened.
#[derive(Debug, Error)]
pub enum ReplayBufferError {
    /// A manifest, or a shard that it lists, is invalid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A shard is invalid.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The same shard was given twice.
    #[error("the shards {first} and {second} are the same; give each once")]
    Twice {
        /// The first path.
        first: PathBuf,
        /// The second path.
        second: PathBuf,
    },
    /// There are no samples.
    #[error("the shards have no samples; generate games first")]
    Empty,
}

/// A scan that ended early.
#[derive(Debug, Error)]
pub enum ScanError {
    /// A shard is damaged or cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// It was interrupted.
    #[error("interrupted while reading samples")]
    Interrupted,
}

/// A block of a replay buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockPlace {
    /// Index of the shard in the buffer.
    pub shard: usize,
    /// Index of the block in the shard.
    pub block: usize,
}

/// Open shards of one or more generations; samples are read on demand.
#[derive(Debug)]
pub struct ReplayBuffer<G> {
    shards: Vec<ShardReader<G>>,
    digest: String,
}

impl<G: Game> ReplayBuffer<G> {
    /// Opens the shards of some generations, given by their manifests or by collections.
    ///
    /// # Errors
    /// If a manifest or shard cannot be read, is damaged outside its samples, or is listed twice,
    /// or if there are no samples.
    pub fn of_manifests<P: AsRef<Path>>(paths: &[P]) -> Result<Self, ReplayBufferError> {
        let mut shards = Vec::new();
        for path in paths {
            let path = path.as_ref();
            shards.extend(Listing::load(path)?.open_shards(path)?);
        }
        Self::new(shards)
    }

    /// Opens the given shards.
    ///
    /// # Errors
    /// If a shard cannot be read, is damaged outside its samples, or is given twice, or if there
    /// are no samples.
    pub fn of_shards<P: AsRef<Path>>(paths: &[P]) -> Result<Self, ReplayBufferError> {
        let shards = paths.iter().map(|path| ShardReader::open(path.as_ref()));
        Self::new(shards.collect::<Result<_, _>>()?)
    }

    fn new(shards: Vec<ShardReader<G>>) -> Result<Self, ReplayBufferError> {
        let mut by_digest: Vec<_> = shards.iter().collect();
        by_digest.sort_by_key(|shard| &shard.summary().digest);
        for pair in by_digest.windows(2) {
            if pair[0].summary().digest == pair[1].summary().digest {
                return Err(ReplayBufferError::Twice {
                    first: pair[0].path().to_owned(),
                    second: pair[1].path().to_owned(),
                });
            }
        }
        let mut hasher = Sha256::new();
        for shard in &shards {
            hasher.update(&shard.summary().digest);
        }
        let digest = hasher.finalize();
        let window = Self {
            shards,
            digest: hex::encode(digest),
        };
        match window.samples() {
            0 => Err(ReplayBufferError::Empty),
            _ => Ok(window),
        }
    }

    /// Returns the shards, in the order given.
    #[must_use]
    pub fn shards(&self) -> &[ShardReader<G>] {
        &self.shards
    }

    /// Returns the SHA-256 of the digests of the shards in their order, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the number of samples, symmetric copies included.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.shards
            .iter()
            .map(|shard| shard.summary().samples)
            .sum()
    }

    /// Returns the oldest and the newest generation.
    #[must_use]
    pub fn generations(&self) -> (u32, u32) {
        let generations = self.shards.iter().map(|shard| shard.header().generation);
        generations.fold((u32::MAX, 0), |(oldest, newest), generation| {
            (oldest.min(generation), newest.max(generation))
        })
    }

    /// Returns all blocks, shard by shard.
    pub(super) fn blocks(&self) -> Vec<BlockPlace> {
        let shards = self.shards.iter().enumerate();
        shards
            .flat_map(|(shard, reader)| {
                (0..reader.blocks().len()).map(move |block| BlockPlace { shard, block })
            })
            .collect()
    }

    /// Calls `work` with every block on all threads, and `consume` with the results in the order of
    /// [`ReplayBuffer::blocks`]; `what` is the label of the progress bar.
    pub(super) fn scan<T: Send>(
        &self,
        what: &str,
        context: &Context,
        work: impl Fn(&ShardReader<G>, usize) -> Result<T, ShardError> + Sync,
        mut consume: impl FnMut(T),
    ) -> Result<(), ScanError> {
        let blocks = self.blocks();
        let mut bar = context.reporter.bar(what, "blocks", 0, blocks.len() as u64);
        let finish = ordered(
            context,
            0..blocks.len() as u64,
            || (),
            |(), index| {
                let place = blocks[index as usize];
                work(&self.shards[place.shard], place.block)
            },
            |index, result| match result {
                Ok(result) => {
                    consume(result);
                    bar.at(index + 1, String::new);
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            },
        );
        bar.finish();
        match finish {
            Finish::Completed => Ok(()),
            Finish::Broke(error) => Err(error.into()),
            Finish::Interrupted => Err(ScanError::Interrupted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Fixture, write_generation};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::shard::Augment;
    use crate::workers::with_context;

    #[test]
    fn a_buffer_of_manifests_equals_that_of_their_shards() {
        let fixture = Fixture::new(Augment::Write);
        let by_shard = ReplayBuffer::<Position>::of_shards(&fixture.shards).unwrap();
        let by_manifest = ReplayBuffer::<Position>::of_manifests(&fixture.manifests).unwrap();
        assert_eq!(by_shard.digest(), by_manifest.digest());
        assert_eq!(by_shard.samples(), by_manifest.samples());
        assert_eq!(by_manifest.generations(), (1, 2));
        assert!(by_manifest.blocks().len() > 4);
    }

    #[test]
    fn other_data_and_another_order_have_other_digests() {
        let fixture = Fixture::new(Augment::Read);
        let window = ReplayBuffer::<Position>::of_shards(&fixture.shards).unwrap();
        let mut shards = fixture.shards.clone();
        shards.reverse();
        let reversed = ReplayBuffer::<Position>::of_shards(&shards).unwrap();
        assert_ne!(window.digest(), reversed.digest());
        let part = ReplayBuffer::<Position>::of_shards(&shards[1..]).unwrap();
        assert_ne!(window.digest(), part.digest());
    }

    #[test]
    fn a_shard_given_twice_and_no_samples_are_rejected() {
        let fixture = Fixture::new(Augment::Read);
        let twice = [&fixture.shards[0], &fixture.shards[1], &fixture.shards[0]];
        let error = ReplayBuffer::<Position>::of_shards(&twice).unwrap_err();
        assert!(
            matches!(error, ReplayBufferError::Twice { ref first, ref second } if first == second),
            "{error}"
        );
        let folder = tempfile::tempdir().unwrap();
        let (shard, _) = write_generation(folder.path(), 1, 0, Augment::Write);
        for paths in [&[][..], &[shard]] {
            assert!(matches!(
                ReplayBuffer::<Position>::of_shards(paths),
                Err(ReplayBufferError::Empty)
            ));
        }
    }

    #[test]
    fn a_scan_reads_every_sample_in_order_and_can_be_interrupted() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let read = |reader: &ShardReader<Position>, block| reader.read_block(block);
        let mut samples = Vec::new();
        let stopped = with_context(2, |context| {
            window
                .scan("reading", context, read, |block| samples.extend(block))
                .unwrap();
            context.interrupt.request();
            window.scan("reading", context, read, drop)
        });
        let expected: Vec<_> = window
            .shards()
            .iter()
            .flat_map(ShardReader::samples)
            .map(Result::unwrap)
            .collect();
        assert_eq!(samples, expected);
        assert!(matches!(stopped, Err(ScanError::Interrupted)));
    }
}
