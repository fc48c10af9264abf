//! Positions in the package's notation: `B3B/5/5/5/B3B G 0`.

use crate::game::Notation as _;
use crate::games::bagh_chal::board::{GameBoard, ONE_SHEEP, TOTAL_SHEEP};
use crate::games::bagh_chal::notation::Rows;
use crate::games::bagh_chal::position::{Position, Turn};

/// How a position is written, for error messages.
const EXAMPLE: &str = "baghchal writes a position like \"B3B/5/5/5/B3B G 0\": \
     rows 1 to 5 from the top, side to move (B or G), moves that the goats have made";

const ROWS: Rows = Rows {
    tiger: 'B',
    sheep: 'G',
    empty: None,
    number: |y| y + 1,
    example: EXAMPLE,
};

/// A position in the package's notation.
pub(super) fn format_position(position: &Position) -> String {
    let own = position.format_position();
    let rows = own.split(' ').next().unwrap_or_default();
    let rows = rows.replace('T', "B").replace('S', "G");
    let side = match position.turn {
        Turn::Tiger => 'B',
        Turn::Sheep => 'G',
    };
    let moves = TOTAL_SHEEP - position.board.sheep_left();
    format!("{rows} {side} {moves}")
}

/// Reads a position in the package's notation.
pub(super) fn read_position(text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [rows, side, number] = fields[..] else {
        return Err(format!("has {} fields, not 3; {EXAMPLE}", fields.len()));
    };
    let (tigers, sheep) = ROWS.read(rows)?;
    let turn = match side {
        "B" => Turn::Tiger,
        "G" => Turn::Sheep,
        _ => return Err(format!("the side to move is \"{side}\", not B or G")),
    };
    let moves: Option<u32> = number.parse().ok().filter(|_| !number.starts_with('+'));
    let Some(moves) = moves else {
        return Err(format!(
            "the moves that the goats have made are \"{number}\", not a number"
        ));
    };
    let placed = moves.min(TOTAL_SHEEP);
    if sheep.count_ones() > placed {
        return Err(format!(
            "has {} goats on the board after {moves} moves of the goats, which place {placed}",
            sheep.count_ones()
        ));
    }
    let in_hand = TOTAL_SHEEP - placed;
    let board = GameBoard::from_masks(tigers, sheep | (in_hand * ONE_SHEEP));
    Position::checked(board, turn)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Game, read_position as read_any};
    use crate::games::bagh_chal::position::tests::positions;

    proptest! {
        #[test]
        fn text_gives_back_the_position(position in positions()) {
            let text = format_position(&position);
            prop_assert_eq!(read_position(&text), Ok(position));
            // Neither notation is taken for the other.
            prop_assert_eq!(read_any(&text), Ok(position));
            prop_assert_eq!(read_any(&position.format_position()), Ok(position));
            prop_assert!(Position::parse_position(&text).is_err());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[BG1-9/ +0é-]{0,30}") {
            let _ = read_position(&text);
        }
    }

    #[test]
    fn rows_and_columns_lie_as_the_package_has_them() {
        // Board("1. G13 B1112").fen, with the goat on row 1, column 3.
        let position = read_position("1BG1B/5/5/5/B3B G 1").unwrap();
        assert_eq!(position.format_position(), "1TS1T/5/5/5/T3T s 19");
    }

    #[test]
    fn captured_goats_follow_from_the_moves_made() {
        for (text, hand, dead) in [
            ("B3B/5/5/5/B3B G 0", 20, 0),
            ("2B1B/5/5/5/B3B G 1", 19, 1),
            ("GGGGG/BGGGG/1BGGB/GGB2/GGG2 G 20", 0, 4),
            ("GGGGG/BGGGG/1BGGB/GGB2/GGG2 G 57", 0, 4),
        ] {
            let position = read_position(text).unwrap();
            let counts = (position.board.sheep_left(), position.board.dead_sheep());
            assert_eq!(counts, (hand, dead), "{text}");
        }
        assert_eq!(
            Position::start(&()),
            read_position("B3B/5/5/5/B3B G 0").unwrap()
        );
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, reason) in [
            ("B3B/5/5/5/B3B G", "2 fields"),
            ("B3B/5/5/B3B G 0", "4 rows"),
            ("B3B/5/5/5/T3B G 0", "row 5 has 'T'"),
            ("B3B/5B/5/5/B3B G 0", "row 2, \"5B\", has more"),
            ("B3B/5/5/5/B2B G 0", "row 5, \"B2B\", has 4"),
            ("B3B/5/5/5/B3B s 0", "side to move is \"s\""),
            ("B3B/5/5/5/B3B G x", "\"x\", not a number"),
            ("B3B/5/5/5/B3B G -1", "\"-1\", not a number"),
            ("BG2B/5/5/5/B3B B 0", "1 goats on the board after 0 moves"),
            ("B3B/5/5/5/B3B G 6", "6 dead"),
            ("B3B/5/5/5/B4 G 0", "3 tigers"),
        ] {
            let fault = read_position(text).unwrap_err();
            assert!(fault.contains(reason), "{fault}");
        }
    }
}
