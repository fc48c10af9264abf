//! Y as text: `./../... b`, `4`, `(0,1,1)`, and a board for people.

use super::geometry::{LARGEST_SIDE, Mask, SMALLEST_SIDE, bit};
use super::moves::Move;
use super::position::Position;
use crate::game::{Game, Notation, NotationError, Side};

/// How a position is written, for error messages.
const EXAMPLE: &str = "a position is written like \"./B./..R b\": rows of B, R and . from the top \
     vertex, side to move (b or r)";

impl Notation for Position {
    fn parse_position(text: &str) -> Result<Self, NotationError> {
        read_position(text).map_err(|reason| NotationError::Position {
            text: text.to_owned(),
            reason,
        })
    }

    fn format_position(&self) -> String {
        let rows: Vec<String> = (0..self.side()).map(|row| self.row(row, "")).collect();
        let side = match self.side_to_move() {
            Side::Max => 'b',
            Side::Min => 'r',
        };
        format!("{} {side}", rows.join("/"))
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        read_move(self, text).map_err(|reason| NotationError::Move {
            text: text.to_owned(),
            reason,
        })
    }

    fn format_move(&self, mv: Move) -> String {
        mv.index().to_string()
    }

    fn draw(&self) -> String {
        let side = self.side();
        let mut lines = Vec::new();
        for row in 0..side {
            let indent = " ".repeat(2 * usize::from(side - 1 - row));
            let first = Move::from_bit(bit(row, 0), side).index();
            lines.push(format!(
                "{first:>2} {indent}{}",
                self.row(row, "   ").replace('.', "·")
            ));
        }
        let mover = Self::side_name(self.side_to_move());
        lines.push(format!(
            "{mover} to move; the number of each row's first cell on its left"
        ));
        lines.join("\n")
    }

    fn side_name(side: Side) -> &'static str {
        match side {
            Side::Max => "blue",
            Side::Min => "red",
        }
    }
}

impl Position {
    /// The cells of a row.
    fn row(&self, row: u8, separator: &str) -> String {
        let cell = |column| match self.owner(bit(row, column)) {
            Some(Side::Max) => "B",
            Some(Side::Min) => "R",
            None => ".",
        };
        let cells: Vec<&str> = (0..=row).map(cell).collect();
        cells.join(separator)
    }
}

fn read_position(text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [rows, to_move] = fields[..] else {
        return Err(format!("has {} fields, not 2; {EXAMPLE}", fields.len()));
    };
    let to_move = match to_move {
        "b" => Side::Max,
        "r" => Side::Min,
        _ => return Err(format!("the side to move is \"{to_move}\", not b or r")),
    };
    let count = rows.split('/').count();
    let side = u8::try_from(count).unwrap_or(u8::MAX);
    if !(SMALLEST_SIDE..=LARGEST_SIDE).contains(&side) {
        return Err(format!(
            "has {count} rows, not {SMALLEST_SIDE} to {LARGEST_SIDE}; {EXAMPLE}"
        ));
    }
    let mut stones: [Mask; 2] = [0, 0];
    for (row, cells) in (0..side).zip(rows.split('/')) {
        let found = cells.chars().count();
        if found != usize::from(row) + 1 {
            let number = row + 1;
            return Err(format!(
                "row {number}, \"{cells}\", has {found} cells, not {number}; {EXAMPLE}"
            ));
        }
        for (column, symbol) in (0..).zip(cells.chars()) {
            match symbol {
                '.' => {}
                'B' => stones[0] |= 1 << bit(row, column),
                'R' => stones[1] |= 1 << bit(row, column),
                _ => return Err(format!("row {} has '{symbol}', not B, R or .", row + 1)),
            }
        }
    }
    Position::checked(stones, side, to_move)
}

fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let side = position.side();
    let mv = read_cell(text, side)?;
    if position.owner(mv.bit()).is_some() {
        return Err(format!("there is a stone on cell {} already", mv.index()));
    }
    if position.outcome().is_some() {
        return Err("the game is over".to_owned());
    }
    Ok(mv)
}

