//! The score of every move of a position.

use std::time::Instant;

use super::ScoreType;
use super::deepening::prepare;
use super::minimax::MinimaxPlayer;
use super::player::Forced;
use crate::game::{Game, Side};

/// What a search says of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveScore<M> {
    /// The move.
    pub mv: M,
    /// The score for `Max` if it is played, in logits; ±infinity if forced.
    pub score: ScoreType,
    /// The result that the move leads to by force, counted from the position before the move.
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
    let mut scores: Vec<MoveScore<G::Move>> = position
        .moves()
        .as_ref()
        .iter()
        .map(|&mv| MoveScore {
            mv,
            score: 0.0,
            forced: None,
        })
        .collect();
    let mut finished = 0;
    player.memory().nodes += 1;
    for depth in 1..=player.memory().limits.max_depth() {
        if depth > 1 {
            player.memory().apply_limits(start);
        }
        let Some(pass) = search_moves(player, position, era, depth, &scores) else {
            break;
        };
        scores = pass;
        finished = depth;
        let open = scores.iter().any(|score| score.forced.is_none());
        if !open || player.memory().mostly_spent(start) {
            break;
        }
    }
    let side = position.side_to_move();
    scores.sort_by(|a, b| preference(b, side).total_cmp(&preference(a, side)));
    Analysis {
        moves: scores,
        depth: finished,
        nodes: player.memory().nodes,
    }
}

/// One pass over all moves that are not yet decided; none if a limit stopped it.
fn search_moves<G: Game, P: MinimaxPlayer<Game = G> + ?Sized>(
    player: &mut P,
    position: &G,
    era: usize,
    depth: u32,
    scores: &[MoveScore<G::Move>],
) -> Option<Vec<MoveScore<G::Move>>> {
    let mut pass = Vec::with_capacity(scores.len());
    for known in scores {
        if known.forced.is_some() {
            pass.push(*known);
            continue;
        }
        let mv = known.mv;
        let child = position.play(mv);
        let path = &mut player.memory().path;
        path.push(position);
        let child_era = path.child_era(era, position, mv, &child);
        player.made(position, mv, &child);
        let all = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);
        let score = player.minimax(&child, child_era, depth - 1, all.0, all.1);
        player.unmade();
        player.memory().path.pop();
        let score = score?;
        pass.push(MoveScore {
            mv,
            score,
            forced: Forced::from_score(score, depth),
        });
    }
    Some(pass)
}

/// How much a side likes a move: sooner wins first, later losses last but one.
fn preference<M>(score: &MoveScore<M>, side: Side) -> f64 {
    match score.forced {
        None => f64::from(score.score * side.sign()),
        Some(Forced { winner, plies }) => {
            let beyond_any_score = f64::MAX / f64::from(plies + 1);
            if winner == side {
                beyond_any_score
            } else {
                -beyond_any_score
            }
        }
    }
}
