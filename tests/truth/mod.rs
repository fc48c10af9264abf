//! Reads the exact data under `data/truth`.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bagheera::game::{Exact, Notation as _, Outcome};
use bagheera::games::bagh_chal::{GameBoard, Pos, Position, Turn};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The file `data/truth/NAME.json`.
pub fn load<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/data/truth/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A position as the data give it.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    pub tigers: Vec<Pos>,
    pub sheep: Vec<Pos>,
    pub in_hand: u32,
    pub tiger_mask: u32,
    pub sheep_mask: u32,
    pub turn: Turn,
}

impl Place {
    pub fn position(&self) -> Position {
        Position {
            board: GameBoard::from_masks(self.tiger_mask, self.sheep_mask),
            turn: self.turn,
        }
    }
}

/// A list of positions.
#[derive(Debug, Deserialize)]
pub struct Positions<T> {
    pub positions: Vec<T>,
}

/// A position of known value.
#[derive(Debug, Deserialize)]
pub struct Sample {
    #[serde(flatten)]
    pub place: Place,
    pub value: String,
    pub plies: Option<u32>,
}

impl Sample {
    pub fn exact(&self) -> Exact {
        exact(&self.value, self.plies)
    }
}

/// A position with the value of every move.
#[derive(Debug, Deserialize)]
pub struct ExamCase {
    pub board: String,
    pub turn: Turn,
    pub in_hand: u32,
    pub value: String,
    pub plies: Option<u32>,
    pub moves: Vec<ExamMove>,
}

/// A move, and what the position after it is worth.
#[derive(Debug, Deserialize)]
pub struct ExamMove {
    #[serde(rename = "move")]
    pub text: String,
    pub value: String,
    pub plies: Option<u32>,
}

impl ExamCase {
    pub fn position(&self) -> Position {
        let side = if self.turn == Turn::Tiger { 't' } else { 's' };
        let text = format!("{} {side} {}", self.board, self.in_hand);
        Position::parse_position(&text).unwrap()
    }

    pub fn exact(&self) -> Exact {
        exact(&self.value, self.plies)
    }
}

impl ExamMove {
    pub fn exact(&self) -> Exact {
        exact(&self.value, self.plies)
    }
}

/// A value as the data name it.
pub fn exact(value: &str, plies: Option<u32>) -> Exact {
    let value = match value {
        "tiger" => Outcome::Max,
        "draw" => Outcome::Draw,
        "sheep" => Outcome::Min,
        other => panic!("no value: {other}"),
    };
    Exact { value, plies }
}

/// Earlier boards, oldest first, as positions before `now`.
pub fn history(previous: &[(u32, u32)], now: Turn) -> Vec<Position> {
    let mut turn = now;
    let mut history: Vec<Position> = previous
        .iter()
        .rev()
        .map(|&(tigers, sheep)| {
            turn = turn.next_turn();
            Position {
                board: GameBoard::from_masks(tigers, sheep),
                turn,
            }
        })
        .collect();
    history.reverse();
    history
}
