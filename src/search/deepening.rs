//! Iterative deepening: a ply deeper each time, until a limit or a proven result.

use std::time::Instant;

use super::budget::Budget;
use super::cache::ScoreCache;
use super::control::{Iteration, SearchControl};
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::player::{Forced, SearchReport};
use super::tablebase_root::{Children, KnownRoot};
use super::{ScoreType, outcome_score};
use crate::game::{Game, Side};

/// No iteration begins after this share of the time that a clock allots to the move.
const LAST_START: f64 = 0.6;
/// A score that fell by so much since the iteration before calls for more time, in logits.
const FALL: ScoreType = 0.3;
/// A best move that stood for so many iterations needs less time.
const STABLE_ITERATIONS: u32 = 5;

/// The root of a search.
#[derive(Clone, Copy)]
pub(super) struct Root<'a, G> {
    pub position: &'a G,
    pub era: usize,
    pub start: Instant,
}

/// A line of an iteration: its first move and its score.
#[derive(Clone, Copy)]
struct RootLine<M> {
    mv: M,
    score: ScoreType,
}

/// How stable the best move has been, which decides how much of its time the search takes.
#[derive(Default)]
struct Stability {
    unchanged: u32,
    is_unsettled: bool,
}

impl Stability {
    /// Records an iteration and the one before it.
    fn update<M: PartialEq>(&mut self, side: Side, last: &RootLine<M>, now: &RootLine<M>) {
        let changed = last.mv != now.mv;
        self.unchanged = if changed { 0 } else { self.unchanged + 1 };
        let fell = side.sign() * (last.score - now.score) >= FALL;
        self.is_unsettled = changed || fell;
    }

