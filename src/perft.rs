//! Perft: counts move sequences to check and time move generation.

use crate::game::Game;

/// Counts the sequences of exactly `depth` plies from `position`; sequences that end the game earlier
/// do not count. Every move is made.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    let mut moves = G::Moves::default();
    position.moves_into(&mut moves);
    moves
        .as_ref()
        .iter()
        .map(|&mv| perft(&position.play(mv), depth - 1))
        .sum()
}
