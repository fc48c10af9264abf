//! The moves of a node: ordering, principal variation search, cutoffs.

use super::ScoreType;
use super::cache::ScoreCache;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::ordering::{Order, order};
use super::pruning::{MovePlan, MovePruning};
use super::statistics::count;
use super::window::{Window, is_better, zero};
use crate::game::{Game, Side};

/// A score and the move that gave it.
type ScoredMove<M> = (ScoreType, Option<M>);

/// A position whose moves are being searched.
pub(super) struct Node<'a, G> {
    pub position: &'a G,
    pub era: usize,
    pub depth: u32,
    pub ply: u32,
    pub killer_slot: u32,
    pub order: Order,
    /// The static evaluation, if it is known already.
    pub static_evaluation: Option<ScoreType>,
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// The score of an unfinished position and the best of `moves`, searched at least one ply deep
    /// without a table lookup of the position itself; `None` if a limit stopped the search.
    ///
    /// `moves` are in the order of generation.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of a node, on the hot path"
    )]
    pub(super) fn search_moves(
        &mut self,
        position: &G,
        era: usize,
        depth: u32,
        window: Window,
        moves: &mut [G::Move],
        hash_move: Option<G::Move>,
        static_evaluation: Option<ScoreType>,
    ) -> Option<ScoredMove<G::Move>> {
        let on = self.techniques.on;
        let ply = self.path.ply();
        // Siblings have the same remaining depth only where nothing is reduced or pruned.
        let killer_slot = if on.is_selective() { ply } else { depth };
        let killers = if on.killers {
            self.killers.at(killer_slot)
        } else {
            [None; 2]
        };
        let node = Node {
            position,
            era,
            depth,
            ply,
            killer_slot,
            order: order(position, moves, hash_move, killers),
            static_evaluation,
        };
        self.path.push(position);
        let result = if on.searches_moves_alike() {
            self.move_loop::<true>(&node, window, moves)
        } else {
            self.move_loop::<false>(&node, window, moves)
        };
        self.path.pop();
        result
    }

    /// Searches moves one after the other until one causes a cutoff.
    ///
    /// `ALIKE` promises that all are searched alike and in the order given, which saves checks at
    /// every move.
    fn move_loop<const ALIKE: bool>(
        &mut self,
        node: &Node<'_, G>,
        (mut alpha, mut beta): Window,
        moves: &mut [G::Move],
    ) -> Option<ScoredMove<G::Move>> {
        let Node {
            position,
            era,
            depth,
            ..
        } = *node;
        let on = self.techniques.on;
        let side = position.side_to_move();
        let mut pruning = if ALIKE {
            None
        } else {
            MovePruning::new(on, node)
        };
        let quiet = node.order.quiet(moves.len());
        let mut best: Option<(ScoreType, G::Move)> = None;
        for index in 0..moves.len() {
            // At depth 1, finding the move with the best history costs more than searching it.
            if !ALIKE && on.history && depth > 1 && quiet.contains(&index) {
                self.history.bring_best(side, &mut moves[index..quiet.end]);
            }
            let mv = moves[index];
            let mut reduction = None;
            if let Some(pruning) = &mut pruning
                && let Some((score, first)) = best
            {
                match self.plan_move(pruning, position, (index, mv), score, (alpha, beta)) {
                    MovePlan::Search(plies) => reduction = Some(plies),
                    MovePlan::Skip(bound) => {
                        best = Some((bound, first));
                        // Without checks and exchanges, all later moves are quiet and skipped too.
                        if G::HAS_CHECKS || G::HAS_EXCHANGES {
                            continue;
                        }
                        break;
                    }
                }
            }
            let child = position.play(mv);
            let child_era = self.path.child_era(era, position, mv, &child);
            self.evaluation.on_make(position, &child);
            self.lines.clear(node.ply + 1);
            let window = (alpha, beta);
            let score = match reduction {
                None => self.minimax(&child, child_era, depth - 1, alpha, beta),
                Some(plies) => {
                    self.search_later_move(side, &child, child_era, depth - 1, plies, window)
                }
            };
            self.evaluation.on_unmake();
            let score = score?;

            let better = match (side, best) {
                (_, None) => true,
                (Side::Max, Some((least, _))) => score > least,
                (Side::Min, Some((most, _))) => score < most,
            };
            if better {
                best = Some((score, mv));
                self.lines.extend_from_child(node.ply, mv);
                // A score outside the window is only a bound.
                if node.ply == 0 && is_better(side, score, window) {
                    self.best_at_root = best;
                }
            }
            match side {
                Side::Max => alpha = alpha.max(score),
                Side::Min => beta = beta.min(score),
            }
            if alpha >= beta {
                count!(cutoffs);
                if index == 0 {
                    count!(first_move_cutoffs);
                }
                if !position.is_noisy(mv) {
                    self.killers.add(node.killer_slot, mv);
                    if !ALIKE && on.history {
                        let tried = moves[..=index].iter().copied();
                        let quiet = tried.filter(|mv| !position.is_noisy(*mv));
                        self.history.update(side, depth, quiet);
                    }
                }
                break;
            }
        }
        best.map(|(score, mv)| (score, Some(mv)))
    }

    /// Searches a move after the first, which led to `child`: first whether it is better, with
    /// `reduction` plies less (late move reductions) and a zero window (principal variation
    /// search), then its score.
    ///
    /// The second search has the whole window, since a score outside the zero window is only a
    /// bound, and with repetitions the second may come out on its other side.
    #[inline(never)]
    fn search_later_move(
        &mut self,
        side: Side,
        child: &G,
        era: usize,
        depth: u32,
        reduction: u32,
        window: Window,
    ) -> Option<ScoreType> {
        let (alpha, beta) = window;
        // A leaf costs the same with any window.
        let narrow = if depth > 0 && self.techniques.on.pvs {
            zero(side, window)
        } else {
            window
        };
        if reduction > 0 {
            let score = self.minimax(child, era, depth - reduction, narrow.0, narrow.1)?;
            if !is_better(side, score, window) {
                return Some(score);
            }
        }
        if narrow != window {
            let score = self.minimax(child, era, depth, narrow.0, narrow.1)?;
            let inside = alpha < score && score < beta;
            if !inside {
                return Some(score);
            }
        }
        self.lines.clear(self.path.ply());
        self.minimax(child, era, depth, alpha, beta)
    }
}