    /// By what the allotted time is multiplied.
    fn factor(&self) -> f64 {
        if self.is_unsettled {
            2.0
        } else if self.unchanged >= STABLE_ITERATIONS {
            0.5
        } else {
            1.0
        }
    }
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// Makes the storage ready for a search.
    pub(super) fn prepare<'a>(
        &mut self,
        position: &'a G,
        history: &[G],
        records_lines: bool,
    ) -> Root<'a, G> {
        let start = Instant::now();
        if self.techniques.on.keep {
            self.cache.age();
        } else {
            self.cache.clear();
        }
        self.killers.clear(self.limits.max_depth());
        if self.techniques.on.history {
            self.history.clear();
        }
        self.lines.restart(records_lines);
        self.nodes = 0;
        self.tablebase_hits = 0;
        self.null_move_ply = None;
        // Every search finishes the first ply, whatever its limits.
        self.budget = Budget::UNLIMITED;
        let era = self.path.restart(position, history);
        Root {
            position,
            era,
            start,
        }
    }

    /// Picks a move of an unfinished position: by tablebase values if they decide, else by a search.
    ///
    /// A known win takes the shortest way and a known loss the longest. Where distances do not
    /// separate moves of one value, these are searched without the tablebase: a loser sets what
    /// traps it can, and a winner takes a short way that the search finds. Probing for distances
    /// that the source does not hold is not subject to the limits.
    pub(super) fn search_position(
        &mut self,
        position: &G,
        history: &[G],
        control: &mut SearchControl<'_, G::Move>,
    ) -> SearchReport<G::Move> {
        let root = self.prepare(position, history, control.on_iteration.is_some());
        let known = Children::new(self, &root)
            .and_then(|mut children| KnownRoot::new(&mut children, position.side_to_move()));
        let Some(known) = known else {
            let mut moves = position.moves();
            position.prune_dominated_moves(&mut moves);
            self.evaluation.order_moves(position, &mut moves);
            return self.deepen(&root, moves.as_ref(), control);
        };
        let score = outcome_score(known.exact.value);
        if known.is_settled() {
            let forced = Forced::from_exact(known.exact, 0);
            let mv = known.moves[0];
            self.nodes += 1;
            self.report_line(&root, control, 1, 1, RootLine { mv, score }, forced);
            return SearchReport {
                mv,
                score: Some(score),
                depth: 1,
                nodes: self.nodes,
                forced,
            };
        }
        let source = self.tablebase.take();
        let report = self.deepen(&root, &known.moves, control);
        self.tablebase = source;
        SearchReport {
            score: Some(score),
            forced: report.forced.or(Forced::from_exact(known.exact, 0)),
            ..report
        }
    }

    /// Searches some moves of the root deeper and deeper.
    ///
    /// Stops at the first depth that proves a result, so a win found is the shortest one that
    /// selective techniques did not prune. A lost side plays the move of the last iteration that had
    /// not yet proved the loss: the one that lasts longest.
    fn deepen(
        &mut self,
        root: &Root<'_, G>,
        moves: &[G::Move],
        control: &mut SearchControl<'_, G::Move>,
    ) -> SearchReport<G::Move> {
        let side = root.position.side_to_move();
        let lines = control.lines.clamp(1, moves.len());
        let mut stability = Stability::default();
        let mut last: Vec<RootLine<G::Move>> = Vec::new();
        let mut depth = 0;
        let mut forced = None;
        'deepening: for next in 1..=self.limits.max_depth() {
            if next > 1 {
                self.budget = Budget::new(&self.limits, control, root.start);
            }
            let mut found: Vec<RootLine<G::Move>> = Vec::with_capacity(lines);
            let mut are_all_forced = true;
            for rank in 0..lines {
                let Some(line) = self.search_line(root, next, moves, &found, last.get(rank)) else {
                    if found.is_empty() && self.techniques.on.partial {
                        self.take_unfinished(&mut last);
                    }
                    break 'deepening;
                };
                let proven = Forced::from_score(line.score, next, self.depth_bounds_distance());
                are_all_forced &= proven.is_some();
                self.report_line(root, control, next, rank + 1, line, proven);
                found.push(line);
            }
            let (best, before) = (found[0], last.first().copied());
            forced = Forced::from_score(best.score, next, self.depth_bounds_distance());
            depth = next;
            last = found;
            if let Some(before) = before {
                let is_lost = forced.is_some_and(|forced| forced.winner != side);
                if is_lost {
                    last[0].mv = before.mv;
                }
                stability.update(side, &before, &last[0]);
            }
            if are_all_forced || self.is_out_of_time(root.start, stability.factor()) {
                break;
            }
        }
        SearchReport {
            mv: last[0].mv,
            score: Some(last[0].score),
            depth,
            nodes: self.nodes,
            forced,
        }
    }

    /// Searches the best line of the moves that no better line begins with; `None` if a limit
    /// stopped the search.
    fn search_line(
        &mut self,
        root: &Root<'_, G>,
        depth: u32,
        moves: &[G::Move],
        better: &[RootLine<G::Move>],
        last: Option<&RootLine<G::Move>>,
    ) -> Option<RootLine<G::Move>> {
        let hash_move = last.map(|line| line.mv);
        let guess = last.map(|line| line.score);
        let guess = guess.filter(|_| self.techniques.on.aspiration);
        let first = (hash_move, guess);
        let found = if better.is_empty() {
            self.search_root(root.position, root.era, depth, moves, first)
        } else {
            let is_left = |mv: &G::Move| better.iter().all(|line| line.mv != *mv);
            let left: Vec<_> = moves.iter().copied().filter(is_left).collect();
            self.search_root(root.position, root.era, depth, &left, first)
        };
        found.map(|(score, mv)| RootLine { mv, score })
    }

    /// Puts the best move of an unfinished iteration in place of that of the last one.
    fn take_unfinished(&self, last: &mut [RootLine<G::Move>]) {
        if let Some((score, mv)) = self.best_at_root
            && let Some(best) = last.first_mut()
        {
            *best = RootLine { mv, score };
        }
    }

    fn report_line(
        &self,
        root: &Root<'_, G>,
        control: &mut SearchControl<'_, G::Move>,
        depth: u32,
        rank: usize,
        line: RootLine<G::Move>,
        forced: Option<Forced>,
    ) {
        if let Some(on_iteration) = &mut control.on_iteration {
            on_iteration(&Iteration {
                depth,
                selective_depth: self.lines.selective_depth().max(depth),
                rank,
                score: line.score,
                forced,
                line: self.principal_variation(root.position, line.mv, depth),
                nodes: self.nodes,
                time: root.start.elapsed(),
            });
        }
    }

    /// Whether another iteration, which takes several times as long, could hardly finish.
    fn is_out_of_time(&self, start: Instant, factor: f64) -> bool {
        if self.budget.is_pondering() {
            return false;
        }
        if let Some(clock) = self.limits.clock
            && start.elapsed() >= clock.soft_limit().mul_f64(factor * LAST_START)
        {
            return true;
        }
        !self.techniques.on.partial && self.is_mostly_spent(start)
    }

    /// Whether more than half of the nodes or of the time is used up.
    pub(super) fn is_mostly_spent(&self, start: Instant) -> bool {
        let (nodes, time) = (self.limits.nodes, self.limits.hard_time());
        nodes.is_some_and(|limit| self.nodes > limit / 2)
            || time.is_some_and(|limit| start.elapsed() > limit / 2)
    }
}
