//! The positions that weights are fitted to, game by game.

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::game::Game;
use crate::seed::derive;
use crate::shard::{Sample, ShardError, ShardReader};
use crate::training::target;

const HELD_OUT: u64 = u64::from_be_bytes(*b"held out");

/// Which samples of the games are looked at, and what is to be predicted of them.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// How much the outcome counts in the target; the rest is the search's score.
    pub result_weight: f64,
    /// Whether samples are left out whose move was noisy.
    pub skip_noisy: bool,
    /// Whether samples are left out whose move was drawn at random.
    pub skip_random: bool,
    /// The share of the games that are held out.
    pub held_out: f64,
    /// What the choice of these games follows from.
    pub seed: u64,
}

impl Selection {
    /// The target of a sample, where it is wanted: `Max`'s expected score.
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

/// Positions with their targets; those of a game stay together, as they are not independent.
#[derive(Clone, Debug)]
pub struct Games<G> {
    games: Vec<Vec<(G, f64)>>,
}

impl<G: Game> Games<G> {
    /// Positions with their targets, a list for each game.
    #[must_use]
    pub fn new(games: Vec<Vec<(G, f64)>>) -> Self {
        Self { games }
    }

    /// Reads the games of shards: those to fit to, and those held out.
    ///
    /// Images are no positions of their own here, and positions beside a game have no outcome and
    /// are left out.
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

    /// The positions with their targets, a list for each game.
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
