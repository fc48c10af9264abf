//! Text and pictures: rows from the top, columns a to g.

use bagheera::game::{Game as _, Notation, NotationError, Picture, Side};

use crate::position::{COLUMN, Move, Position};

/// Rows from the top, each from the left.
fn rows(position: &Position, separator: &str) -> String {
    let cell = |row: u32, column: u32| {
        let is_of = |side| position.stones(side) >> (column * COLUMN + row) & 1 != 0;
        if is_of(Side::Max) {
            'Y'
        } else if is_of(Side::Min) {
            'R'
        } else {
            '.'
        }
    };
    let row = |row| (0..7).map(|column| cell(row, column)).collect::<String>();
    (0..6).rev().map(row).collect::<Vec<_>>().join(separator)
}

impl Notation for Position {
    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let fail = |reason: String| NotationError::Position {
            text: text.to_owned(),
            reason,
        };
        let cells: Vec<char> = text.trim().chars().filter(|c| *c != '/').collect();
        if cells.len() != 42 || text.matches('/').count() != 5 {
            return Err(fail(
                "a position is six rows of seven cells (Y, R or .), joined by /".into(),
            ));
        }
        let mut stones = [0, 0];
        for (index, cell) in (0..).zip(cells) {
            let bit = 1 << (index % 7 * COLUMN + 5 - index / 7);
            match cell {
                'Y' => stones[0] |= bit,
                'R' => stones[1] |= bit,
                '.' => {}
                _ => return Err(fail(format!("\"{cell}\" is not Y, R or ."))),
            }
        }
        Self::new(stones[0], stones[1]).map_err(fail)
    }

    fn format_position(&self) -> String {
        rows(self, "/")
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let legal = self
            .moves()
            .into_iter()
            .find(|mv| self.format_move(*mv) == text);
        legal.ok_or_else(|| NotationError::Move {
            text: text.to_owned(),
            reason: "a move is a column from a to g that is not full".to_owned(),
        })
    }

    fn format_move(&self, mv: Move) -> String {
        char::from(b'a' + mv.0).to_string()
    }

    fn draw(&self) -> String {
        rows(self, "\n") + "\nabcdefg"
    }

    fn side_name(side: Side) -> &'static str {
        match side {
            Side::Max => "yellow",
            Side::Min => "red",
        }
    }
}

/// Draws a circle in each cell for which there is a class.
fn circles(class: impl Fn(char) -> Option<&'static str>, position: &Position) -> String {
    let text = rows(position, "");
    let circle = |(index, cell): (usize, char)| {
        let (x, y) = (10 * (index % 7) + 5, 10 * (index / 7) + 5);
        let class = class(cell)?;
        Some(format!(
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="4"/>"#
        ))
    };
    text.chars().enumerate().filter_map(circle).collect()
}

impl Picture for Position {
    const COLOURS: [[&'static str; 2]; 2] = [["#d9a400", "#c8362e"], ["#f0c030", "#e0564e"]];
    const VIEW_BOX: &'static str = "0 0 70 60";

    fn draw_board((): &()) -> String {
        let board = circles(|_| Some("line"), &Self::start(&()));
        board.replace("<circle", r#"<circle fill="none""#)
    }

    fn draw_pieces(&self) -> String {
        let class = |cell| match cell {
            'Y' => Some("max"),
            'R' => Some("min"),
            _ => None,
        };
        circles(class, self)
    }
}
