//! Games to text and back, and texts that the package made.

use proptest::prelude::*;

use super::super::positions::read_position;
use super::*;
use crate::game::{GameReader, read_games};

/// Games by the package, from the random ones of scripts/compare_baghchal.py; it gives back each:
/// `Board(text).pgn.strip() == text`, and `Board(text).fen` is the last position.
mod by_the_package {
    pub const TIGER: &str = "1. G54 Bx5553 2. G54 Bx5355 3. G54 Bx5553 4. G25 Bx1535 5. G45 \
         Bx3555# 0-1";
    pub const SHEEP: &str = "1. G54 B1525 2. G52 B5545 3. G42 Bx5133 4. G35 B3343 5. G53 B4344 \
         6. G33 B1122 7. G32 B2211 8. G34 B1122 9. G21 B2211 10. G24 B1122 11. G13 B2211 \
         12. G14 B2515 13. G22 Bx4525 14. G55 B1112 15. G23 B2535 16. G45 B3525 17. G11 B4435 \
         18. G44# 1-0";
    pub const REPETITION: &str = "1. G12 B5141 2. G25 B4151 3. G54 B5141 4. G44 B4151 5. G24 B5141 \
         6. G51 B1514 7. G23 B1413 8. G32 B1314 9. G35 B1413 10. G45 B1314 11. G15 B1413 \
         12. G42 B1314 13. G22 B1413 14. G14 B4131 15. G41 B3121 16. G31 Bx1133 17. G34 B3343 \
         18. G33 B2111 19. G53 B1121 20. G22 B2111 21. G5352 B1121 22. G5253 B2111 \
         23. G5352 B1121 24. G5253# 1/2-1/2";
    /// Its last rows came up three times, though not with one side to move.
    pub const ROWS: &str = "1. G12 B5141 2. G45 B1514 3. G54 B4131 4. G25 B5544 5. G41 B4455 \
         6. G22 B5544 7. G33 B4455 8. G44 B3121 9. G13 B1424 10. G23 B2414 11. G15 B1424 \
         12. G35 B2434 13. G14 B3424 14. G34 B2131 15. G42 B3121 16. G32 B2131 17. G21 Bx3153 \
         18. G42 B5352 19. G43 B5251 20. G52 Bx5153 21. G4252 B5342 22. G5251 B4231 \
         23. G5152 B3142 24. G5453 B4231 25. G5242 B5554 26. G4252 B5455 27. G5342 B5554 \
         28. G5253 B5455 29. G5352 B5554 30. G5253# 1/2-1/2";
    pub const UNFINISHED: &str = "1. G33 B1122 2. G13";
}
use by_the_package::{REPETITION, ROWS, SHEEP, TIGER, UNFINISHED};

