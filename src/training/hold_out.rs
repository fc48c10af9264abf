//! Held-out games, which are never trained on.

use crate::game::Game;
use crate::seed::derive;

use super::ReplayBuffer;

const HELD_OUT: u64 = u64::from_be_bytes(*b"held out");

/// Decides by the run's seed and the game whether a game is held out, so that the same games are held
/// out in every training of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HoldOut {
    seed: u64,
    /// Games with a number up to this are held out.
    limit: u64,
}

impl HoldOut {
    /// Holds out about `share` of the games of `window`, at least one.
    pub fn new<G: Game>(seed: u64, share: f64, window: &ReplayBuffer<G>) -> Self {
        let by_share = Self {
            seed,
            limit: (share * 2.0_f64.powi(64)) as u64,
        };
        let mut least = u64::MAX;
        for shard in window.shards() {
            let header = shard.header();
            for game in header.first_game..header.first_game.saturating_add(header.games) {
                let number = by_share.number(header.generation, game);
                if number <= by_share.limit {
                    return by_share;
                }
                least = least.min(number);
            }
        }
        Self { seed, limit: least }
    }

    /// Returns true if a game is held out.
    #[inline]
    pub fn holds(&self, generation: u32, game: u32) -> bool {
        self.number(generation, game) <= self.limit
    }

    fn number(&self, generation: u32, game: u32) -> u64 {
        derive(&[self.seed, HELD_OUT, generation.into(), game.into()])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Fixture, GAMES};
    use super::*;
    use crate::shard::Augment;

    fn held_out(hold_out: HoldOut, games: u32) -> Vec<u32> {
        (0..games).filter(|&game| hold_out.holds(1, game)).collect()
    }

    #[test]
    fn about_the_share_is_held_out_and_a_larger_share_contains_a_smaller() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let few = held_out(HoldOut::new(7, 0.1, &window), 10_000);
        let many = held_out(HoldOut::new(7, 0.3, &window), 10_000);
        assert!((900..1100).contains(&few.len()), "{}", few.len());
        assert!((2850..3150).contains(&many.len()), "{}", many.len());
        assert!(few.iter().all(|game| many.contains(game)));
        assert_ne!(few, held_out(HoldOut::new(8, 0.1, &window), 10_000));
    }

    #[test]
    fn at_least_one_game_is_held_out() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let hold_out = HoldOut::new(7, 1e-9, &window);
        let of_generation = |generation| {
            let games = 0..GAMES;
            games
                .filter(|&game| hold_out.holds(generation, game))
                .count()
        };
        assert_eq!(of_generation(1) + of_generation(2), 1);
    }
}
