//! Moves in the package's notation: `G33`, `G3343`, `B1122`, `Bx1131`.

use crate::game::Game as _;
use crate::games::bagh_chal::geometry::{Pos, SIDE};
use crate::games::bagh_chal::movement::Move;
use crate::games::bagh_chal::position::{Position, Turn};

/// How moves are written, for error messages.
const EXAMPLE: &str = "moves are written G33, G3343, B1122 or, for a capture, Bx1131";

/// A point: its row from the top, then its column from the left, both from 1.
fn format_pos((x, y): Pos) -> String {
    format!("{}{}", y + 1, x + 1)
}

/// A move in the package's notation.
pub(super) fn format_move(mv: Move) -> String {
    match mv {
        Move::PlaceSheep { pos } => format!("G{}", format_pos(pos)),
        Move::MoveSheep { from, to } => format!("G{}{}", format_pos(from), format_pos(to)),
        Move::MoveTiger { from, to } => {
            let sign = if mv.is_jump() { "x" } else { "" };
            format!("B{sign}{}{}", format_pos(from), format_pos(to))
        }
    }
}

/// Reads a move that is legal at a position.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let (side, name) = match position.turn {
        Turn::Tiger => ('B', "baghs"),
        Turn::Sheep => ('G', "goats"),
    };
    let Some(points) = text.strip_prefix(['B', 'G']) else {
        return Err(EXAMPLE.to_owned());
    };
    if !text.starts_with(side) {
        return Err(format!(
            "the {name} are to move, and their moves begin with {side}"
        ));
    }
    let capture = points.strip_prefix('x');
    let points = read_points(capture.unwrap_or(points))?;
    let mv = match (position.turn, &points[..]) {
        (Turn::Sheep, &[pos]) => Move::PlaceSheep { pos },
        (Turn::Sheep, &[from, to]) => Move::MoveSheep { from, to },
        (Turn::Tiger, &[from, to]) => Move::MoveTiger { from, to },
        _ => return Err(EXAMPLE.to_owned()),
    };
    position
        .board
        .check_move(mv)
        .map_err(|reason| reason.to_string())?;
    if mv.is_jump() != capture.is_some() {
        return Err(format!("this move is written {}", format_move(mv)));
    }
    if position.outcome().is_some() {
        return Err("the game is over".to_owned());
    }
    Ok(mv)
}

/// The points that pairs of digits name.
fn read_points(text: &str) -> Result<Vec<Pos>, String> {
    let coordinate = |digit: u8| match digit {
        b'1'..=b'5' => Ok(digit - b'1'),
        _ => Err(format!(
            "the rows and columns of \"{text}\" are not all 1 to {SIDE}; {EXAMPLE}"
        )),
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(format!("\"{text}\" names no points; {EXAMPLE}"));
    }
    pairs
        .iter()
        .map(|&[row, column]| Ok((coordinate(column)?, coordinate(row)?)))
        .collect()
}
