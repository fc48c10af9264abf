//! Bagh-Chal as text: `T3T/5/5/5/T3T s 20`, `c3`, `c3-c4`, `a5xc5`, and a board for people.

use super::baghchal_text::BaghchalText;
use super::board::GameBoard;
use super::geometry::{PieceType, Pos, SIDE, bit, on_line};
use super::movement::Move;
use super::position::{Position, Turn};
use crate::game::{ForeignNotation, Game, Notation, NotationError, Side};

/// How a position is written, for error messages.
const EXAMPLE: &str = "a position is written like \"T3T/5/5/5/T3T s 20\": \
     rows 5 to 1, side to move (t or s), sheep in hand";

impl Notation for Position {
    fn parse_position(text: &str) -> Result<Self, NotationError> {
        read_position(text).map_err(|reason| NotationError::Position {
            text: text.to_owned(),
            reason,
        })
    }

    fn format_position(&self) -> String {
        let rows: Vec<String> = (0..SIDE).map(|y| format_row(&self.board, y)).collect();
        let side = match self.turn {
            Turn::Tiger => 't',
            Turn::Sheep => 's',
        };
        format!("{} {side} {}", rows.join("/"), self.board.sheep_left())
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        read_move(self, text).map_err(|reason| NotationError::Move {
            text: text.to_owned(),
            reason,
        })
    }

    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::PlaceSheep { pos } => format_pos(pos),
            Move::MoveSheep { from, to } | Move::MoveTiger { from, to } => {
                let sign = if mv.is_jump() { 'x' } else { '-' };
                format!("{}{sign}{}", format_pos(from), format_pos(to))
            }
        }
    }

    fn draw(&self) -> String {
        let mut lines = Vec::new();
        for y in 0..SIDE {
            let points: Vec<&str> = (0..SIDE).map(|x| symbol(self.board.get((x, y)))).collect();
            lines.push(format!("{} {}", SIDE - y, points.join("───")));
            if y + 1 < SIDE {
                // Diagonals leave the even points, so their slant alternates from row to row.
                let slants = ["╲", "╱"];
                let turned = usize::from(y % 2 == 1);
                let between: Vec<&str> = (0..4).map(|x| slants[(x + turned) % 2]).collect();
                lines.push(format!("  │ {} │", between.join(" │ ")));
            }
        }
        lines.push("  a   b   c   d   e".to_owned());
        let (hand, dead) = (self.board.sheep_left(), self.board.dead_sheep());
        let mover = Self::side_name(self.side_to_move());
        lines.push(format!(
            "{mover} to move, {hand} sheep in hand, {dead} dead"
        ));
        lines.join("\n")
    }

    fn side_name(side: Side) -> &'static str {
        match side {
            Side::Max => "tiger",
            Side::Min => "sheep",
        }
    }

    fn foreign_notations() -> &'static [&'static dyn ForeignNotation<Self>] {
        &[&BaghchalText]
    }
}

fn symbol(piece: PieceType) -> &'static str {
    match piece {
        PieceType::Tiger => "T",
        PieceType::Sheep => "S",
        PieceType::Empty => "·",
    }
}

fn format_pos((x, y): Pos) -> String {
    format!("{}{}", char::from(b'a' + x), SIDE - y)
}

fn format_row(board: &GameBoard, y: u8) -> String {
    let mut row = String::new();
    let mut empty = 0;
    for x in 0..SIDE {
        let piece = board.get((x, y));
        if piece == PieceType::Empty {
            empty += 1;
            continue;
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
            empty = 0;
        }
        row.push_str(symbol(piece));
    }
    if empty > 0 {
        row.push_str(&empty.to_string());
    }
    row
}

