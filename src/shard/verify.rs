//! Complete validation of a shard, with statistics of its samples.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::block::{BlockEntry, CheckRoom};
use super::error::ShardError;
use super::footer::{FOOTER_BYTES, UNDIGESTED_BYTES};
use super::header::ShardHeader;
use super::reader::ShardReader;
use super::source::ShardFile;
use super::statistics::{OutcomeTally, SampleStatistics};
use super::summary::ShardSummary;
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;
use crate::workers::{Context, Finish, ordered};

/// Bytes that a thread checks at a time; a few such chunks wait for earlier ones.
const RUN_BYTES: u64 = 1 << 20;

/// Statistics of a valid shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardStatistics {
    /// Header of the shard.
    pub header: ShardHeader,
    /// Totals and digest.
    pub summary: ShardSummary,
    /// Statistics of the base samples.
    pub samples: SampleStatistics,
}

/// Reads a shard once, validates checksums, digest, counts, the legality of every position and all
/// symmetric copies, and collects statistics.
///
/// The threads of `pool` check runs of blocks, while the calling thread, which must not belong to
/// the pool, computes the digest of the bytes in order.
///
/// # Errors
/// Returns the first fault found.
pub fn verify<G: Game>(path: &Path, pool: &ThreadPool) -> Result<ShardStatistics, ShardError> {
    let reader = ShardReader::<G>::open(path)?;
    let wrong_end = |reason: String| ShardError::Footer {
        path: path.to_owned(),
        reason,
    };
    let mut source = ShardFile::open(path)?;
    let end = source.length().saturating_sub(UNDIGESTED_BYTES as u64);
    let footer = end.saturating_sub((FOOTER_BYTES - UNDIGESTED_BYTES) as u64);
    let start = reader.blocks().first().map_or(footer, BlockEntry::offset);
    // The header is short.
    let mut hasher = Sha256::new_with_prefix(source.read_at(0, start as usize)?);
    let mut tally = OutcomeTally::default();
    let mut games = GameOrder::default();
    let runs = runs(reader.blocks());
    let spare: Mutex<Vec<Vec<u8>>> = Mutex::default();
    let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    let context = Context {
        pool,
        interrupt: &Interrupt::default(),
        reporter: &Reporter::new(true),
    };
    let finish = ordered(
        &context,
        0..runs.len() as u64,
        CheckRoom::default,
        |room, number| {
            let bytes = spare().pop().unwrap_or_default();
            check_run(&reader, runs[number as usize].clone(), bytes, room)
        },
        |number, run| {
            let followed = run.and_then(|run| {
                games
                    .append(&run.games)
                    .map_err(|reason| reader.damaged(runs[number as usize].start, reason))?;
                Ok(run)
            });
            match followed {
                Ok(run) => {
                    hasher.update(&run.bytes);
                    tally.absorb(run.tally);
                    spare().push(run.bytes);
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            }
        },
    );
    if let Finish::Broke(error) = finish {
        return Err(error);
    }
    // Checked after the blocks, whose errors give the exact place.
    hasher.update(source.read_at(footer, (end - footer) as usize)?);
    if hex::encode(hasher.finalize()) != reader.summary().digest {
        return Err(wrong_end(
            "the digest of the file does not match".to_owned(),
        ));
    }
    if games.count != reader.summary().games {
        return Err(wrong_end(format!(
            "it states {} games, but there are {}",
            reader.summary().games,
            games.count
        )));
    }
    Ok(ShardStatistics {
        header: reader.header().clone(),
        summary: reader.summary().clone(),
        samples: tally.finish_in(pool),
    })
}

/// Groups consecutive blocks into runs of [`RUN_BYTES`] or slightly more.
fn runs(blocks: &[BlockEntry]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut bytes = u64::MAX;
    for (index, block) in blocks.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if bytes < RUN_BYTES => run.end = index + 1,
            _ => {
                runs.push(index..index + 1);
                bytes = 0;
            }
        }
        bytes += block.head.block_bytes();
    }
    runs
}

/// Result of checking a run of blocks.
struct CheckedRun<G: Game> {
    bytes: Vec<u8>,
    tally: OutcomeTally<G>,
    games: GameOrder,
}

/// Reads a run of blocks into `bytes` and checks it.
fn check_run<G: Game>(
    reader: &ShardReader<G>,
    run: Range<usize>,
    mut bytes: Vec<u8>,
    room: &mut CheckRoom<G>,
) -> Result<CheckedRun<G>, ShardError> {
    let blocks = &reader.blocks()[run.clone()];
    let length = blocks
        .iter()
        .map(|block| block.head.block_bytes())
        .sum::<u64>();
    // Opening the shard has checked that the blocks lie within the file.
    ShardFile::open(reader.path())?.read_into(blocks[0].offset, length as usize, &mut bytes)?;
    let mut tally = OutcomeTally::default();
    let mut games = GameOrder::default();
    let mut rest = bytes.as_slice();
    for (index, block) in run.zip(blocks) {
        let payload = block.payload(&mut rest);
        let checked = payload.and_then(|payload| {
            let augment = reader.header().augment;
            block.head.check(payload, augment, room, |sample, images| {
                let place =
                    |reason| format!("ply {} of game {}: {reason}", sample.ply, sample.game);
                games.follow(sample.game, reader.header()).map_err(place)?;
                let key = images.iter().map(G::key).min();
                tally.add_keyed(sample, key.unwrap_or_else(|| sample.position.key()));
                Ok(())
            })
        });
        checked.map_err(|reason| reader.damaged(index, reason))?;
    }
    Ok(CheckedRun {
        tally,
        games,
        bytes,
    })
}

