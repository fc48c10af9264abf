//! The shared search: fail-soft alpha-beta with a cache of scores.
//!
//! Plain minimax, not negamax: `Max` raises alpha, `Min` lowers beta, and all scores are `Max`'s.

use super::cache::{CacheEntry, CacheKey, ScoreCache};
use super::memory::SearchMemory;
use super::ordering::order;
use super::quiescence::quiesce;
use super::selective::{Judgement, LaterMoves, Plan, judge};
use super::statistics::count;
use super::techniques::Sharing;
use super::window::{Window, is_better, search_later};
use super::{DRAW, ScoreType, outcome_score};
use crate::game::{Game, Side};

/// The least and most that a position short of the end can score.
pub(super) const LARGEST_EVALUATION: ScoreType = ScoreType::MAX;

/// A player that searches: it supplies an evaluation and storage, the rest is provided.
pub trait MinimaxPlayer {
    /// The game that it plays.
    type Game: Game;
    /// How scores are remembered.
    type Cache: ScoreCache<Self::Game>;

    /// The position's value for `Max`, in logits; finite, and a matter of the position alone. The
    /// position is not finished.
    fn evaluate(&mut self, position: &Self::Game) -> ScoreType;

    /// Whether all images of a position evaluate to exactly the same.
    fn is_symmetric(&self) -> bool;

    /// The storage that the search works in.
    fn memory(&mut self) -> &mut SearchMemory<Self::Game, Self::Cache>;

    /// Puts moves of a position in the order in which they are worth trying; noisy ones stay
    /// first. May leave some out, never all, nor a move that wins at once.
    #[inline]
    fn order_moves(&self, _position: &Self::Game, _moves: &mut <Self::Game as Game>::Moves) {}

    /// Hears that the search goes from `before` to `after` by `mv`; not of passes, which leave the
    /// board alone.
    fn on_make(
        &mut self,
        _before: &Self::Game,
        _mv: <Self::Game as Game>::Move,
        _after: &Self::Game,
    ) {
    }

    /// Hears that the search takes back the last move made.
    fn on_unmake(&mut self) {}

    /// The score of a position below the root, searched `depth` plies deep with the window
    /// `alpha..beta`, and none if a limit stopped the search.
    ///
    /// `era` is the position's era in the path. A score at or below `alpha` is an upper bound,
    /// one at or above `beta` a lower bound.
    fn minimax(
        &mut self,
        position: &Self::Game,
        era: usize,
        depth: u32,
        alpha: ScoreType,
        beta: ScoreType,
    ) -> Option<ScoreType> {
        let memory = self.memory();
        memory.nodes += 1;
        count!(nodes);
        if memory.path.repeats(position, era) {
            count!(repetitions);
            return Some(outcome_score(position.repetition_outcome(&[])));
        }
        if let Some(outcome) = position.outcome() {
            count!(terminals);
            return Some(outcome_score(outcome));
        }
        if let Some(value) = memory.known_value(position) {
            return Some(outcome_score(value));
        }
        if depth == 0 {
            if memory.techniques.on.quiescence {
                return quiesce(self, position, era, alpha, beta);
            }
            return Some(static_score(self, position));
        }
        if memory.must_stop() {
            return None;
        }

        let (key, symmetry) = cache_key(memory, position, depth);
        count!(cache_probes);
        let known = memory.cache.lookup(&key);
        let (mut lower, mut upper) = (alpha, beta);
        let mut hint = None;
        if let Some(entry) = known {
            count!(cache_hits);
            if entry.lower >= beta {
                count!(cache_returns);
                return Some(entry.lower);
            }
            if entry.upper <= alpha || entry.lower == entry.upper {
                count!(cache_returns);
                return Some(entry.upper);
            }
            lower = alpha.max(entry.lower);
            upper = beta.min(entry.upper);
            hint = entry.best;
        } else if let Some((searched, entry)) = memory.cache.lookup_any(&key) {
            // A result proved by a deeper search may lie beyond the depth of the pass, and one by an
            // earlier search may be spoilt by a position of the game that has come since.
            let deeper = memory.techniques.on.deeper && searched >= key.depth;
            if deeper && entry.lower >= beta && entry.lower.is_finite() {
                count!(cache_returns);
                return Some(entry.lower);
            }
            let settles = entry.upper <= alpha || entry.lower == entry.upper;
            if deeper && settles && entry.upper.is_finite() {
                count!(cache_returns);
                return Some(entry.upper);
            }
            hint = entry.best;
        }
        let mut standing = None;
        if memory.techniques.on.judges_positions() {
            // Not the window that the entry left: a judgement inside the caller's is no bound.
            match judge(self, position, depth, (alpha, beta)) {
                Judgement::Open(score) => standing = score,
                Judgement::Refutes(score) => return Some(score),
                Judgement::Stopped => return None,
            }
        }
        let hint =
            hint.map(|mv| Self::Game::transform_move(mv, Self::Game::inverse_symmetry(symmetry)));

        let mut moves = <Self::Game as Game>::Moves::default();
        position.moves_into(&mut moves);
        position.prune_dominated_moves(&mut moves);
        self.order_moves(position, &mut moves);
        count!(generations);
        let moves = moves.as_mut();
        let prior = Prior { hint, standing };
        let (score, best) =
            self.minimax_uncached(position, era, depth, (lower, upper), moves, prior)?;

        let best = best.map(|mv| Self::Game::transform_move(mv, symmetry));
        let entry = CacheEntry::proved(score, lower, upper, best);
        let entry = known.map_or(entry, |older| entry.intersected(&older));
        self.memory().cache.insert(key, entry);
        Some(score)
    }

