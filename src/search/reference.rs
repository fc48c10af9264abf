//! The plain search that the shared one is held to: no pruning, no cache, no ordering.

use super::{ScoreType, outcome_score};
use crate::game::{Game, Side};

/// The score of a position searched `depth` plies deep, for `Max`.
///
/// `history` holds the game's earlier positions, oldest first. Below the root, a position that
/// came up before with the same side to move scores as its repetition does.
pub fn minimax<G: Game>(
    position: &G,
    history: &[G],
    depth: u32,
    evaluate: &mut impl FnMut(&G) -> ScoreType,
) -> ScoreType {
    let mut path = history.to_vec();
    score(position, &mut path, depth, true, evaluate)
}

fn score<G: Game>(
    position: &G,
    path: &mut Vec<G>,
    depth: u32,
    root: bool,
    evaluate: &mut impl FnMut(&G) -> ScoreType,
) -> ScoreType {
    if !root && path.iter().any(|earlier| earlier == position) {
        return outcome_score(position.repetition_outcome());
    }
    if let Some(outcome) = position.outcome() {
        return outcome_score(outcome);
    }
    if depth == 0 {
        return evaluate(position);
    }
    let mut moves = G::Moves::default();
    position.moves_into(&mut moves);
    path.push(position.clone());
    let children = moves
        .as_ref()
        .iter()
        .map(|&mv| score(&position.play(mv), path, depth - 1, false, evaluate));
    let best = match position.side_to_move() {
        Side::Max => children.fold(ScoreType::NEG_INFINITY, ScoreType::max),
        Side::Min => children.fold(ScoreType::INFINITY, ScoreType::min),
    };
    path.pop();
    best
}