fn read_position(text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [rows, side, hand] = fields[..] else {
        return Err(format!("has {} fields, not 3; {EXAMPLE}", fields.len()));
    };
    let (tigers, sheep) = ROWS.read(rows)?;
    let turn = match side {
        "t" => Turn::Tiger,
        "s" => Turn::Sheep,
        _ => return Err(format!("the side to move is \"{side}\", not t or s")),
    };
    let canonical_number = hand == "0" || !hand.starts_with(['0', '+']);
    let in_hand: u32 = match hand.parse() {
        Ok(number) if canonical_number && number <= 20 => number,
        _ => return Err(format!("the sheep in hand are \"{hand}\", not 0 to 20")),
    };
    let board = GameBoard::from_masks(tigers, sheep | (in_hand * super::ONE_SHEEP));
    Position::checked(board, turn)
}

/// How a notation writes the rows of a board, the top one first.
pub(super) struct Rows {
    /// The letter of a tiger.
    pub tiger: char,
    /// The letter of a sheep.
    pub sheep: char,
    /// What stands for one empty point, if not a digit alone.
    pub empty: Option<char>,
    /// The number of a row, for error messages.
    pub number: fn(u8) -> u8,
    /// How a position is written, for error messages.
    pub example: &'static str,
}

const ROWS: Rows = Rows {
    tiger: 'T',
    sheep: 'S',
    empty: Some('.'),
    number: |y| SIDE - y,
    example: EXAMPLE,
};

impl Rows {
    /// Reads the masks of tigers and sheep.
    pub fn read(&self, text: &str) -> Result<(u32, u32), String> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != usize::from(SIDE) {
            return Err(format!("has {} rows, not 5; {}", rows.len(), self.example));
        }
        let (mut tigers, mut sheep) = (0, 0);
        for (y, row) in (0..SIDE).zip(rows) {
            let name = (self.number)(y);
            let mut x = 0;
            for symbol in row.chars() {
                let width = match symbol {
                    '1'..='5' => symbol as u8 - b'0',
                    _ if [self.tiger, self.sheep].contains(&symbol) => 1,
                    _ if self.empty == Some(symbol) => 1,
                    _ => return Err(format!("row {name} has '{symbol}', not {}", self.symbols())),
                };
                if x + width > SIDE {
                    return Err(format!("row {name}, \"{row}\", has more than 5 points"));
                }
                if symbol == self.tiger {
                    tigers |= bit((x, y));
                } else if symbol == self.sheep {
                    sheep |= bit((x, y));
                }
                x += width;
            }
            if x < SIDE {
                return Err(format!("row {name}, \"{row}\", has {x} points, not 5"));
            }
        }
        Ok((tigers, sheep))
    }

    /// What a row consists of, in words.
    fn symbols(&self) -> String {
        let empty = self
            .empty
            .map_or(String::new(), |empty| format!(", {empty}"));
        format!("{}, {}{empty} or 1 to 5", self.tiger, self.sheep)
    }
}

fn read_pos(text: &str) -> Result<Pos, String> {
    match text.as_bytes() {
        [column @ b'a'..=b'e', row @ b'1'..=b'5'] => Ok((column - b'a', b'5' - row)),
        _ => Err(format!("\"{text}\" is no point; points are a1 to e5")),
    }
}

fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let board = &position.board;
    let mv = if let Some((from, to)) = text.split_once(['-', 'x']) {
        let (from, to) = (read_pos(from)?, read_pos(to)?);
        match position.turn {
            Turn::Tiger => Move::MoveTiger { from, to },
            Turn::Sheep => Move::MoveSheep { from, to },
        }
    } else {
        let pos = read_pos(text).map_err(|reason| {
            format!("{reason}; moves are written c3, c3-c4 or, for a capture, a5xc5")
        })?;
        if position.turn == Turn::Tiger {
            return Err("tigers are to move, and they move like a5-a4 or a5xc5".to_owned());
        }
        Move::PlaceSheep { pos }
    };
    board.check_move(mv).map_err(|reason| reason.to_string())?;
    if mv.is_jump() != text.contains('x') {
        return Err(format!("this move is written {}", position.format_move(mv)));
    }
    if position.outcome().is_some() {
        return Err("the game is over".to_owned());
    }
    debug_assert!(match mv {
        Move::MoveTiger { from, to } => on_line(from, to, 1) || mv.is_jump(),
        _ => true,
    });
    Ok(mv)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::position::tests::positions;
    use super::*;

    proptest! {
        #[test]
        fn text_gives_back_the_position_and_its_moves(position in positions()) {
            let text = position.format_position();
            prop_assert_eq!(Position::parse_position(&text), Ok(position));
            if position.outcome().is_none() {
                for mv in position.moves() {
                    let text = position.format_move(mv);
                    prop_assert_eq!(position.parse_move(&text), Ok(mv));
                }
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,30}") {
            let start = Position::start(&());
            let _ = Position::parse_position(&text);
            let _ = start.parse_move(&text);
        }
    }

    #[test]
    fn the_start_is_written_as_the_rules_write_it() {
        let start = Position::start(&());
        assert_eq!(start.format_position(), "T3T/5/5/5/T3T s 20");
    }

    #[test]
    fn dots_read_as_empty_points() {
        let dots = Position::parse_position("T...T/...../...../...../T...T s 20");
        assert_eq!(dots, Ok(Position::start(&())));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, reason) in [
            ("", "1 fields"),
            ("T3T/5/5/5/T3T s", "2 fields"),
            ("T3T/5/5/5/T3T  s 20", "4 fields"),
            ("T3T/5/5/T3T s 20", "4 rows"),
            ("T3T/5/6/5/T3T s 20", "row 3 has '6'"),
            ("T3T/5/5T/5/T3T s 20", "row 3, \"5T\", has more"),
            ("T3T/5/5/5/T2T s 20", "row 1, \"T2T\", has 4"),
            ("T3T/5/5/5/T3T w 20", "side to move is \"w\""),
            ("T3T/5/5/5/T3T s 020", "in hand are \"020\""),
            ("T3T/5/5/5/T3T s 21", "in hand are \"21\""),
            ("T3T/2T2/5/5/T3T s 20", "5 tigers"),
            ("T3T/S4/5/5/T3T s 20", "at most 20 in all"),
            ("T3T/5/5/5/T3T s 14", "6 dead"),
            ("T3T/5/5/5/T3T t 15", "5 dead sheep with the tigers to move"),
        ] {
            let fault = Position::parse_position(text).unwrap_err().to_string();
            assert!(fault.contains(reason), "{fault}");
        }
    }

    #[test]
    fn moves_that_cannot_be_say_why() {
        let after = Position::parse_position("TS2T/5/5/5/T3T t 19").unwrap();
        let start = Position::start(&());
        for (position, text, reason) in [
            (start, "f3", "points are a1 to e5"),
            (start, "a5", "occupied"),
            (start, "a5-a4", "still in hand"),
            (after, "c3", "tigers are to move"),
            (after, "a5-c5", "written a5xc5"),
            (after, "a5xa4", "written a5-a4"),
            (after, "a5-b3", "no line"),
            (after, "b5-b4", "no tiger"),
        ] {
            let fault = position.parse_move(text).unwrap_err().to_string();
            assert!(fault.contains(reason), "{fault}");
        }
    }

    #[test]
    fn the_drawn_board_shows_its_lines() {
        let drawn = Position::start(&()).draw();
        let expected = "\
5 T───·───·───·───T
  │ ╲ │ ╱ │ ╲ │ ╱ │
4 ·───·───·───·───·
  │ ╱ │ ╲ │ ╱ │ ╲ │
3 ·───·───·───·───·
  │ ╲ │ ╱ │ ╲ │ ╱ │
2 ·───·───·───·───·
  │ ╱ │ ╲ │ ╱ │ ╲ │
1 T───·───·───·───T
  a   b   c   d   e
sheep to move, 20 sheep in hand, 0 dead";
        assert_eq!(drawn, expected);
    }
}
