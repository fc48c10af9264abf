//! Quiescence: a leaf amid captures is searched on along them before it is judged.

use super::minimax::{LARGEST_EVALUATION, MinimaxPlayer, static_score};
use super::statistics::count;
use super::{ScoreType, outcome_score};
use crate::game::{Game, Side};

/// The score of a leaf of era `era`, which goes on, with the window `alpha..beta`, and none if a
/// limit stopped the search.
///
/// The side to move stands, if it may, or makes a noisy move. A win beyond the pass's depth counts
/// as the largest evaluation, so that a proved result is one within the depth.
#[inline(never)]
pub(super) fn quiesce<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    era: usize,
    mut alpha: ScoreType,
    mut beta: ScoreType,
) -> Option<ScoreType> {
    let side = position.side_to_move();
    let standing = static_score(player, position);
    let stands = position.may_stand_pat();
    if stands {
        match side {
            Side::Max => alpha = alpha.max(standing),
            Side::Min => beta = beta.min(standing),
        }
        if alpha >= beta {
            return Some(standing);
        }
    }
    let mut moves = <P::Game as Game>::Moves::default();
    position.noisy_moves_into(&mut moves);
    count!(generations);
    if moves.as_ref().is_empty() {
        return Some(standing);
    }
    if player.memory().must_stop() {
        return None;
    }
    // Losing by all noisy moves proves nothing of the quiet ones.
    let mut best = if stands {
        standing
    } else {
        -side.sign() * LARGEST_EVALUATION
    };
    player.memory().path.push(position);
    for &mv in moves.as_ref() {
        let child = position.play(mv);
        let path = &player.memory().path;
        let child_era = path.child_era(era, position, mv, &child);
        player.on_make(position, mv, &child);
        let score = visit(player, &child, child_era, alpha, beta);
        player.on_unmake();
        let Some(score) = score else {
            player.memory().path.pop();
            return None;
        };
        match side {
            Side::Max => {
                best = best.max(score);
                alpha = alpha.max(score);
            }
            Side::Min => {
                best = best.min(score);
                beta = beta.min(score);
            }
        }
        if alpha >= beta {
            break;
        }
    }
    player.memory().path.pop();
    Some(best)
}

/// The score of a position that a noisy move led to.
fn visit<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    era: usize,
    alpha: ScoreType,
    beta: ScoreType,
) -> Option<ScoreType> {
    let memory = player.memory();
    memory.nodes += 1;
    count!(nodes);
    let end = if memory.path.repeats(position, era) {
        count!(repetitions);
        Some(position.repetition_outcome(&[]))
    } else {
        position.outcome()
    };
    if let Some(outcome) = end {
        count!(terminals);
        let score = outcome_score(outcome);
        return Some(score.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION));
    }
    if let Some(value) = memory.known_value(position) {
        return Some(outcome_score(value));
    }
    quiesce(player, position, era, alpha, beta)
}
