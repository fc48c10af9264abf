//! The data loader: an endless shuffled stream of training samples that can be resumed at any sample.
//!
//! An epoch reads the blocks of the replay buffer in random order. Blocks are loaded in groups and the
//! samples of a group are shuffled; memory holds one group, whatever the size of the buffer.

use rand::seq::SliceRandom;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::hold_out::HoldOut;
use super::loss::target;
use super::replay_buffer::BlockPlace;
use super::{Batch, ReplayBuffer};
use crate::game::{Game, Side};
use crate::kit::FeatureEncoder;
use crate::seed::{derive, stream};
use crate::shard::{Sample, ShardError};

/// Samples, symmetric copies included, at which a group is complete.
pub(super) const GROUP_SAMPLES: usize = 1 << 19;

const BLOCKS: u64 = u64::from_be_bytes(*b"blocks  ");
const SAMPLES: u64 = u64::from_be_bytes(*b"samples ");
const AGE: u64 = u64::from_be_bytes(*b"of age  ");

/// A place in the stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cursor {
    /// Epochs completed.
    pub pass: u64,
    /// Groups of this epoch completed.
    pub group: u64,
    /// Samples taken from this group.
    pub offset: u64,
}

/// A stream that cannot continue.
#[derive(Debug, Error)]
pub enum DataLoaderError {
    /// A shard is damaged or cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// An epoch without samples.
    #[error("all games of the window are held out for validation; generate more games")]
    Empty,
}

/// The samples of the stream and their order.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockSource<'a, G> {
    pub window: &'a ReplayBuffer<G>,
    pub features: &'a FeatureEncoder<G>,
    pub hold_out: HoldOut,
    pub seed: u64,
    /// Generation of the network that is trained.
    pub generation: u32,
    pub age_decay: f64,
    pub group_samples: usize,
    /// Threads that load groups.
    pub pool: &'a ThreadPool,
}

/// The stream from a place on.
pub(super) struct DataLoader<'a, G> {
    source: BlockSource<'a, G>,
    cursor: Cursor,
    /// The groups of this epoch.
    groups: Vec<Vec<BlockPlace>>,
    /// The samples of this group, if loaded.
    samples: Option<Vec<Sample<G>>>,
    /// Consecutive groups without a sample.
    empty_groups: usize,
}

impl<'a, G: Game> DataLoader<'a, G> {
    /// Returns the stream from `cursor` on; reads nothing yet.
    pub fn new(source: BlockSource<'a, G>, cursor: Cursor) -> Self {
        Self {
            groups: source.groups(cursor.pass),
            source,
            cursor,
            samples: None,
            empty_groups: 0,
        }
    }

    /// Returns the place of the next sample.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Returns the next `size` samples with their targets; outcomes have the weight `result_weight`.
    pub fn batch(&mut self, size: usize, result_weight: f64) -> Result<Batch, DataLoaderError> {
        let features = self.source.features;
        let mut positions = features.list(size);
        let mut targets = Vec::with_capacity(size);
        for _ in 0..size {
            let sample = self.next_sample()?;
            features.encode(&sample.position, &mut positions);
            let target = target(sample.score, sample.outcome, result_weight);
            let target = match features.perspective(&sample.position) {
                Side::Max => target,
                Side::Min => 1.0 - target,
            };
            // Rounding to 32 bits stays within 0 to 1.
            targets.push(target as f32);
        }
        Ok(Batch::new(features.id.size, positions, targets))
    }

    fn next_sample(&mut self) -> Result<&Sample<G>, DataLoaderError> {
        let offset = loop {
            let offset = self.cursor.offset as usize;
            match &self.samples {
                Some(samples) if offset < samples.len() => break offset,
                Some(samples) => {
                    self.empty_groups = match samples.len() {
                        0 => self.empty_groups + 1,
                        _ => 0,
                    };
                    self.samples = None;
                    self.cursor.group += 1;
                    self.cursor.offset = 0;
                }
                None => self.load()?,
            }
        };
        self.cursor.offset += 1;
        match &self.samples {
            Some(samples) => Ok(&samples[offset]),
            None => unreachable!("the loop ends with a loaded group"),
        }
    }

    /// Loads the group at the cursor, or moves the cursor to the next epoch.
    fn load(&mut self) -> Result<(), DataLoaderError> {
        if let Some(group) = self.groups.get(self.cursor.group as usize) {
            self.samples = Some(self.source.load(self.cursor, group)?);
            return Ok(());
        }
        if self.empty_groups >= self.groups.len() {
            return Err(DataLoaderError::Empty);
        }
        self.cursor = Cursor {
            pass: self.cursor.pass + 1,
            ..Cursor::default()
        };
        self.groups = self.source.groups(self.cursor.pass);
        Ok(())
    }
}