    /// The score of a position that is not finished and the move that gave it, searched at least
    /// one ply deep without looking the position itself up.
    ///
    /// Only `moves`, in the order of generation, are looked at.
    fn minimax_uncached(
        &mut self,
        position: &Self::Game,
        era: usize,
        depth: u32,
        window: Window,
        moves: &mut [<Self::Game as Game>::Move],
        prior: Prior<<Self::Game as Game>::Move>,
    ) -> Option<(ScoreType, Option<<Self::Game as Game>::Move>)> {
        let memory = self.memory();
        let on = memory.techniques.on;
        let ply = memory.path.ply();
        // Siblings have the same depth left only where nothing is searched less deep.
        let place = if on.is_selective() { ply } else { depth };
        let killers = if on.killers {
            memory.killers.at(place)
        } else {
            [None; 2]
        };
        let node = Node {
            position,
            era,
            depth,
            ply,
            place,
            ordered: order(position, moves, prior.hint, killers),
            standing: prior.standing,
        };
        self.memory().path.push(position);
        let result = if on.are_plain() {
            try_moves::<_, true>(self, &node, window, moves)
        } else {
            try_moves::<_, false>(self, &node, window, moves)
        };
        self.memory().path.pop();
        result
    }
}

/// What is known of a position before its moves are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prior<M> {
    /// The move to try first.
    pub hint: Option<M>,
    /// The position's own evaluation, if that was asked for.
    pub standing: Option<ScoreType>,
}

/// A position whose moves are being tried.
struct Node<'a, G> {
    position: &'a G,
    era: usize,
    depth: u32,
    ply: u32,
    /// Where its killers are kept.
    place: u32,
    /// How many moves come before those left as generated.
    ordered: usize,
    /// Its evaluation, if that was asked for.
    standing: Option<ScoreType>,
}

/// Searches moves one after the other until one refutes the position.
///
/// `PLAIN` promises that all are searched alike and in the order given, which saves asking at every
/// move.
fn try_moves<P: MinimaxPlayer + ?Sized, const PLAIN: bool>(
    player: &mut P,
    node: &Node<'_, P::Game>,
    (mut alpha, mut beta): Window,
    moves: &mut [<P::Game as Game>::Move],
) -> Option<(ScoreType, Option<<P::Game as Game>::Move>)> {
    let Node {
        position,
        era,
        depth,
        ..
    } = *node;
    let on = player.memory().techniques.on;
    let side = position.side_to_move();
    let mut later = if PLAIN {
        None
    } else {
        LaterMoves::new(on, node.ply, depth, node.ordered, node.standing)
    };
    let mut best: Option<(ScoreType, <P::Game as Game>::Move)> = None;
    for index in 0..moves.len() {
        let mut plan = None;
        if let Some(later) = &mut later
            && let Some((least, first)) = best
        {
            let mv = moves[index];
            match later.plan(player, position, (index, mv), least, (alpha, beta)) {
                Plan::Search(reduction) => plan = Some(reduction),
                Plan::SkipRest(most) => {
                    best = Some((most, first));
                    break;
                }
            }
        }
        // Finding the best move for a leaf costs more than the leaf.
        if !PLAIN && on.history && index >= node.ordered && depth > 1 {
            let history = &player.memory().history;
            history.bring_best(side, &mut moves[index..]);
        }
        let mv = moves[index];
        let child = position.play(mv);
        let child_era = player.memory().path.child_era(era, position, mv, &child);
        player.on_make(position, mv, &child);
        let score = match plan {
            None => player.minimax(&child, child_era, depth - 1, alpha, beta),
            Some(reduction) => {
                let window = (alpha, beta);
                search_later(
                    player,
                    side,
                    &child,
                    child_era,
                    depth - 1,
                    reduction,
                    window,
                )
            }
        };
        player.on_unmake();
        let score = score?;

        let better = match (side, best) {
            (_, None) => true,
            (Side::Max, Some((least, _))) => score > least,
            (Side::Min, Some((most, _))) => score < most,
        };
        if better {
            best = Some((score, mv));
            // A score outside the window is a bound that others may be worse than.
            if node.ply == 0 && is_better(side, score, (alpha, beta)) {
                player.memory().best_at_root = best;
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
                let memory = player.memory();
                memory.killers.add(node.place, mv);
                if !PLAIN && on.history {
                    let tried = moves[..=index].iter().copied();
                    let quiet = tried.filter(|mv| !position.is_noisy(*mv));
                    memory.history.note(side, depth, quiet);
                }
            }
            break;
        }
    }
    best.map(|(score, mv)| (score, Some(mv)))
}

/// The evaluation of a position that is not finished, whatever the player makes of it a finite
/// number.
pub(super) fn static_score<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
) -> ScoreType {
    count!(leaves);
    let score = player.evaluate(position);
    debug_assert!(score.is_finite(), "an evaluation is finite");
    let score = if score.is_nan() { DRAW } else { score };
    score.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION)
}

/// The key that a position is remembered by, and the symmetry from the position to what is.
fn cache_key<G: Game, C>(
    memory: &SearchMemory<G, C>,
    position: &G,
    depth: u32,
) -> (CacheKey<G::Key>, usize) {
    // Where no earlier position can come back, everything below is the same in a mirror.
    let shared = match memory.techniques.sharing {
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
