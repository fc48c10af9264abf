//! Games that a person can step through.

use serde::Serialize;

use crate::game::{Exact, GameRecord, Outcome, Side};
use crate::kit::Kit;

/// A position of a game.
#[derive(Clone, Debug, Serialize)]
pub struct PlyView {
    /// The move that led here; none at the beginning.
    pub mv: Option<String>,
    /// The position as text.
    pub position: String,
    /// `Max`'s expected share of the point by the score that the player to move gave, 0 to 1; none
    /// where it gave none.
    pub expected: Option<f64>,
    /// That score in words.
    pub score: Option<String>,
    /// The exact value, where it is known.
    pub exact: Option<String>,
    /// The pieces, drawn.
    #[serde(skip)]
    pub pieces: String,
}

/// A game with all its positions.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Who played, `Max` first.
    pub players: [String; 2],
    /// Who won and how.
    pub result: String,
    /// The positions, from the first to the last.
    pub plies: Vec<PlyView>,
    /// The board without pieces, drawn.
    #[serde(skip)]
    pub board: String,
}

impl GameView {
    /// A game as it is shown; `exact` tells the exact value of a position, where it is known.
    pub fn of<G: Kit>(game: &GameRecord<G>, exact: impl Fn(&G) -> Option<Exact>) -> Self {
        let mut playthrough = game.playthrough(0);
        let board = G::draw_board(&playthrough.position().rules());
        let mut plies = Vec::new();
        let mut mv = None;
        for ply in 0..=game.moves.len() {
            let position = playthrough.position();
            let next = game.moves.get(ply);
            let score = next.and_then(|next| next.score);
            let outcome = position.outcome();
            let expected = match outcome {
                Some(outcome) => Some(f64::from(outcome.points(Side::Max))),
                None => score.map(|score| 1.0 / (1.0 + f64::from(-score).exp())),
            };
            plies.push(PlyView {
                mv: mv.take(),
                position: position.format_position(),
                expected,
                score: score.map(score_text::<G>),
                exact: match outcome {
                    Some(_) => None,
                    None => exact(position).map(exact_text::<G>),
                },
                pieces: position.draw_pieces(),
            });
            if let Some(next) = next {
                mv = Some(position.format_move(next.mv));
                playthrough.play(next.mv);
            }
        }
        Self {
            players: [Side::Max, Side::Min].map(|side| game.player(side).name.clone()),
            result: result(game),
            plies,
            board,
        }
    }
}

fn result<G: Kit>(game: &GameRecord<G>) -> String {
    let text = game.end_text();
    match game.end.and_then(|end| end.outcome().winner()) {
        Some(winner) => {
            let winner = G::side_name(winner);
            text.replacen(winner, &format!("{winner} won"), 1)
        }
        None => text,
    }
}

fn score_text<G: Kit>(score: f32) -> String {
    if score.is_finite() {
        format!("{:+.2}", score.clamp(-99.0, 99.0))
    } else {
        let winner = if score > 0.0 { Side::Max } else { Side::Min };
        format!("{} wins", G::side_name(winner))
    }
}

fn exact_text<G: Kit>(exact: Exact) -> String {
    match (exact.value, exact.plies) {
        (Outcome::Draw, _) => "draw".to_owned(),
        (value, None) => format!("{} wins", G::outcome_name(value)),
        (value, Some(plies)) => format!("{} wins in {plies}", G::outcome_name(value)),
    }
}
