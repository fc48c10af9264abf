//! The positions of the regression, game by game.

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::game::Game;
use crate::seed::derive;
use crate::shard::{Sample, ShardError, ShardReader};
use crate::training::target;

const HELD_OUT: u64 = u64::from_be_bytes(*b"held out");

/// Which samples are used, and the target of the prediction.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// WDL weight: the share of the outcome in the target; the rest is the search score.
    pub result_weight: f64,
    /// Whether samples with a noisy move are skipped.
    pub skip_noisy: bool,
    /// Whether samples with a random move are skipped.
    pub skip_random: bool,
    /// The share of held-out games.
    pub held_out: f64,
    /// Random seed for the choice of held-out games.
    pub seed: u64,
}

impl Selection {
    /// The target of a sample, `Max`'s expected score; `None` if the sample is skipped.
    fn target<G: Game>(&self, sample: &Sample<G>) -> Option<f64> {
        let skipped = sample.noisy && self.skip_noisy || sample.random && self.skip_random;
        let outcome = sample.outcome.filter(|_| !skipped)?;
        Some(target(sample.score, Some(outcome), self.result_weight))
    }

    fn holds_out(&self, generation: u32, game: u32) -> bool {
        let number = derive(&[self.seed, HELD_OUT, generation.into(), game.into()]);
        number < (self.held_out * 2.0_f64.powi(64)) as u64
    }
}

/// Positions with their targets, grouped by game because positions of a game are not independent.
#[derive(Clone, Debug)]
pub struct Games<G> {
    games: Vec<Vec<(G, f64)>>,
}

impl<G: Game> Games<G> {
    /// Positions with their targets, one list per game.
    #[must_use]
    pub fn new(games: Vec<Vec<(G, f64)>>) -> Self {
        Self { games }
    }

    /// Reads the games of shards: the fitted and the held-out ones.
    ///
    /// Symmetric copies are skipped, and so are exploration positions, which have no outcome.
    ///
    /// # Errors
    /// If a shard is damaged or cannot be read.
    pub fn read(
        shards: &[ShardReader<G>],
        selection: &Selection,
        pool: &ThreadPool,
    ) -> Result<(Self, Self), ShardError> {
        let read = || {
            shards
                .par_iter()
                .map(|shard| read(shard, selection))
                .collect::<Result<Vec<_>, _>>()
        };
        let parts = pool.install(read)?;
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            parts.into_iter().flatten().partition(|game| game.held_out);
        let positions = |games: Vec<ReadGame<G>>| Self {
            games: games.into_iter().map(|game| game.positions).collect(),
        };
        Ok((positions(fitted), positions(held_out)))
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.games.iter().map(Vec::len).sum()
    }

    /// The positions with their targets, one list per game.
    pub(super) fn lists(&self) -> &[Vec<(G, f64)>] {
        &self.games
    }
}

/// The positions of a game.
struct ReadGame<G> {
    number: u32,
    held_out: bool,
    positions: Vec<(G, f64)>,
}

fn read<G: Game>(
    shard: &ShardReader<G>,
    selection: &Selection,
) -> Result<Vec<ReadGame<G>>, ShardError> {
    let mut games: Vec<ReadGame<G>> = Vec::new();
    for sample in shard.originals() {
        let sample = sample?;
        let Some(target) = selection.target(&sample) else {
            continue;
        };
        let position = (sample.position, target);
        match games.last_mut() {
            Some(game) if game.number == sample.game => game.positions.push(position),
            _ => games.push(ReadGame {
                number: sample.game,
                held_out: selection.holds_out(shard.header().generation, sample.game),
                positions: vec![position],
            }),
        }
    }
    Ok(games)
}
