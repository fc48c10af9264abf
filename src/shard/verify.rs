//! Everything about a shard that can be checked, and what its samples are like.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::ShardError;
use super::footer::UNDIGESTED_BYTES;
use super::header::Header;
use super::reader::ShardReader;
use super::sample::Sample;
use super::source::Source;
use super::statistics::{SampleStatistics, Tally};
use super::summary::ShardSummary;
use crate::game::Game;

/// A shard that is whole, and its statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardStatistics {
    /// Whence the samples come.
    pub header: Header,
    /// Counts and digest.
    pub summary: ShardSummary,
    /// What the originals are like.
    pub samples: SampleStatistics,
}

/// Reads every byte of a shard, checks checksums, digest, counts, the legality of every position
/// and that images are images, and gathers the statistics.
///
/// # Errors
/// On the first thing wrong.
pub fn verify<G: Game>(path: &Path) -> Result<ShardStatistics, ShardError> {
    let reader = ShardReader::<G>::open(path)?;
    let wrong_end = |reason: String| ShardError::Footer {
        path: path.to_owned(),
        reason,
    };
    let mut tally = Tally::default();
    let mut games = GameOrder::default();
    for index in 0..reader.blocks().len() {
        let samples = reader.read_block(index)?;
        for group in samples.chunk_by(|_, next| !next.original) {
            check_group(group)
                .and_then(|()| games.follow(group[0].game, reader.header()))
                .map_err(|reason| {
                    let (game, ply) = (group[0].game, group[0].ply);
                    reader.damaged(index, format!("ply {ply} of game {game}: {reason}"))
                })?;
            tally.add(&group[0]);
        }
    }
    // After the blocks, whose errors name the place.
    if digest_of(&reader)? != reader.summary().digest {
        return Err(wrong_end("the digest of the file differs".to_owned()));
    }
    if games.count != reader.summary().games {
        return Err(wrong_end(format!(
            "it states {} games, and there are {}",
            reader.summary().games,
            games.count
        )));
    }
    Ok(ShardStatistics {
        header: reader.header().clone(),
        summary: reader.summary().clone(),
        samples: tally.finish(),
    })
}

/// Checks an original with its images.
fn check_group<G: Game>(group: &[Sample<G>]) -> Result<(), String> {
    group[0].check()?;
    if group != group[0].images() {
        return Err("the samples after it are not its images".to_owned());
    }
    Ok(())
}

/// Sees to it that games come in the order of their indices.
#[derive(Debug, Default)]
struct GameOrder {
    last: Option<u32>,
    count: u32,
}

impl GameOrder {
    fn follow(&mut self, game: u32, header: &Header) -> Result<(), String> {
        if !header.covers(game) {
            return Err("the game is not one of the header's".to_owned());
        }
        if self.last.is_some_and(|last| game < last) {
            return Err("the game comes after a later one".to_owned());
        }
        self.count += u32::from(self.last != Some(game));
        self.last = Some(game);
        Ok(())
    }
}

fn digest_of<G: Game>(reader: &ShardReader<G>) -> Result<String, ShardError> {
    let mut source = Source::open(reader.path())?;
    let mut hasher = Sha256::new();
    let end = source.length().saturating_sub(UNDIGESTED_BYTES as u64);
    source.each_piece(end, |piece| hasher.update(piece))?;
    Ok(hex::encode(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::footer::{FOOTER_BYTES, Footer};
    use super::super::header::Augment;
    use super::super::tests::{finished_position, header, sample, samples, write_shard};
    use super::*;
    use crate::games::bagh_chal::Position;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn what_is_written_verifies_alike_in_both_modes(samples in samples(0..30)) {
            let folder = tempfile::tempdir().unwrap();
            let [written, turned] = [Augment::Write, Augment::Read].map(|augment| {
                let path = folder.path().join("a.shard");
                let summary = write_shard(&path, augment, 20, &samples);
                let statistics = verify::<Position>(&path).unwrap();
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
    fn an_image_that_is_none_is_found() {
        let group = sample(3).images();
        check_group(&group).unwrap();
        assert!(check_group(&group[..7]).is_err());
        let mut other_score = group.clone();
        other_score[4].score += 1.0;
        let mut other_board = group.clone();
        other_board[4].position = sample(1).position;
        let mut other_order = group;
        other_order.swap(1, 2);
        for wrong in [other_score, other_board, other_order] {
            let reason = check_group(&wrong).unwrap_err();
            assert!(reason.contains("not its images"), "{reason}");
        }
        let mut finished = sample(0);
        finished.position = finished_position();
        assert!(check_group(&finished.images()).is_err());
    }

    #[test]
    fn games_out_of_order_are_found() {
        let header = header(Augment::Write);
        let mut games = GameOrder::default();
        for game in [7, 7, 9, 16] {
            games.follow(game, &header).unwrap();
        }
        assert_eq!(games.count, 3);
        for game in [6, 9, 17] {
            assert!(games.follow(game, &header).is_err());
        }
    }

    #[test]
    fn a_shard_patched_with_care_has_another_digest() {
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
        // The blocks of one shard with the footer of the other.
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
        let error = verify::<Position>(&path).unwrap_err().to_string();
        assert!(error.contains("the digest of the file differs"), "{error}");
    }

    #[test]
    fn a_footer_that_miscounts_games_is_found() {
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
        let error = verify::<Position>(&path).unwrap_err().to_string();
        assert!(error.contains("states 2 games, and there are 1"), "{error}");
    }
}
