//! A player that looks one ply ahead.

use std::cmp::Reverse;
use std::marker::PhantomData;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analysis::Analysis;
use super::player::{Player, SearchReport};
use crate::game::{Game, MoveList as _, Outcome};

/// Wins at once if it can, else captures if it can, else leaves its opponent the fewest captures;
/// chooses at random among equally good moves.
#[derive(Clone, Debug)]
pub struct GreedyPlayer<G> {
    seed: u64,
    rng: Xoshiro256PlusPlus,
    game: PhantomData<fn(G)>,
}

impl<G: Game> GreedyPlayer<G> {
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

/// How a greedy player ranks a move: the greater, the better.
fn appeal<G: Game>(position: &G, mv: G::Move, replies: &mut G::Moves) -> impl Ord + use<G> {
    let after = position.play(mv);
    let wins = after.outcome() == Some(Outcome::win(position.side_to_move()));
    replies.clear();
    after.moves_into(replies);
    let noisy = replies
        .as_ref()
        .iter()
        .filter(|reply| after.is_noisy(**reply));
    (wins, position.is_noisy(mv), Reverse(noisy.count()))
}

impl<G: Game> Player<G> for GreedyPlayer<G> {
    fn pick_move(&mut self, position: &G, _history: &[G]) -> SearchReport<G::Move> {
        let moves = position.moves();
        let moves = moves.as_ref();
        let mut replies = G::Moves::default();
        let appeals: Vec<_> = moves
            .iter()
            .map(|&mv| appeal(position, mv, &mut replies))
            .collect();
        let most = appeals.iter().max();
        let choices: Vec<G::Move> = moves
            .iter()
            .zip(&appeals)
            .filter(|(_, appeal)| Some(*appeal) == most)
            .map(|(mv, _)| *mv)
            .collect();
        SearchReport {
            mv: choices[self.rng.random_range(0..choices.len())],
            score: None,
            depth: 1,
            nodes: moves.len() as u64 + 1,
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