/// Reads a cell's number or its coordinates.
fn read_cell(text: &str, side: u8) -> Result<Move, String> {
    let example = || {
        let last = Move::from_bit(bit(side - 1, side - 1), side).index();
        format!(
            "a move is a cell's number, 0 to {last}, or its coordinates that add up to {}, like ({},0,0)",
            side - 1,
            side - 1
        )
    };
    if text.starts_with('(') {
        let inside = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let numbers: Option<Vec<u8>> =
            inside.and_then(|text| text.split(',').map(number).collect());
        let mv = match numbers.as_deref() {
            Some(&[x, y, z]) => Move::new(x, y, z),
            _ => None,
        };
        return mv.filter(|mv| mv.side() == side).ok_or_else(example);
    }
    let index: Option<u8> = number(text);
    let mv = index.and_then(|index| Move::from_index(index.into(), side));
    mv.ok_or_else(example)
}

/// A number without a sign or zeros in front.
fn number(text: &str) -> Option<u8> {
    let canonical = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|_| canonical)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Rules;
    use super::super::position::tests::positions;
    use super::*;

    fn position(text: &str) -> Position {
        Position::parse_position(text).unwrap()
    }

    #[test]
    fn the_empty_board_is_written_as_its_rows() {
        let start = Position::start(&Rules::new(3).unwrap());
        assert_eq!(start.format_position(), "./../... b");
        assert_eq!(position("./../... b"), start);
    }

    #[test]
    fn cells_have_numbers_and_coordinates() {
        let empty = position("./../... b");
        for (number, coordinates) in [("0", "(2,0,0)"), ("1", "(1,0,1)"), ("5", "(0,2,0)")] {
            let mv = empty.parse_move(number).unwrap();
            assert_eq!(empty.parse_move(coordinates).unwrap(), mv);
            assert_eq!(empty.format_move(mv), number);
        }
    }

    #[test]
    fn a_board_is_drawn_as_a_triangle() {
        let text = position("./B./..R r").draw();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 0     ·");
        assert_eq!(lines[1], " 1   B   ·");
        assert_eq!(lines[2], " 3 ·   ·   R");
        assert!(lines[3].starts_with("red to move"));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, reason) in [
            ("./../...", "has 1 fields, not 2"),
            ("./../... x", "the side to move is \"x\""),
            (". b", "has 1 rows, not 2 to 8"),
            ("./.../... b", "row 2, \"...\", has 3 cells, not 2"),
            ("./b./... b", "row 2 has 'b'"),
            ("B/B./B.. b", "won by b already"),
        ] {
            let fault = Position::parse_position(text).unwrap_err().to_string();
            assert!(fault.contains(reason), "{fault}");
        }
        let board = position("B/../... r");
        for (text, reason) in [
            ("0", "a stone on cell 0 already"),
            ("6", "0 to 5"),
            ("01", "0 to 5"),
            ("(1,1,1)", "add up to 2"),
            ("(0,1)", "add up to 2"),
            ("(0,1,1", "add up to 2"),
        ] {
            let fault = board.parse_move(text).unwrap_err().to_string();
            assert!(fault.contains(reason), "{fault}");
        }
        let over = position("B/B./B.. r");
        let fault = over.parse_move("2").unwrap_err().to_string();
        assert!(fault.contains("the game is over"), "{fault}");
    }

    proptest! {
        #[test]
        fn written_positions_and_moves_read_back(position in positions()) {
            let text = position.format_position();
            prop_assert_eq!(Position::parse_position(&text).unwrap(), position);
            if position.outcome().is_none() {
                for mv in position.moves() {
                    let text = position.format_move(mv);
                    prop_assert_eq!(position.parse_move(&text).unwrap(), mv);
                }
            }
        }

        #[test]
        fn any_text_is_refused_or_read(text in "[BR./ br0-9(),é]{0,50}") {
            if let Ok(position) = Position::parse_position(&text) {
                prop_assert_eq!(position.format_position(), text.clone());
            }
            let empty = Position::start(&Rules::default());
            if let Ok(mv) = empty.parse_move(&text) {
                prop_assert!(empty.moves().contains(&mv));
            }
        }
    }
}
