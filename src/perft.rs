//! Counting move sequences, the classic check and measure of move generation.

use crate::game::Game;

/// Number of sequences of exactly `depth` plies from a position in which no position before the
/// last is finished. Makes every move.
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
