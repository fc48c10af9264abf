//! A player of random moves.

use std::marker::PhantomData;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analysis::Analysis;
use super::player::{Player, SearchReport};
use crate::game::{Game, random_move};

/// Plays any legal move with equal chance.
#[derive(Clone, Debug)]
pub struct RandomPlayer<G> {
    seed: u64,
    rng: Xoshiro256PlusPlus,
    game: PhantomData<fn(G)>,
}

impl<G: Game> RandomPlayer<G> {
    /// A player whose random choices derive from `seed` and the seed of each game.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            game: PhantomData,
        }
    }
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn pick_move(&mut self, position: &G, _history: &[G]) -> SearchReport<G::Move> {
        SearchReport {
            mv: random_move(position, &mut self.rng),
            score: None,
            depth: 0,
            nodes: 1,
            forced: None,
        }
    }

    fn analyse(&mut self, _position: &G, _history: &[G]) -> Option<Analysis<G::Move>> {
        None
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = crate::seed::stream(&[self.seed, seed]);
    }
}
