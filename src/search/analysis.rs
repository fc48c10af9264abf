//! The score of every move of a position.

use std::time::Instant;

use super::deepening::prepare;
use super::exact_root::Children;
use super::minimax::MinimaxPlayer;
use super::player::Forced;
use super::{ScoreType, outcome_score};
use crate::game::{Game, Side};

/// What a search says of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveScore<M> {
    /// The move.
    pub mv: M,
    /// The score for `Max` if it is played, in logits; ±infinity if forced.
    pub score: ScoreType,
    /// The result that the move leads to by force, with plies counted from the position before the
    /// move.
    pub forced: Option<Forced>,
}

/// What a search says of every move of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// All legal moves, the best first.
    pub moves: Vec<MoveScore<M>>,
    /// Plies of the last finished pass.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl<M> Analysis<M> {
    /// The best move: the quickest win, the longest resistance, or the best score.
    #[must_use]
    pub fn best(&self) -> &MoveScore<M> {
        &self.moves[0]
    }
}

/// Searches every move of a position that is not finished with an open window.
pub(super) fn analyse<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    history: &[G],
) -> Analysis<G::Move> {
    let start = Instant::now();
    let era = prepare(player, position, history);
    let mut rows = first_rows(player, position, era);
    let mut finished = 0;
    player.memory().nodes += 1;
    for depth in 1..=player.memory().limits.max_depth() {
        if depth > 1 {
            player.memory().apply_limits(start);
        }
        let Some(pass) = search_moves(player, position, era, depth, &rows) else {
            break;
        };
        rows = pass;
        finished = depth;
        let open = rows.iter().any(|row| !row.settled);
        if !open || player.memory().mostly_spent(start) {
            break;
        }
    }
    let side = position.side_to_move();
    let mut scores: Vec<_> = rows.into_iter().map(|row| row.score).collect();
    scores.sort_by(|a, b| preference(b, side).total_cmp(&preference(a, side)));
    Analysis {
        moves: scores,
        depth: finished,
        nodes: player.memory().nodes,
    }
}

/// A move's score on the way.
#[derive(Clone, Copy)]
struct Row<M> {
    score: MoveScore<M>,
    /// Whether deeper passes cannot change it.
    settled: bool,
}

/// All moves, those that exact values tell the result of settled already.
fn first_rows<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    era: usize,
) -> Vec<Row<G::Move>> {
    let open = |&mv| Row {
        score: MoveScore {
            mv,
            score: 0.0,
            forced: None,
        },
        settled: false,
    };
    let Some(mut children) = Children::new(player.memory(), position, era) else {
        return position.moves().as_ref().iter().map(open).collect();
    };
    children.resolve(None);
    let rows = children.list.iter().map(|child| match child.exact {
        None => open(&child.mv),
        Some(exact) => Row {
            score: MoveScore {
                mv: child.mv,
                score: outcome_score(exact.value),
                forced: Forced::from_exact(exact, 1),
            },
            settled: true,
        },
    });
    rows.collect()
}

/// One pass over all moves that are not yet decided; none if a limit stopped it.
fn search_moves<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    era: usize,
    depth: u32,
    rows: &[Row<G::Move>],
) -> Option<Vec<Row<G::Move>>> {
    let mut pass = Vec::with_capacity(rows.len());
    for known in rows {
        if known.settled {
            pass.push(*known);
            continue;
        }
        let mv = known.score.mv;
        let child = position.play(mv);
        let path = &mut player.memory().path;
        path.push(position);
        let child_era = path.child_era(era, position, mv, &child);
        player.on_make(position, mv, &child);
        let all = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);
        let score = player.minimax(&child, child_era, depth - 1, all.0, all.1);
        player.on_unmake();
        player.memory().path.pop();
        let score = score?;
        let forced = Forced::from_score(score, depth, player.memory().tells_distance());
        pass.push(Row {
            score: MoveScore { mv, score, forced },
            settled: forced.is_some(),
        });
    }
    Some(pass)
}

/// How much a side likes a move: sooner wins first, sooner losses last; those of unknown distance
/// count as the latest.
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
