//! When the package calls a game over.

use std::collections::HashMap;

use crate::game::{Game as _, Outcome};
use crate::games::bagh_chal::board::GameBoard;
use crate::games::bagh_chal::position::Position;

/// Times that rows come up before the package calls a draw.
const DRAW: u32 = 3;

/// The positions of a game that the package's rule of repetition looks back at.
#[derive(Clone, Debug, Default)]
pub(super) struct PackageRules {
    seen: HashMap<GameBoard, u32>,
}

impl PackageRules {
    /// How the package says that the game has ended at the next of its positions, if it has.
    pub fn reach(&mut self, position: &Position) -> Option<Outcome> {
        let mut drawn = false;
        if position.board.sheep_left() == 0 {
            // The side to move is no part of the key, nor of the package's.
            let times = self.seen.entry(position.board).or_default();
            *times += 1;
            drawn = *times >= DRAW;
        }
        position.outcome().or(drawn.then_some(Outcome::Draw))
    }
}
