//! The search and its node: fail-soft alpha-beta with a transposition table.
//!
//! Plain minimax, not negamax: `Max` raises alpha, `Min` lowers beta, and all scores are `Max`'s.

use std::sync::Arc;

use super::budget::Budget;
use super::cache::{CacheEntry, CacheHit, CacheKey, ScoreCache};
use super::evaluation::Evaluation;
use super::history::History;
use super::limits::Limits;
use super::line::Lines;
use super::ordering::Killers;
use super::path::Path;
use super::pruning::NodeVerdict;
use super::statistics::count;
use super::techniques::{Sharing, Techniques};
use super::window::{ALL, Window};
use super::{DRAW, LARGEST_EVALUATION, ScoreType, outcome_score};
use crate::game::{ExactValues, Game, Outcome};

/// A player that searches with an evaluation: the shared alpha-beta.
#[derive(Clone, Debug)]
pub struct Search<G: Game, E, C> {
    pub(super) evaluation: E,
    /// The transposition table.
    pub cache: C,
    /// When a search stops.
    pub limits: Limits,
    /// The techniques in use.
    pub techniques: Techniques,
    pub(super) tablebase: Option<Arc<dyn ExactValues<G>>>,
    pub(super) killers: Killers<G>,
    pub(super) history: History<G>,
    pub(super) path: Path<G>,
    pub(super) lines: Lines<G::Move>,
    pub(super) budget: Budget,
    /// Positions visited since the search began.
    pub(super) nodes: u64,
    /// How many of them had a tablebase value.
    pub(super) tablebase_hits: u64,
    /// The ply of the current line's last position after a null move.
    pub(super) null_move_ply: Option<u32>,
    /// The best root move that the current iteration has found, with its score.
    pub(super) best_at_root: Option<(ScoreType, G::Move)>,
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// Creates a search with the techniques that suit the evaluation.
    pub fn new(evaluation: E, cache: C, limits: Limits) -> Self {
        let techniques = Techniques::for_symmetry(evaluation.is_symmetric());
        Self {
            evaluation,
            cache,
            limits,
            techniques,
            tablebase: None,
            killers: Killers::default(),
            history: History::default(),
            path: Path::default(),
            lines: Lines::default(),
            budget: Budget::UNLIMITED,
            nodes: 0,
            tablebase_hits: 0,
            null_move_ply: None,
            best_at_root: None,
        }
    }

