//! The samples of several shards of one origin, game by game.

use std::iter::Peekable;

use crate::game::Game;
use crate::shard::{Sample, Samples, ShardError, ShardReader};

/// A game's originals from all shards that have some.
#[derive(Debug)]
pub(super) struct GameSamples<G> {
    /// The originals; if they come from several shards, by ply.
    pub samples: Vec<Sample<G>>,
    /// Originals that more than one shard has, counted beyond the first time.
    pub repeated: u64,
}

/// The games of shards, which are sorted by their first games, in the order of their indices.
///
/// A block of each shard whose games overlap is in memory, and the samples of one game.
pub(super) fn union<G: Game>(readers: &[ShardReader<G>]) -> Union<'_, G> {
    Union {
        waiting: readers,
        open: Vec::new(),
        failed: false,
    }
}

pub(super) struct Union<'a, G: Game> {
    /// Shards whose games are not reached.
    waiting: &'a [ShardReader<G>],
    open: Vec<Peekable<Samples<'a, G>>>,
    failed: bool,
}

impl<G: Game> Union<'_, G> {
    /// The least game that comes next in an open shard.
    fn least(&mut self) -> Result<Option<u32>, ShardError> {
        let mut least = None;
        let mut index = 0;
        while let Some(samples) = self.open.get_mut(index) {
            match samples.peek() {
                None => {
                    drop(self.open.remove(index));
                    continue;
                }
                Some(Ok(sample)) => {
                    least = Some(least.map_or(sample.game, |least: u32| least.min(sample.game)));
                }
                Some(Err(_)) => {
                    // The error itself, which peeking only lends.
                    if let Some(Err(error)) = samples.next() {
                        return Err(error);
                    }
                }
            }
            index += 1;
        }
        Ok(least)
    }

    fn next_game(&mut self) -> Result<Option<GameSamples<G>>, ShardError> {
        let mut least = self.least()?;
        while let Some((next, waiting)) = self.waiting.split_first() {
            if least.is_some_and(|least| least < next.header().first_game) {
                break;
            }
            self.open.push(next.originals().peekable());
            self.waiting = waiting;
            least = self.least()?;
        }
        let Some(game) = least else {
            return Ok(None);
        };
        let (mut samples, mut repeated): (Vec<Sample<G>>, u64) = (Vec::new(), 0);
        for shard in &mut self.open {
            let before = samples.len();
            let of_game = |next: &Result<Sample<G>, ShardError>| match next {
                Ok(sample) => sample.game == game,
                Err(_) => true,
            };
            while let Some(next) = shard.next_if(of_game) {
                let next = next?;
                if samples[..before].contains(&next) {
                    repeated += 1;
                } else {
                    samples.push(next);
                }
            }
            if before > 0 {
                samples.sort_by_key(|sample| sample.ply);
            }
        }
        Ok(Some(GameSamples { samples, repeated }))
    }
}

impl<G: Game> Iterator for Union<'_, G> {
    type Item = Result<GameSamples<G>, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.next_game();
        self.failed = next.is_err();
        next.transpose()
    }
}
