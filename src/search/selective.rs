//! Techniques that leave out what is unlikely to matter: the score may change, proofs stay proofs.
//!
//! Whatever is left out counts as finite, so a forced result is always one of lines that were
//! searched.

use super::minimax::{LARGEST_EVALUATION, MinimaxPlayer, static_score};
use super::techniques::Switches;
use super::window::{Window, better, is_better};
use super::{ScoreType, outcome_score};
use crate::game::{Game, Outcome, Side};

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
/// The least plies left at which late moves are searched a ply less deep; with more left, very late
/// ones are searched two.
const REDUCTION_DEPTH: u32 = 3;
/// How many moves come before the late ones.
const EARLY_MOVES: usize = 3;
/// How many come before the very late ones.
const TIMELY_MOVES: usize = 8;

/// What can be said of a position without searching its moves.
pub(super) enum Judgement {
    /// Nothing; its evaluation, if that was asked for.
    Open(Option<ScoreType>),
    /// It refutes the move that led to it, with this score as the bound.
    Refutes(ScoreType),
    /// A limit stopped the search.
    Stopped,
}

/// Judges a position below the root, before its moves are searched.
#[inline(never)]
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
        return Judgement::Open(None);
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
        return Judgement::Open(None);
    }
    let standing = static_score(player, position);
    if is_shallow {
        let held = standing - side.sign() * REVERSE_MARGIN * depth as ScoreType;
        if reaches(side, held, goal) {
            return Judgement::Refutes(held);
        }
    }
    match position.null_move().filter(|_| may_pass) {
        Some(passed) if reaches(side, standing, goal) => {
            match try_pass(player, position, &passed, depth, goal) {
                None => Judgement::Stopped,
                Some(Some(bound)) => Judgement::Refutes(bound),
                Some(None) => Judgement::Open(Some(standing)),
            }
        }
        _ => Judgement::Open(Some(standing)),
    }
}

/// What the side to move reaches even if it passes, by a search of less depth, if that is its
/// `goal`; nothing at all if a limit stopped the search.
fn try_pass<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    passed: &P::Game,
    depth: u32,
    goal: ScoreType,
) -> Option<Option<ScoreType>> {
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
    let score = score?;
    // A win after a pass proves nothing.
    let bound = if score.is_finite() { score } else { goal };
    Some(reaches(side, score, goal).then_some(bound))
}

fn reaches(side: Side, score: ScoreType, goal: ScoreType) -> bool {
    match side {
        Side::Max => score >= goal,
        Side::Min => score <= goal,
    }
}

/// What becomes of a move.
pub(super) enum Plan {
    /// It and the moves after it, which are quiet too, are left out, and the best score with them
    /// is presumed to be no better than this.
    SkipRest(ScoreType),
    /// It is searched by so many plies less deep at first.
    Search(u32),
}

/// What a position knows of its moves after the first.
pub(super) struct LaterMoves {
    depth: u32,
    /// How many moves come before those that nothing speaks for.
    ordered: usize,
    on: Switches,
    /// The position's evaluation, once that is known.
    standing: Option<ScoreType>,
}

impl LaterMoves {
    /// Those of a position `ply` plies from the root with `depth` left; none if later moves are
    /// searched like the first.
    pub fn new(
        on: Switches,
        ply: u32,
        depth: u32,
        ordered: usize,
        standing: Option<ScoreType>,
    ) -> Option<Self> {
        let selects = ply > 0;
        let on = Switches {
            futility: on.futility && selects && depth <= FUTILITY_DEPTH,
            reductions: on.reductions && selects && depth >= REDUCTION_DEPTH,
            ..on
        };
        (on.pvs || on.futility || on.reductions).then_some(Self {
            depth,
            ordered,
            on,
            standing,
        })
    }

    /// Plans the move that comes after `index` others, the best of which scored `best`.
    #[inline(never)]
    pub fn plan<P: MinimaxPlayer + ?Sized>(
        &mut self,
        player: &mut P,
        position: &P::Game,
        (index, mv): (usize, <P::Game as Game>::Move),
        best: ScoreType,
        window: Window,
    ) -> Plan {
        let side = position.side_to_move();
        // Until a move avoids a forced loss, each may be the one that does.
        let lost = outcome_score(Outcome::win(side.other()));
        if best == lost || position.is_noisy(mv) {
            return Plan::Search(0);
        }
        if self.on.futility {
            let standing = self.standing;
            let standing = standing.unwrap_or_else(|| static_score(player, position));
            self.standing = Some(standing);
            let promise = standing + side.sign() * FUTILITY_MARGIN * self.depth as ScoreType;
            if !is_better(side, promise, window) {
                return Plan::SkipRest(better(side, best, promise));
            }
        }
        Plan::Search(self.reduction(index))
    }

    /// By how many plies less deep a quiet move is searched that comes after `index` others.
    fn reduction(&self, index: usize) -> u32 {
        let late = self.on.reductions && index >= self.ordered.max(EARLY_MOVES);
        let very_late = late && index >= TIMELY_MOVES && self.depth > REDUCTION_DEPTH;
        u32::from(late) + u32::from(very_late)
    }
}
