//! Iterative deepening: pass after pass, a ply deeper each, until a limit or a forced result.

use std::time::Instant;

use super::minimax::MinimaxPlayer;
use super::player::{Forced, SearchReport};
use super::statistics::count;
use super::{ScoreCache as _, ScoreType};
use crate::game::Game;

/// Makes the storage ready for a search from `position`; returns its era.
pub(super) fn prepare<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    history: &[G],
) -> usize {
    let memory = player.memory();
    memory.cache.clear();
    memory.killers.clear(memory.limits.max_depth());
    memory.nodes = 0;
    memory.lift_limits();
    memory.path.restart(position, history)
}

/// Searches a position that is not finished, deeper and deeper.
///
/// Stops at the first depth that proves a result, so a win found is the shortest one. A lost side
/// plays the move of the last pass that had not yet proved the loss: the one that lasts longest.
pub(super) fn deepen<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    history: &[G],
) -> SearchReport<G::Move> {
    let start = Instant::now();
    let era = prepare(player, position, history);
    let side = position.side_to_move();
    let mut report: Option<SearchReport<G::Move>> = None;
    for depth in 1..=player.memory().limits.max_depth() {
        if depth > 1 {
            player.memory().apply_limits(start);
        }
        let hint = report.as_ref().map(|report| report.mv);
        player.memory().nodes += 1;
        count!(nodes);
        let all = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);
        let Some((score, Some(mv))) =
            player.minimax_uncached(position, era, depth, all.0, all.1, hint)
        else {
            break;
        };
        let forced = Forced::from_score(score, depth);
        let lost = forced.is_some_and(|forced| forced.winner != side);
        report = Some(SearchReport {
            mv: hint.filter(|_| lost).unwrap_or(mv),
            score: Some(score),
            depth,
            nodes: 0,
            forced,
        });
        if forced.is_some() || player.memory().mostly_spent(start) {
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
