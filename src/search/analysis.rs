//! The score of every move of a position.

use super::budget::Budget;
use super::cache::ScoreCache;
use super::control::SearchControl;
use super::deepening::Root;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::player::Forced;
use super::tablebase_root::Children;
use super::window::ALL;
use super::{ScoreType, outcome_score};
use crate::game::{Game, Side};

/// The score of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveScore<M> {
    /// The move.
    pub mv: M,
    /// The score for `Max` if it is played, in logits; ±infinity if forced.
    pub score: ScoreType,
    /// The proven result after the move, with plies counted from the position before the move.
    pub forced: Option<Forced>,
}

/// The scores of all moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// All legal moves, the best first.
    pub moves: Vec<MoveScore<M>>,
    /// Plies of the last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl<M> Analysis<M> {
    /// The best move: the quickest win, the longest resistance, or the best score.
    #[must_use]
    pub fn best(&self) -> &MoveScore<M> {
        &self.moves[0]
    }
}

/// A move's score so far.
#[derive(Clone, Copy)]
struct AnalysedMove<M> {
    score: MoveScore<M>,
    /// Whether deeper iterations cannot change it.
    is_settled: bool,
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// Searches every move of an unfinished position with an open window.
    pub(super) fn analyse_position(&mut self, position: &G, history: &[G]) -> Analysis<G::Move> {
        let root = self.prepare(position, history, false);
        let mut moves = self.first_scores(&root);
        let mut finished = 0;
        self.nodes += 1;
        for depth in 1..=self.limits.max_depth() {
            if depth > 1 {
                let control = SearchControl::<G::Move>::default();
                self.budget = Budget::new(&self.limits, &control, root.start);
            }
            let Some(iteration) = self.analyse_to_depth(&root, depth, &moves) else {
                break;
            };
            moves = iteration;
            finished = depth;
            let is_settled = moves.iter().all(|mv| mv.is_settled);
            if is_settled || self.is_mostly_spent(root.start) {
                break;
            }
        }
        let side = position.side_to_move();
        let mut scores: Vec<_> = moves.into_iter().map(|mv| mv.score).collect();
        scores.sort_by(|a, b| preference(b, side).total_cmp(&preference(a, side)));
        Analysis {
            moves: scores,
            depth: finished,
            nodes: self.nodes,
        }
    }

    /// All moves, settled where the tablebase gives the result.
    fn first_scores(&mut self, root: &Root<'_, G>) -> Vec<AnalysedMove<G::Move>> {
        let open = |&mv| AnalysedMove {
            score: MoveScore {
                mv,
                score: 0.0,
                forced: None,
            },
            is_settled: false,
        };
        let Some(mut children) = Children::new(self, root) else {
            return root.position.moves().as_ref().iter().map(open).collect();
        };
        children.resolve(None);
        let moves = children.list.iter().map(|child| match child.exact {
            None => open(&child.mv),
            Some(exact) => AnalysedMove {
                score: MoveScore {
                    mv: child.mv,
                    score: outcome_score(exact.value),
                    forced: Forced::from_exact(exact, 1),
                },
                is_settled: true,
            },
        });
        moves.collect()
    }

    /// Searches all moves that are not settled to `depth`; `None` if a limit stopped the iteration.
    fn analyse_to_depth(
        &mut self,
        root: &Root<'_, G>,
        depth: u32,
        moves: &[AnalysedMove<G::Move>],
    ) -> Option<Vec<AnalysedMove<G::Move>>> {
        let mut iteration = Vec::with_capacity(moves.len());
        for known in moves {
            if known.is_settled {
                iteration.push(*known);
                continue;
            }
            let mv = known.score.mv;
            let child = root.position.play(mv);
            self.path.push(root.position);
            let era = self.path.child_era(root.era, root.position, mv, &child);
            self.evaluation.on_make(root.position, &child);
            let score = self.minimax(&child, era, depth - 1, ALL.0, ALL.1);
            self.evaluation.on_unmake();
            self.path.pop();
            let score = score?;
            let forced = Forced::from_score(score, depth, self.depth_bounds_distance());
            iteration.push(AnalysedMove {
                score: MoveScore { mv, score, forced },
                is_settled: forced.is_some(),
            });
        }
        Some(iteration)
    }
}

/// How good a move is for a side: sooner wins first, sooner losses last; results of unknown
/// distance count as the latest.
fn preference<M>(score: &MoveScore<M>, side: Side) -> f64 {
    match score.forced {
        None => f64::from(score.score * side.sign()),
        Some(Forced { winner, plies }) => {
            let plies = f64::from(plies.unwrap_or(u32::MAX));
            let beyond_any_score = f64::MAX / (plies + 1.0);
            if winner == side {
                beyond_any_score
            } else {
                -beyond_any_score
            }
        }
    }
}
