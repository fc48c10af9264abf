//! Positions and games as the Python package `baghchal` writes them: `B3B/5/5/5/B3B G 0` and
//! `1. G33 B1122 2. G13 Bx1131`.
//!
//! A position is its rows from 1 to 5, `B` (bagh) for tigers and `G` (goat) for sheep, digits for runs
//! of empty points, the side to move, and how many moves the goats have made, placements and steps
//! together. Row 1 is the top one, our row 5, and column 1 is our column a: point 13 is row 1, column
//! 3, our c5; 51 is our a1. So the rows stand in the same order as ours, and no board is turned.
//!
//! The number tells the goats in hand (20 less the number, or none) and so the captured ones (those
//! that are neither in hand nor on the board). Our positions do not know how long sheep have been
//! stepping, so from 20 on they are written with 20.
//!
//! The package plays from the start alone, and its games are moves and nothing else. A game of ours that
//! begins elsewhere is written with moves that lead there, and a comment that the package overlooks,
//! `{begins after ply 7}`, tells which they are. Players, scores, seeds and limits are not written.
//!
//! The package's rules differ from ours in one point that games meet: where all goats are placed, it
//! draws a game in which the rows came up three times, whoever was to move; here the side to move has
//! to be the same. A result after `#` is one by the package's rules; one without, which the package
//! overlooks, ends a game that was not played out.

mod beginning;
mod games;
mod moves;
mod positions;
mod rules;

use self::games::{format_game, parse_games};
use self::moves::format_move;
use self::positions::{format_position, read_position};
use super::movement::Move;
use super::position::Position;
use crate::game::{ForeignError, ForeignNotation, GameRecord, NotationError, RecordError};

/// The notation of the Python package `baghchal`.
#[derive(Clone, Copy, Debug)]
pub struct BaghchalText;

/// What people call the notation.
const NAME: &str = "baghchal";

impl ForeignNotation<Position> for BaghchalText {
    fn name(&self) -> &'static str {
        NAME
    }

    fn owns_position(&self, text: &str) -> bool {
        let rows = text.split(' ').next().unwrap_or_default();
        rows.contains('/') && rows.contains(['B', 'G'])
    }

    fn owns_games(&self, text: &str) -> bool {
        let text = text.trim_start();
        ["1.", "{", "*"].iter().any(|first| text.starts_with(first))
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        read_position(text).map_err(|reason| NotationError::Position {
            text: text.to_owned(),
            reason,
        })
    }

    fn format_position(&self, position: &Position) -> String {
        format_position(position)
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        format_move(mv)
    }

    fn parse_games(&self, text: &str) -> Result<Vec<GameRecord<Position>>, RecordError> {
        parse_games(text)
    }

    fn format_game(&self, game: &GameRecord<Position>) -> Result<String, ForeignError> {
        format_game(game)
    }
}
