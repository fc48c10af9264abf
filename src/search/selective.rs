//! Techniques that leave out what is unlikely to matter: the score may change, proofs stay proofs.
//!
//! Whatever is left out counts as finite, so a forced result is always one of lines that were
//! searched.

use super::ScoreType;
use super::minimax::{LARGEST_EVALUATION, MinimaxPlayer, static_score};
use super::window::Window;
use crate::game::{Game, Side};

/// The most plies left at which a quiet move is judged by its position.
const FUTILITY_DEPTH: u32 = 2;
/// What a quiet move is presumed to gain at most with each ply left, in logits.
const FUTILITY_MARGIN: ScoreType = 0.5;
/// The most plies left at which a position is judged by its evaluation.
const REVERSE_DEPTH: u32 = 3;
/// What a side is presumed to lose at most with each ply left, in logits.
const REVERSE_MARGIN: ScoreType = 0.5;
/// The least plies left at which a pass is tried.
const PASS_DEPTH: u32 = 3;
/// By how much less deep a pass is searched than a move.
const PASS_REDUCTION: u32 = 2;
/// The least plies left at which late moves are searched less deep.
const REDUCTION_DEPTH: u32 = 3;
/// How many moves come before the late ones.
const EARLY_MOVES: usize = 3;

/// What can be said of a position without searching its moves.
pub(super) enum Judgement {
    /// Nothing.
    Open,
    /// It refutes the move that led to it, with this score as the bound.
    Refutes(ScoreType),
    /// A limit stopped the search.
    Stopped,
}

/// Judges a position below the root, before its moves are searched.
pub(super) fn judge<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    depth: u32,
    window: Window,
) -> Judgement {
    let side = position.side_to_move();
    let goal = match side {
        Side::Max => window.1,
        Side::Min => window.0,
    };
    // Where only a forced result will do, no judgement can tell.
    if goal.abs() >= LARGEST_EVALUATION || !position.may_stand_pat() {
        return Judgement::Open;
    }
    let memory = player.memory();
    let on = memory.techniques.on;
    let is_shallow = on.reverse_futility && depth <= REVERSE_DEPTH;
    // Where positions can come back, having to move is a burden too often.
    let may_pass = on.null_move
        && depth >= PASS_DEPTH
        && !position.can_repeat()
        && memory.passed_at != Some(memory.path.ply());
    if !is_shallow && !may_pass {
        return Judgement::Open;
    }
    let standing = static_score(player, position);
    if is_shallow {
        let held = standing - side.sign() * REVERSE_MARGIN * depth as ScoreType;
        if reaches(side, held, goal) {
            return Judgement::Refutes(held);
        }
    }
    match position.pass().filter(|_| may_pass) {
        Some(passed) if reaches(side, standing, goal) => {
            try_pass(player, position, &passed, depth, goal)
        }
        _ => Judgement::Open,
    }
}

/// Whether `side` reaches its `goal` even if it passes, by a search of less depth.
fn try_pass<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    passed: &P::Game,
    depth: u32,
    goal: ScoreType,
) -> Judgement {
    let side = position.side_to_move();
    let memory = player.memory();
    memory.path.push(position);
    let era = memory.path.new_era();
    let earlier_pass = memory.passed_at.replace(memory.path.ply());
    let (alpha, beta) = match side {
        Side::Max => (goal.next_down(), goal),
        Side::Min => (goal, goal.next_up()),
    };
    let score = player.minimax(passed, era, depth - 1 - PASS_REDUCTION, alpha, beta);
    let memory = player.memory();
    memory.passed_at = earlier_pass;
    memory.path.pop();
    match score {
        None => Judgement::Stopped,
        // A win after a pass proves nothing.
        Some(score) if reaches(side, score, goal) => {
            Judgement::Refutes(if score.is_finite() { score } else { goal })
        }
        Some(_) => Judgement::Open,
    }
}

fn reaches(side: Side, score: ScoreType, goal: ScoreType) -> bool {
    match side {
        Side::Max => score >= goal,
        Side::Min => score <= goal,
    }
}

/// The most that a quiet move of a position is presumed to reach, `depth` plies before the leaves;
/// none if nothing is presumed, so far from them or at all.
pub(super) fn promise<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    depth: u32,
) -> Option<ScoreType> {
    if !player.memory().techniques.on.futility || depth > FUTILITY_DEPTH {
        return None;
    }
    let margin = FUTILITY_MARGIN * depth as ScoreType;
    Some(static_score(player, position) + position.side_to_move().sign() * margin)
}

/// By how many plies less a quiet move that nothing speaks for is searched at first, if `index`
/// moves come before it.
pub(super) fn reduction(depth: u32, index: usize) -> u32 {
    u32::from(depth >= REDUCTION_DEPTH && index >= EARLY_MOVES)
}
