//! Random moves.

use rand::{Rng, RngExt};

use super::Game;

/// Draws a legal move of an unfinished position, all with equal probability.
pub fn random_move<G: Game>(position: &G, rng: &mut impl Rng) -> G::Move {
    let moves = position.moves();
    let moves = moves.as_ref();
    moves[rng.random_range(0..moves.len())]
}

/// Returns the position after `plies` random plies; `None` if the game ends on the way.
pub fn random_line<G: Game>(start: &G, plies: u32, rng: &mut impl Rng) -> Option<G> {
    let mut position = start.clone();
    for _ in 0..plies {
        position = position.play(random_move(&position, rng));
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}
