//! Pruning and reductions: the score may change, proofs stay proofs.
//!
//! Everything pruned counts as finite, so a proven result always follows from searched lines.

use super::cache::ScoreCache;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::move_loop::Node;
use super::techniques::Switches;
use super::window::{Window, better, is_better};
use super::{LARGEST_EVALUATION, ScoreType, outcome_score};
use crate::game::{Game, Outcome, Side};

/// Futility pruning: the largest remaining depth, in plies.
const FUTILITY_DEPTH: u32 = 2;
/// Futility pruning: the largest gain presumed of a quiet move for each ply left, in logits.
const FUTILITY_MARGIN: ScoreType = 0.5;
/// Reverse futility pruning: the largest remaining depth, in plies.
const REVERSE_FUTILITY_DEPTH: u32 = 3;
/// Reverse futility pruning: the largest loss presumed of a side for each ply left, in logits.
const REVERSE_FUTILITY_MARGIN: ScoreType = 0.5;
/// Null move: the least remaining depth, in plies.
const NULL_MOVE_MIN_DEPTH: u32 = 3;
/// Null move: by how many plies it is searched less deep than a move.
const NULL_MOVE_REDUCTION: u32 = 2;
/// Late move reductions: the least remaining depth at which late moves are reduced by one ply;
/// with more left, very late ones are reduced by two.
const LMR_MIN_DEPTH: u32 = 3;
/// Late move reductions: moves that come before the late ones.
const LMR_MIN_MOVES: usize = 3;
/// Late move reductions: moves that come before the very late ones.
const LMR_VERY_LATE_MOVES: usize = 8;

/// Whether a node is searched.
pub(super) enum NodeVerdict {
    /// It is; with its static evaluation, if that was computed.
    Search(Option<ScoreType>),
    /// It causes a cutoff with this score as the bound.
    Cutoff(ScoreType),
    /// A limit stopped the search.
    Stopped,
}

/// Whether a move is searched.
pub(super) enum MovePlan {
    /// It is skipped, and the best score with it is presumed to be no better than this.
    Skip(ScoreType),
    /// It is searched, with a depth reduced by so many plies at first.
    Search(u32),
}

/// What the pruning of a node's later moves depends on.
pub(super) struct MovePruning {
    depth: u32,
    /// How many moves the ordering puts before the quiet ones.
    front: usize,
    on: Switches,
    /// The static evaluation, once it is known.
    static_evaluation: Option<ScoreType>,
}

impl MovePruning {
    /// Returns `None` if later moves of the node are searched like the first.
    pub fn new<G: Game>(on: Switches, node: &Node<'_, G>) -> Option<Self> {
        let in_check = G::HAS_CHECKS && node.position.in_check();
        let selects = node.ply > 0 && !in_check;
        let on = Switches {
            futility: on.futility && selects && node.depth <= FUTILITY_DEPTH,
            reductions: on.reductions && selects && node.depth >= LMR_MIN_DEPTH,
            ..on
        };
        (on.pvs || on.futility || on.reductions).then_some(Self {
            depth: node.depth,
            front: node.order.front,
            on,
            static_evaluation: node.static_evaluation,
        })
    }

    /// Late move reductions: by how many plies the quiet move after `index` others is reduced.
    fn reduction(&self, index: usize) -> u32 {
        let late = self.on.reductions && index >= self.front.max(LMR_MIN_MOVES);
        let very_late = late && index >= LMR_VERY_LATE_MOVES && self.depth > LMR_MIN_DEPTH;
        u32::from(late) + u32::from(very_late)
    }
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// Reverse futility pruning and null move: decides whether a node below the root is searched.
    #[inline(never)]
    pub(super) fn prune_node(&mut self, position: &G, depth: u32, window: Window) -> NodeVerdict {
        let side = position.side_to_move();
        let goal = match side {
            Side::Max => window.1,
            Side::Min => window.0,
        };
        // Static evaluations decide nothing where only a proven result suffices.
        let is_static = position.may_stand_pat() && !(G::HAS_CHECKS && position.in_check());
        if goal.abs() >= LARGEST_EVALUATION || !is_static {
            return NodeVerdict::Search(None);
        }
        let on = self.techniques.on;
        let is_shallow = on.reverse_futility && depth <= REVERSE_FUTILITY_DEPTH;
        let may_null_move = on.null_move
            && depth >= NULL_MOVE_MIN_DEPTH
            && position.is_null_move_safe()
            && self.null_move_ply != Some(self.path.ply());
        if !is_shallow && !may_null_move {
            return NodeVerdict::Search(None);
        }
        let evaluation = self.static_evaluation(position);
        if is_shallow {
            let held = evaluation - side.sign() * REVERSE_FUTILITY_MARGIN * depth as ScoreType;
            if reaches(side, held, goal) {
                return NodeVerdict::Cutoff(held);
            }
        }
        match position.null_move().filter(|_| may_null_move) {
            Some(after) if reaches(side, evaluation, goal) => {
                match self.search_null_move(position, &after, depth, goal) {
                    None => NodeVerdict::Stopped,
                    Some(Some(bound)) => NodeVerdict::Cutoff(bound),
                    Some(None) => NodeVerdict::Search(Some(evaluation)),
                }
            }
            _ => NodeVerdict::Search(Some(evaluation)),
        }
    }

    /// Searches `after`, the position after a null move, with reduced depth; returns the score if it
    /// reaches `goal`, and nothing at all if a limit stopped the search.
    fn search_null_move(
        &mut self,
        position: &G,
        after: &G,
        depth: u32,
        goal: ScoreType,
    ) -> Option<Option<ScoreType>> {
        let side = position.side_to_move();
        self.path.push(position);
        let era = self.path.new_era();
        let earlier = self.null_move_ply.replace(self.path.ply());
        let (alpha, beta) = match side {
            Side::Max => (goal.next_down(), goal),
            Side::Min => (goal, goal.next_up()),
        };
        let score = self.minimax(after, era, depth - 1 - NULL_MOVE_REDUCTION, alpha, beta);
        self.null_move_ply = earlier;
        self.path.pop();
        let score = score?;
        // A win after a null move proves nothing.
        let bound = if score.is_finite() { score } else { goal };
        Some(reaches(side, score, goal).then_some(bound))
    }

    /// Futility pruning and late move reductions: plans the move that comes after `index` others,
    /// the best of which scored `best`.
    #[inline(never)]
    pub(super) fn plan_move(
        &mut self,
        pruning: &mut MovePruning,
        position: &G,
        (index, mv): (usize, G::Move),
        best: ScoreType,
        window: Window,
    ) -> MovePlan {
        let side = position.side_to_move();
        // Until a move avoids a forced loss, each may be the one that does.
        let lost = outcome_score(Outcome::win(side.other()));
        if best == lost || position.is_noisy(mv) || position.gives_check(mv) {
            return MovePlan::Search(0);
        }
        if pruning.on.futility {
            let evaluation = pruning.static_evaluation;
            let evaluation = evaluation.unwrap_or_else(|| self.static_evaluation(position));
            pruning.static_evaluation = Some(evaluation);
            let most = evaluation + side.sign() * FUTILITY_MARGIN * pruning.depth as ScoreType;
            if !is_better(side, most, window) {
                return MovePlan::Skip(better(side, best, most));
            }
        }
        MovePlan::Search(pruning.reduction(index))
    }
}

/// Whether a score is at least as good for `side` as `goal`.
fn reaches(side: Side, score: ScoreType, goal: ScoreType) -> bool {
    match side {
        Side::Max => score >= goal,
        Side::Min => score <= goal,
    }
}