impl<G: Game> BlockSource<'_, G> {
    /// Returns the blocks of the window in the order of an epoch, in groups.
    fn groups(&self, pass: u64) -> Vec<Vec<BlockPlace>> {
        let mut blocks = self.window.blocks();
        let mut random = stream(&[self.seed, BLOCKS, self.generation.into(), pass]);
        blocks.shuffle(&mut random);
        let mut groups = Vec::new();
        let (mut group, mut samples) = (Vec::new(), 0);
        for place in blocks {
            samples += self.window.shards()[place.shard].blocks()[place.block].samples();
            group.push(place);
            if samples >= self.group_samples {
                groups.push(std::mem::take(&mut group));
                samples = 0;
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
        groups
    }

    /// Returns the samples of a group in shuffled order.
    fn load(&self, at: Cursor, group: &[BlockPlace]) -> Result<Vec<Sample<G>>, ShardError> {
        let blocks: Vec<_> = self.pool.install(|| {
            let blocks = group.par_iter();
            blocks.map(|place| self.block(at.pass, *place)).collect()
        });
        let mut samples = Vec::new();
        for block in blocks {
            samples.extend(block?);
        }
        let (generation, pass) = (self.generation.into(), at.pass);
        let mut random = stream(&[self.seed, SAMPLES, generation, pass, at.group]);
        samples.shuffle(&mut random);
        Ok(samples)
    }

    /// Returns the samples of a block that this epoch trains on.
    fn block(&self, pass: u64, place: BlockPlace) -> Result<Vec<Sample<G>>, ShardError> {
        let reader = &self.window.shards()[place.shard];
        let generation = reader.header().generation;
        let chance = age_chance(self.age_decay, generation, self.window);
        let mut index = 0;
        let mut samples = reader.read_block(place.block)?;
        samples.retain(|sample| {
            index += 1;
            !self.hold_out.holds(generation, sample.game)
                && (chance >= 1.0 || self.number(pass, place, index) < chance)
        });
        Ok(samples)
    }

    /// Returns a random number from 0 to 1 of a sample in an epoch.
    fn number(&self, pass: u64, place: BlockPlace, index: u64) -> f64 {
        let (shard, block) = (place.shard as u64, place.block as u64);
        let generation = self.generation.into();
        let bits = derive(&[self.seed, AGE, generation, pass, shard, block, index]);
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the probability that an epoch uses a sample of `generation`.
pub(super) fn age_chance<G: Game>(
    age_decay: f64,
    generation: u32,
    window: &ReplayBuffer<G>,
) -> f64 {
    let age = window.generations().1 - generation;
    // The rounding of `powi` depends on the platform.
    libm::pow(age_decay, age.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::{Fixture, encoder};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::shard::Augment;
    use crate::workers::pool;

    fn source<'a>(
        window: &'a ReplayBuffer<Position>,
        features: &'a FeatureEncoder<Position>,
        pool: &'a ThreadPool,
    ) -> BlockSource<'a, Position> {
        BlockSource {
            window,
            features,
            hold_out: HoldOut::new(7, 0.2, window),
            seed: 7,
            generation: 3,
            age_decay: 1.0,
            group_samples: 10_000,
            pool,
        }
    }

    /// Returns the identity and score of a sample.
    fn name(sample: &Sample<Position>) -> (u32, u16, u64, u32) {
        let key = sample.position.key();
        (sample.game, sample.ply, key, sample.score.to_bits())
    }

    fn pass(feed: &mut DataLoader<Position>) -> Vec<(u32, u16, u64, u32)> {
        let pass = feed.cursor().pass;
        let mut names = Vec::new();
        loop {
            let name = name(feed.next_sample().unwrap());
            if feed.cursor().pass != pass {
                return names;
            }
            names.push(name);
        }
    }

    #[test]
    fn an_epoch_has_every_sample_that_is_not_held_out_exactly_once() {
        let fixture = Fixture::new(Augment::Write);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(2).unwrap());
        let source = source(&window, &features, &pool);
        assert!(source.groups(0).len() >= 3);
        let mut feed = DataLoader::new(source, Cursor::default());
        let first = pass(&mut feed);
        let mut second = DataLoader::new(
            source,
            Cursor {
                pass: 1,
                ..Cursor::default()
            },
        );
        let second = pass(&mut second);
        assert_ne!(first, second);
        let mut expected = BTreeMap::new();
        let mut held_out = 0;
        for reader in window.shards() {
            for sample in reader.samples() {
                let sample = sample.unwrap();
                if source
                    .hold_out
                    .holds(reader.header().generation, sample.game)
                {
                    held_out += 1;
                } else {
                    *expected.entry(name(&sample)).or_insert(0) += 1;
                }
            }
        }
        assert!(held_out > 1000);
        for pass in [first, second] {
            let mut found = BTreeMap::new();
            for name in pass {
                *found.entry(name).or_insert(0) += 1;
            }
            assert!(found == expected);
        }
    }

    #[test]
    fn samples_of_all_shards_are_mixed_within_a_group() {
        let fixture = Fixture::new(Augment::Write);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(1).unwrap());
        let whole = BlockSource {
            group_samples: GROUP_SAMPLES,
            ..source(&window, &features, &pool)
        };
        let mut feed = DataLoader::new(whole, Cursor::default());
        let games: Vec<_> = (0..4000)
            .map(|_| feed.next_sample().unwrap().game)
            .collect();
        let neighbours = games.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(neighbours < 200, "{neighbours}");
    }

    #[test]
    fn the_stream_depends_neither_on_augmentation_nor_on_threads() {
        let features = encoder();
        let streams = [(Augment::Write, 1), (Augment::Write, 3), (Augment::Read, 2)];
        let streams = streams.map(|(augment, threads)| {
            let fixture = Fixture::new(augment);
            let (window, pool) = (fixture.window(), pool(threads).unwrap());
            let decayed = BlockSource {
                age_decay: 0.5,
                ..source(&window, &features, &pool)
            };
            let mut feed = DataLoader::new(decayed, Cursor::default());
            let samples: Vec<_> = (0..50_000).map(|_| *feed.next_sample().unwrap()).collect();
            (samples, feed.cursor())
        });
        assert!(streams[0].1.pass >= 1);
        assert!(streams.iter().all(|stream| *stream == streams[0]));
    }

    #[test]
    fn the_stream_resumes_from_any_cursor() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(2).unwrap());
        let source = source(&window, &features, &pool);
        let mut feed = DataLoader::new(source, Cursor::default());
        let mut cursors = vec![feed.cursor()];
        let mut batches = Vec::new();
        // 777 divides neither groups nor passes.
        for _ in 0..80 {
            batches.push(feed.batch(777, 0.3).unwrap());
            cursors.push(feed.cursor());
        }
        assert!(feed.cursor().pass >= 1);
        for start in (0..80).step_by(9) {
            let mut resumed = DataLoader::new(source, cursors[start]);
            for index in start..(start + 3).min(80) {
                assert!(resumed.batch(777, 0.3).unwrap() == batches[index]);
                assert_eq!(resumed.cursor(), cursors[index + 1]);
            }
        }
        let group = source.load(cursors[0], &source.groups(0)[0]).unwrap();
        let mut at_the_end = DataLoader::new(
            source,
            Cursor {
                offset: group.len() as u64,
                ..cursors[0]
            },
        );
        at_the_end.next_sample().unwrap();
        let after = Cursor {
            group: 1,
            offset: 1,
            ..cursors[0]
        };
        assert_eq!(at_the_end.cursor(), after);
    }

    #[test]
    fn older_generations_are_used_less_often() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(2).unwrap());
        let full = source(&window, &features, &pool);
        let decayed = BlockSource {
            age_decay: 0.25,
            ..full
        };
        let sizes = |source: BlockSource<Position>, pass| {
            let mut sizes = [0, 0];
            for place in source.window.blocks() {
                sizes[place.shard / 2] += source.block(pass, place).unwrap().len();
            }
            sizes
        };
        let (all, some) = (sizes(full, 0), sizes(decayed, 0));
        assert_eq!(some[1], all[1]);
        let share = some[0] as f64 / all[0] as f64;
        assert!((share - 0.25).abs() < 0.02, "{share}");
        let place = window.blocks()[0];
        assert!(decayed.block(0, place).unwrap() != decayed.block(1, place).unwrap());
    }

    #[test]
    fn targets_are_those_of_the_samples() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(1).unwrap());
        let source = source(&window, &features, &pool);
        let batch = DataLoader::new(source, Cursor::default())
            .batch(50, 0.3)
            .unwrap();
        let mut feed = DataLoader::new(source, Cursor::default());
        for &found in batch.targets() {
            let sample = feed.next_sample().unwrap();
            assert_eq!(found, target(sample.score, sample.outcome, 0.3) as f32);
        }
    }

    #[test]
    fn a_window_with_all_games_held_out_is_an_error() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let (features, pool) = (encoder(), pool(1).unwrap());
        let barren = BlockSource {
            hold_out: HoldOut::new(7, 1.0, &window),
            ..source(&window, &features, &pool)
        };
        let error = DataLoader::new(barren, Cursor::default()).batch(1, 0.5);
        assert!(matches!(error, Err(DataLoaderError::Empty)));
    }
}
