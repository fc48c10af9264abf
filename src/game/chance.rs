//! Moves by chance.

use rand::{Rng, RngExt};

use super::Game;

/// Any legal move of a position that is not finished, each with equal chance.
pub fn random_move<G: Game>(position: &G, rng: &mut impl Rng) -> G::Move {
    let moves = position.moves();
    let moves = moves.as_ref();
    moves[rng.random_range(0..moves.len())]
}

/// The position after `plies` random plies; none if the game ends before or with them.
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