/// The one game of a text.
fn game(text: &str) -> GameRecord<Position> {
    let mut games = parse_games(text).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// Games from some ply of the way on, broken off or ended.
fn games() -> impl Strategy<Value = GameRecord<Position>> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..90);
    (choices, 0..7_usize).prop_map(|(choices, lead)| {
        let mut record = GameRecord {
            round: None,
            seed: None,
            quiet_limit: None,
            players: [Participant::default(), Participant::default()],
            start: Position::start(&()),
            moves: Vec::new(),
            end: None,
        };
        let (mut game, mut rules) = (record.playthrough(0), PackageRules::default());
        for (ply, choice) in choices.into_iter().enumerate() {
            if rules.reach(game.position()).is_some() {
                break;
            }
            let mv = *choice.get(&game.position().moves());
            game.play(mv);
            record.moves.push(RecordedMove { mv, score: None });
            if ply < lead {
                record.start = *game.position();
                record.moves.clear();
            }
        }
        record.end = record.playthrough(record.moves.len()).end();
        record
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn text_gives_back_the_game(record in games()) {
        let text = format_game(&record).unwrap();
        prop_assert_eq!(parse_games(&text).unwrap(), vec![record.clone()]);
        let own = record.to_string();
        prop_assert_eq!(read_games(own.as_bytes()).unwrap(), vec![record.clone()]);
        prop_assert_eq!(read_games(text.as_bytes()).unwrap(), vec![record]);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[BGx1-5.#{}*/ é\n-]{0,40}") {
        let _ = parse_games(&text);
    }
}

#[test]
fn games_by_the_package_are_read_and_written_as_it_writes_them() {
    for (text, end, fen) in [
        (TIGER, Some(End::Rules(Outcome::Max)), "B4/5/5/5/B1B1B G 5"),
        (
            SHEEP,
            Some(End::Rules(Outcome::Min)),
            "GBGGB/GGGGB/1GGGB/3GG/1GGGG B 18",
        ),
        (
            REPETITION,
            Some(End::Repetition(Outcome::Draw)),
            "1GBGG/BGGGG/GGGGG/GGBGG/G1GGB B 24",
        ),
        (ROWS, None, "BGGGG/GGGBG/BGGGG/GGGGG/2GB1 B 30"),
        (UNFINISHED, None, "2G1B/1B3/2G2/5/B3B B 2"),
    ] {
        let record = game(text);
        assert_eq!(record.end, end, "{text}");
        assert_eq!(record.start, Position::start(&()), "{text}");
        assert_eq!(format_game(&record).as_deref(), Ok(text));
        let own = record.to_string();
        let again = GameReader::new(own.as_bytes()).next_game().unwrap();
        assert_eq!(again.as_ref(), Some(&record), "{own}");
        let last = *record.playthrough(usize::MAX).position();
        assert_eq!(read_position(fen), Ok(last), "{text}");
    }
}

#[test]
fn points_are_rows_from_the_top_then_columns_from_the_left() {
    let record = game("1. G12 Bx1113");
    let start = &record.start;
    let texts = [start.format_move(record.moves[0].mv), {
        let after = start.play(record.moves[0].mv);
        after.format_move(record.moves[1].mv)
    }];
    assert_eq!(texts, ["b5", "a5xc5"]);
}

#[test]
fn games_follow_each_other_on_lines_of_any_length() {
    let text = format!(
        "{TIGER}\n\n{} {SHEEP}\n{{a comment}}\n",
        REPETITION.replace(' ', "\n")
    );
    let games = parse_games(&text).unwrap();
    let again: Vec<_> = games
        .iter()
        .map(|record| format_game(record).unwrap())
        .collect();
    assert_eq!(again, [TIGER, REPETITION, SHEEP]);
    assert_eq!(
        parse_games("1.G33 B1122 2.G13").unwrap(),
        [game(UNFINISHED)]
    );
    assert_eq!(parse_games(" \n").unwrap(), []);
}

#[test]
fn a_game_from_elsewhere_says_where_it_begins() {
    let start = Position::parse_position("4T/5/1TST1/5/4T s 19").unwrap();
    let mv = start.moves()[0];
    let moves = vec![RecordedMove { mv, score: None }];
    let record = GameRecord {
        start,
        moves,
        ..game(UNFINISHED)
    };
    // One move of a tiger cannot lead there.
    assert_eq!(
        format_game(&record).unwrap_err().to_string(),
        "the game starts at \"4T/5/1TST1/5/4T s 19\"; baghchal records only games from the first move, \
         and no moves to this position were found"
    );
    let start = Position::parse_position("4T/1T3/2S2/5/T3T s 19").unwrap();
    let record = GameRecord { start, ..record };
    let text = format_game(&record).unwrap();
    assert!(
        text.starts_with("{begins after ply 2} 1. G33 B1122 2. G"),
        "{text}"
    );
    assert_eq!(game(&text), record);
    let empty = GameRecord {
        moves: Vec::new(),
        ..record
    };
    assert_eq!(game(&format_game(&empty).unwrap()), empty);
    let empty = GameRecord {
        start: Position::start(&()),
        ..empty
    };
    assert_eq!(format_game(&empty).as_deref(), Ok("*"));
    assert_eq!(game("*"), empty);
}

#[test]
fn a_game_that_was_not_played_out_keeps_its_result() {
    for (end, text) in [
        (End::QuietPlies, "1. G33 B1122 2. G13 1/2-1/2"),
        (End::Known(Outcome::Max), "1. G33 B1122 2. G13 0-1"),
        (End::Known(Outcome::Min), "1. G33 B1122 2. G13 1-0"),
    ] {
        let record = GameRecord {
            end: Some(end),
            ..game(UNFINISHED)
        };
        assert_eq!(format_game(&record).as_deref(), Ok(text));
        assert_eq!(game(text), record);
    }
}

#[test]
fn a_game_that_goes_on_after_the_packages_draw_is_not_written() {
    let mut record = game(ROWS);
    let position = *record.playthrough(usize::MAX).position();
    let mv = position.moves()[0];
    record.moves.push(RecordedMove { mv, score: None });
    assert_eq!(
        format_game(&record),
        Err(ForeignError::GoesOn {
            notation: "baghchal",
            ply: 59,
            plies: 60
        })
    );
}

#[test]
fn faults_are_named_with_line_and_ply() {
    for (text, reason) in [
        (
            "1. G33 B1122\n3. G13",
            "line 2: the next move of the goats is number 2, not 3",
        ),
        (
            "1. G33 B1122 G13",
            "line 1: ply 3: this move of a goat is written 2. G13",
        ),
        ("1. G33 2. B1122", "stands before each move of a goat alone"),
        ("1. G33 G34", "ply 2: move \"G34\": the baghs are to move"),
        (
            "1. G33\nB1123",
            "line 2: ply 2: move \"B1123\": no line leads there",
        ),
        ("1. G33 Bx1122", "this move is written B1122"),
        ("1. G12 B1113", "this move is written Bx1113"),
        ("1. G11", "occupied"),
        ("1. G1112", "some are still in hand"),
        ("1. G61", "rows and columns of \"61\""),
        ("1. G3", "names no points"),
        ("1. c3", "moves are written G33"),
        (
            "1. G33 B1122 2.",
            "the move after the last number is missing",
        ),
        (
            "1. G33 B1122# 0-1",
            "# says that the game is over, and it is not",
        ),
        (
            "{begins after ply 4} 1. G33",
            "begins after ply 4, and has 1 plies",
        ),
        ("{begins after ply x} 1. G33", "tells no number of plies"),
        ("{begins 1. G33", "a comment ends on its line"),
        (
            &TIGER.replace("0-1", "1-0"),
            "the moves lead to the result 0-1",
        ),
        (
            &TIGER.replace("# 0-1", " 6. G33"),
            "the game is over before ply 11, G33, by the rules",
        ),
    ] {
        let fault = parse_games(text).unwrap_err().to_string();
        assert!(fault.contains(reason), "{fault}");
    }
}