    /// Replaces the techniques.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> Self {
        self.techniques = techniques;
        self
    }

    /// Sets or removes the source of tablebase values.
    #[must_use]
    pub fn with_exact(mut self, tablebase: Option<Arc<dyn ExactValues<G>>>) -> Self {
        self.tablebase = tablebase;
        self
    }

    /// Positions visited by the last search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of an unfinished position searched exactly `depth` plies deep, at least one,
    /// without limits and iterative deepening, trying `hash_move` first.
    ///
    /// `history` holds the game's earlier positions, oldest first. The table is kept.
    pub fn fixed_depth_score(
        &mut self,
        position: &G,
        history: &[G],
        depth: u32,
        hash_move: Option<G::Move>,
    ) -> ScoreType {
        self.killers.clear(depth);
        self.history.clear();
        self.budget = Budget::UNLIMITED;
        self.null_move_ply = None;
        let era = self.path.restart(position, history);
        let mut moves = position.moves();
        position.prune_dominated_moves(&mut moves);
        self.evaluation.order_moves(position, &mut moves);
        let found = self.search_moves(position, era, depth, ALL, moves.as_mut(), hash_move, None);
        // Only limits stop a search, and there are none.
        found.map_or(DRAW, |(score, _)| score)
    }

    /// The score of a position below the root, searched `depth` plies deep with the window
    /// `alpha..beta`; `None` if a limit stopped the search.
    ///
    /// `era` is the position's era in the path. A score at or below `alpha` is an upper bound,
    /// one at or above `beta` a lower bound.
    pub(super) fn minimax(
        &mut self,
        position: &G,
        era: usize,
        depth: u32,
        alpha: ScoreType,
        beta: ScoreType,
    ) -> Option<ScoreType> {
        self.nodes += 1;
        count!(nodes);
        if let Some(score) = self.repetition_score(position, era) {
            return Some(score);
        }
        if let Some(outcome) = position.outcome() {
            count!(terminals);
            return Some(outcome_score(outcome));
        }
        if let Some(value) = self.tablebase_value(position) {
            return Some(outcome_score(value));
        }
        if depth == 0 {
            if self.techniques.on.quiescence {
                return self.quiescence(position, era, alpha, beta);
            }
            return Some(self.static_evaluation(position));
        }
        if self.budget.must_stop(self.nodes) {
            return None;
        }

        let (key, symmetry) = self.cache_key(position, depth);
        count!(cache_probes);
        let hit = self.cache.probe(&key);
        let known = hit.as_ref().filter(|hit| hit.is_current);
        let (mut lower, mut upper) = (alpha, beta);
        if let Some(known) = known {
            count!(cache_hits);
            lower = alpha.max(known.entry.lower);
            upper = beta.min(known.entry.upper);
        }
        if let Some(hit) = &hit
            && let Some(score) = self.table_cutoff(hit, key.depth, (alpha, beta))
        {
            count!(cache_returns);
            return Some(score);
        }
        let mut static_evaluation = None;
        if self.techniques.on.prunes_nodes() {
            // Not the window that the entry left: a verdict inside the caller's window is no bound.
            match self.prune_node(position, depth, (alpha, beta)) {
                NodeVerdict::Search(evaluation) => static_evaluation = evaluation,
                NodeVerdict::Cutoff(score) => return Some(score),
                NodeVerdict::Stopped => return None,
            }
        }
        let hash_move = hit.as_ref().and_then(|hit| hit.entry.best);
        let hash_move = hash_move.map(|mv| G::transform_move(mv, G::inverse_symmetry(symmetry)));

        let mut moves = G::Moves::default();
        position.moves_into(&mut moves);
        position.prune_dominated_moves(&mut moves);
        self.evaluation.order_moves(position, &mut moves);
        count!(generations);
        let moves = moves.as_mut();
        let window = (lower, upper);
        let (score, best) = self.search_moves(
            position,
            era,
            depth,
            window,
            moves,
            hash_move,
            static_evaluation,
        )?;

        let best = best.map(|mv| G::transform_move(mv, symmetry));
        let entry = CacheEntry::proved(score, lower, upper, best);
        let entry = known.map_or(entry, |known| entry.intersected(&known.entry));
        self.cache.insert(key, entry);
        Some(score)
    }

    /// The score of a position that repeats one of its path.
    ///
    /// A verdict other than a draw depends on the path, so it counts as the largest evaluation and
    /// proves nothing.
    #[inline]
    pub(super) fn repetition_score(&mut self, position: &G, era: usize) -> Option<ScoreType> {
        if !self.path.repeats(position, era) {
            return None;
        }
        count!(repetitions);
        let score = outcome_score(self.path.repetition_outcome(position));
        Some(score.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION))
    }

    /// The tablebase value of a position below the root.
    #[inline]
    pub(super) fn tablebase_value(&mut self, position: &G) -> Option<Outcome> {
        let exact = self.tablebase.as_ref()?.probe(position)?;
        self.tablebase_hits += 1;
        Some(exact.value)
    }

    /// Whether the depth of the first iteration that proves a result bounds the distance to it.
    pub(super) fn depth_bounds_distance(&self) -> bool {
        self.tablebase_hits == 0
    }

    /// The static evaluation of an unfinished position, made finite.
    pub(super) fn static_evaluation(&mut self, position: &G) -> ScoreType {
        count!(leaves);
        let score = self.evaluation.evaluate(position);
        debug_assert!(score.is_finite(), "an evaluation is finite");
        let score = if score.is_nan() { DRAW } else { score };
        score.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION)
    }

    /// The score that a table entry gives without a search of the position.
    #[inline]
    fn table_cutoff(
        &self,
        hit: &CacheHit<G::Move>,
        depth: u8,
        (alpha, beta): Window,
    ) -> Option<ScoreType> {
        // A result proved by a deeper search may lie beyond the depth of the iteration, and one by
        // an earlier search may be spoilt by a position that the game has reached since.
        let is_deeper = self.techniques.on.deeper && hit.depth >= depth;
        let is_usable = |score: ScoreType| hit.is_current || is_deeper && score.is_finite();
        let CacheEntry { lower, upper, .. } = hit.entry;
        if lower >= beta && is_usable(lower) {
            return Some(lower);
        }
        let settles = upper <= alpha || lower == upper;
        (settles && is_usable(upper)).then_some(upper)
    }

    /// The table's key of a position, and the symmetry from the position to the stored one.
    pub(super) fn cache_key(&self, position: &G, depth: u32) -> (CacheKey<G::Key>, usize) {
        // Where no earlier position can come back, symmetric positions have the same tree.
        let shared = match self.techniques.sharing {
            Sharing::Off => false,
            Sharing::Unrepeatable => !position.can_repeat(),
            Sharing::All => true,
        };
        let (key, symmetry) = if shared {
            let (image, symmetry) = position.canonical();
            (image.key(), symmetry)
        } else {
            (position.key(), 0)
        };
        let key = CacheKey {
            position: key,
            depth: depth.min(u32::from(u8::MAX)) as u8,
            shared,
        };
        (key, symmetry)
    }
}