/// Checks that games come in ascending order.
#[derive(Debug, Default)]
struct GameOrder {
    first: Option<u32>,
    last: Option<u32>,
    count: u32,
}

impl GameOrder {
    /// Adds the game of the next sample.
    fn follow(&mut self, game: u32, header: &ShardHeader) -> Result<(), String> {
        if !header.covers(game) {
            return Err("the game is outside the header's range".to_owned());
        }
        let next = Self {
            first: Some(game),
            last: Some(game),
            count: 1,
        };
        self.append(&next)
    }

    /// Appends the games of the next run of samples.
    fn append(&mut self, next: &Self) -> Result<(), String> {
        let (Some(first), Some(last)) = (next.first, self.last) else {
            if next.first.is_some() {
                (self.first, self.last, self.count) = (next.first, next.last, next.count);
            }
            return Ok(());
        };
        if first < last {
            return Err(format!("game {first} comes after game {last}"));
        }
        self.count += next.count - u32::from(first == last);
        self.last = next.last;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::footer::{FOOTER_BYTES, Footer};
    use super::super::header::Augment;
    use super::super::sample::Sample;
    use super::super::tests::{header, sample, samples, write_shard};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::workers::pool;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn written_shards_verify_equally_in_both_modes(samples in samples(0..30)) {
            let folder = tempfile::tempdir().unwrap();
            let [written, turned] = [Augment::Write, Augment::Read].map(|augment| {
                let path = folder.path().join("a.shard");
                let summary = write_shard(&path, augment, 20, &samples);
                let statistics = verify::<Position>(&path, &pool(2).unwrap()).unwrap();
                assert_eq!(statistics.summary, summary);
                assert_eq!(statistics.header, header(augment));
                statistics
            });
            prop_assert_eq!(&written.samples, &turned.samples);
            prop_assert_eq!(written.summary.samples, turned.summary.samples);
            prop_assert_eq!(written.samples.originals, samples.len() as u64);
            let json = serde_json::to_string(&written).unwrap();
            prop_assert_eq!(serde_json::from_str::<ShardStatistics>(&json).unwrap(), written);
        }
    }

    #[test]
    fn games_out_of_order_are_detected() {
        let header = header(Augment::Write);
        let mut games = GameOrder::default();
        for game in [7, 7, 9, 16] {
            games.follow(game, &header).unwrap();
        }
        assert_eq!(
            (games.first, games.last, games.count),
            (Some(7), Some(16), 3)
        );
        for game in [6, 9, 17] {
            assert!(games.follow(game, &header).is_err());
        }
    }

    #[test]
    fn runs_of_blocks_must_be_in_order() {
        let header = header(Augment::Write);
        let order = |indices: &[u32]| {
            let mut games = GameOrder::default();
            for game in indices {
                games.follow(*game, &header).unwrap();
            }
            games
        };
        let mut all = GameOrder::default();
        for part in [&[][..], &[7, 8], &[8, 8], &[], &[9, 12]] {
            all.append(&order(part)).unwrap();
        }
        assert_eq!((all.last, all.count), (Some(12), 4));
        assert!(all.append(&order(&[11, 13])).is_err());
    }

    #[test]
    fn a_consistently_patched_shard_fails_the_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(0)]);
        let mut whole = fs::read(&path).unwrap();
        let other = Sample {
            score: 9.0,
            ..sample(0)
        };
        write_shard(&path, Augment::Write, 8, &[other]);
        let patched = fs::read(&path).unwrap();
        // Blocks of one shard with the footer of the other.
        let footer = whole.len() - 64;
        whole[..footer].copy_from_slice(&patched[..footer]);
        fs::write(&path, whole).unwrap();
        assert_eq!(
            ShardReader::<Position>::open(&path)
                .unwrap()
                .samples()
                .count(),
            1
        );
        let error = verify::<Position>(&path, &pool(2).unwrap())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("the digest of the file does not match"),
            "{error}"
        );
    }

    #[test]
    fn a_wrong_game_count_in_the_footer_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.shard");
        write_shard(&path, Augment::Write, 8, &[sample(0)]);
        let mut bytes = fs::read(&path).unwrap();
        let place = bytes.len() - FOOTER_BYTES;
        let mut totals = Footer::parse(&bytes[place..]).unwrap().totals;
        totals.games = 2;
        bytes.truncate(place);
        let start = totals.to_bytes().unwrap();
        bytes.extend(&start);
        let digest = Sha256::digest(&bytes).into();
        bytes.extend(Footer::rest(&start, digest));
        fs::write(&path, bytes).unwrap();
        let error = verify::<Position>(&path, &pool(2).unwrap())
            .unwrap_err()
            .to_string();
        assert!(error.contains("states 2 games, but there are 1"), "{error}");
    }
}
