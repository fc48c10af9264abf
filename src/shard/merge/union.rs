//! The samples of several shards of one origin, grouped by game.

use std::iter::Peekable;
use std::path::Path;

use super::MergeError;
use crate::game::Game;
use crate::shard::{Sample, Samples, ShardError, ShardReader};

/// The base samples of a game from all shards that contain it.
#[derive(Debug)]
pub(super) struct GameSamples<G> {
    /// The samples, sorted by ply if they come from several shards.
    pub samples: Vec<Sample<G>>,
    /// Number of samples found in more than one shard, beyond their first occurrence.
    pub repeated: u64,
}

/// Iterates over the games of `readers`, which must be sorted by first game, in ascending order.
///
/// Memory holds a block of each shard whose games overlap, and the samples of one game.
pub(super) fn union<G: Game>(readers: &[ShardReader<G>]) -> Union<'_, G> {
    Union {
        waiting: readers,
        open: Vec::new(),
        failed: false,
    }
}

pub(super) struct Union<'a, G: Game> {
    /// Shards not reached yet.
    waiting: &'a [ShardReader<G>],
    open: Vec<Open<'a, G>>,
    failed: bool,
}

struct Open<'a, G: Game> {
    path: &'a Path,
    samples: Peekable<Samples<'a, G>>,
}

impl<G: Game> Union<'_, G> {
    /// Returns the lowest game that comes next in an open shard.
    fn least(&mut self) -> Result<Option<u32>, ShardError> {
        let mut least = None;
        let mut index = 0;
        while let Some(Open { samples, .. }) = self.open.get_mut(index) {
            match samples.peek() {
                None => {
                    drop(self.open.remove(index));
                    continue;
                }
                Some(Ok(sample)) => {
                    least = Some(least.map_or(sample.game, |least: u32| least.min(sample.game)));
                }
                Some(Err(_)) => {
                    // Take the error itself; peeking only borrows it.
                    if let Some(Err(error)) = samples.next() {
                        return Err(error);
                    }
                }
            }
            index += 1;
        }
        Ok(least)
    }

    fn next_game(&mut self) -> Result<Option<GameSamples<G>>, MergeError> {
        let mut least = self.least()?;
        while let Some((next, waiting)) = self.waiting.split_first() {
            if least.is_some_and(|least| least < next.header().first_game) {
                break;
            }
            self.open.push(Open {
                path: next.path(),
                samples: next.originals().peekable(),
            });
            self.waiting = waiting;
            least = self.least()?;
        }
        let Some(game) = least else {
            return Ok(None);
        };
        let (mut samples, mut repeated): (Vec<Sample<G>>, u64) = (Vec::new(), 0);
        let mut first: Option<&Path> = None;
        for shard in &mut self.open {
            let before = samples.len();
            let of_game = |next: &Result<Sample<G>, ShardError>| match next {
                Ok(sample) => sample.game == game,
                Err(_) => true,
            };
            while let Some(next) = shard.samples.next_if(of_game) {
                let next = next?;
                if samples[..before].contains(&next) {
                    repeated += 1;
                } else {
                    samples.push(next);
                }
            }
            if before > 0 {
                samples.sort_by_key(|sample| sample.ply);
                if let Some(first) = first.filter(|_| are_of_two_games(&samples)) {
                    return Err(MergeError::TwoGames {
                        game,
                        first: first.to_owned(),
                        second: shard.path.to_owned(),
                    });
                }
            }
            if samples.len() > before {
                first = first.or(Some(shard.path));
            }
        }
        Ok(Some(GameSamples { samples, repeated }))
    }
}

/// Returns true if the samples, sorted by ply, cannot all belong to one game. Samples with a noisy
/// or random move were played in the game, one per ply; others may be off-game positions.
fn are_of_two_games<G>(samples: &[Sample<G>]) -> bool {
    let own = samples
        .iter()
        .filter(|sample| sample.noisy || sample.random);
    let plies: Vec<u16> = own.map(|sample| sample.ply).collect();
    plies.windows(2).any(|plies| plies[0] == plies[1])
}

impl<G: Game> Iterator for Union<'_, G> {
    type Item = Result<GameSamples<G>, MergeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_game();
        self.failed = next.is_err();
        next.transpose()
    }
}
