//! Iterative deepening: pass after pass, a ply deeper each, until a limit or a forced result.

use std::time::Instant;

use super::exact_root::{Children, KnownRoot};
use super::minimax::MinimaxPlayer;
use super::player::{Forced, SearchReport};
use super::window::search_root;
use super::{ScoreCache as _, outcome_score};
use crate::game::Game;

/// Makes the storage ready for a search from `position`; returns its era.
pub(super) fn prepare<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    history: &[G],
) -> usize {
    let memory = player.memory();
    if memory.techniques.on.keep {
        memory.cache.age();
    } else {
        memory.cache.clear();
    }
    memory.killers.clear(memory.limits.max_depth());
    if memory.techniques.on.history {
        memory.history.clear();
    }
    memory.nodes = 0;
    memory.known = 0;
    memory.passed_at = None;
    memory.lift_limits();
    memory.path.restart(position, history)
}

/// Picks a move in a position that is not finished: by exact values if they decide, else by a
/// search.
///
/// A known win is finished by the nearest way and a known loss put off by the farthest; where
/// distances do not tell moves of one value apart, they are searched as if nothing were known: a
/// loser sets what traps it can, and a winner takes a short way that the search sees. Finding
/// distances that the source does not hold is no part of the limits.
pub(super) fn pick<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    history: &[G],
) -> SearchReport<G::Move> {
    let start = Instant::now();
    let era = prepare(player, position, history);
    let side = position.side_to_move();
    let root = Children::new(player.memory(), position, era)
        .and_then(|mut children| KnownRoot::new(&mut children, side));
    let Some(root) = root else {
        let mut moves = position.moves();
        position.prune_dominated_moves(&mut moves);
        player.order_moves(position, &mut moves);
        return deepen(player, position, era, moves.as_ref(), start);
    };
    if root.is_settled() {
        return SearchReport {
            mv: root.moves[0],
            score: Some(outcome_score(root.exact.value)),
            depth: 1,
            nodes: player.memory().nodes + 1,
            forced: Forced::from_exact(root.exact, 0),
        };
    }
    let source = player.memory().exact.take();
    let report = deepen(player, position, era, &root.moves, start);
    player.memory().exact = source;
    SearchReport {
        score: Some(outcome_score(root.exact.value)),
        forced: report.forced.or(Forced::from_exact(root.exact, 0)),
        ..report
    }
}

/// Searches some moves of a position, which is not finished, deeper and deeper.
///
/// Stops at the first depth that proves a result, so a win found is the shortest one that no selective
/// technique left out. A lost side plays the move of the last pass that had not yet proved the loss: the one that lasts longest.
fn deepen<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    era: usize,
    moves: &[G::Move],
    start: Instant,
) -> SearchReport<G::Move> {
    let side = position.side_to_move();
    let mut report: Option<SearchReport<G::Move>> = None;
    for depth in 1..=player.memory().limits.max_depth() {
        if depth > 1 {
            player.memory().apply_limits(start);
        }
        let hint = report.as_ref().map(|report| report.mv);
        let aspires = player.memory().techniques.on.aspiration;
        let guess = report.as_ref().and_then(|report| report.score);
        let guess = guess.filter(|_| aspires);
        let Some((score, Some(mv))) =
            search_root(player, position, era, depth, moves, (hint, guess))
        else {
            let memory = player.memory();
            let found = memory.best_at_root.filter(|_| memory.techniques.on.partial);
            if let Some((score, mv)) = found
                && let Some(report) = &mut report
            {
                report.mv = mv;
                report.score = Some(score);
            }
            break;
        };
        let forced = Forced::from_score(score, depth, player.memory().tells_distance());
        let lost = forced.is_some_and(|forced| forced.winner != side);
        report = Some(SearchReport {
            mv: hint.filter(|_| lost).unwrap_or(mv),
            score: Some(score),
            depth,
            nodes: 0,
            forced,
        });
        let memory = player.memory();
        let wasted = !memory.techniques.on.partial && memory.mostly_spent(start);
        if forced.is_some() || wasted {
            break;
        }
    }
    let nodes = player.memory().nodes;
    let report = report.map(|report| SearchReport { nodes, ..report });
    let first_ply = "the first ply runs without limits on a position that has moves";
    #[expect(
        clippy::expect_used,
        reason = "callers search positions that are not finished"
    )]
    report.expect(first_ply)
}
