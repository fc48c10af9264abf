use proptest::prelude::*;

use super::*;
use crate::game::{Game, Outcome, Playthrough};
use crate::games::bagh_chal::Position;

type Record = GameRecord<Position>;

fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut reader = GameReader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        games.push(game);
    }
    Ok(games)
}

/// A game of the moves that `choices` select, drawn after 20 plies without progress.
fn game(choices: &[prop::sample::Index], scores: &[Option<i16>]) -> Record {
    let mut playthrough = Playthrough::new(Position::start(&()), 20);
    let mut moves = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        if playthrough.end().is_some() {
            break;
        }
        let mv = *choice.get(&playthrough.position().moves());
        playthrough.play(mv);
        let score = scores.get(index).copied().flatten();
        moves.push(RecordedMove {
            mv,
            score: score.map(|score| match score {
                i16::MAX => f32::INFINITY,
                i16::MIN => f32::NEG_INFINITY,
                _ => f32::from(score) / 1000.0,
            }),
        });
    }
    Record {
        round: Some(3),
        seed: Some(u64::MAX),
        quiet_limit: Some(20),
        players: [
            Participant {
                name: "a \"quoted\\\" name".to_owned(),
                digest: Some("f00d".to_owned()),
                tables: None,
            },
            Participant::named("random"),
        ],
        start: Position::start(&()),
        moves,
        end: playthrough.end(),
    }
}

fn score() -> impl Strategy<Value = Option<i16>> {
    prop_oneof![
        Just(None),
        Just(Some(i16::MAX)),
        Just(Some(i16::MIN)),
        any::<i16>().prop_map(Some)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn written_games_are_read_back(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
        scores in prop::collection::vec(score(), 0..120),
    ) {
        let game = game(&choices, &scores);
        let text = format!("# two games\n\n{game}\n{game}");
        prop_assert_eq!(read(&text).unwrap(), [game.clone(), game]);
    }

    #[test]
    fn a_truncated_text_gives_its_whole_games_or_an_error(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        at in any::<prop::sample::Index>(),
    ) {
        let game = game(&choices, &[]);
        let text = game.to_string();
        let length = at.index(text.len());
        let mut reader = GameReader::new(&text.as_bytes()[..length]);
        let cut = match reader.next_game::<Position>() {
            Ok(None) => length == 0,
            // Only the line end of the last line may be missing.
            Ok(Some(found)) => reader.is_cut() && found.moves == game.moves,
            Err(RecordError::Cut { line }) => line == 1,
            Err(RecordError::Line { .. }) => reader.is_cut(),
            Err(RecordError::Io(_)) => false,
        };
        prop_assert!(cut, "{}", &text[..length]);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\[[a-z\"\\\\ ]{0,12}\"?\\]?\n|[ 0-9a-f=*+.-]{0,20}\n|\\PC{0,20}\n){0,8}") {
        let _ = read(&text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut reader = GameReader::new(bytes.as_slice());
        while let Ok(Some(_)) = reader.next_game::<Position>() {}
    }
}

const START: &str = "[game \"bagh-chal\"]\n[position \"T3T/5/5/5/T3T s 20\"]\n";

#[test]
fn the_text_form_is_as_documented() {
    let text = "[game \"bagh-chal\"]\n[round \"3\"]\n[tiger \"claude@depth=4\"]\n[sheep \"random\"]\n\
                [position \"T3T/5/5/5/T3T s 20\"]\n   1 c3 a5-a4 +0.214 b4 a4xc4 +1.030\n*\n";
    let games = read(text).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].to_string(), text);
    assert_eq!(games[0].players[0].name, "claude@depth=4");
    assert_eq!(games[0].moves[1].score, Some(0.214));
    assert_eq!(games[0].moves[0].score, None);
    assert_eq!(games[0].end, None);
    let after = games[0].playthrough(2);
    assert_eq!(after.moves().len(), 2);
}

#[test]
fn ends_are_distinguished() {
    for (text, end) in [
        ("*", None),
        ("= draw by quiet plies", Some(End::QuietPlies)),
        ("= tiger by exact values", Some(End::Known(Outcome::Max))),
        ("= draw by exact values", Some(End::Known(Outcome::Draw))),
    ] {
        let games = read(&format!("{START} c3\n{text}\n")).unwrap();
        assert_eq!(games[0].end, end, "{text}");
    }
}

#[test]
fn errors_name_their_lines() {
    for (text, expected) in [
        ("c3\n".to_owned(), "line 1: the tag [position"),
        ("[round \"x\"]\n".to_owned(), "line 1: \"x\" is not a round"),
        (
            "[game \"y\"]\n".to_owned(),
            "line 1: this is a game of y, not of bagh-chal",
        ),
        ("[position \"T\"]\n".to_owned(), "line 1: position \"T\""),
        (
            "[round 3]\n".to_owned(),
            "line 1: \"[round 3]\" is not a tag",
        ),
        (
            format!("{START}1 c3\n3 a5-a4\n*\n"),
            "line 4: the line begins with move number 3",
        ),
        (
            format!("{START}1 c3 2 a5-a4\n*\n"),
            "line 3: ply 2: move \"2\"",
        ),
        (
            format!("{START}+0.3 c3\n*\n"),
            "line 3: the score +0.3 does not follow a move",
        ),
        (
            format!("{START}c3 +0.3 +0.4\n*\n"),
            "line 3: the score +0.4 does not follow a move",
        ),
        (
            format!("{START}c3 +NaN\n*\n"),
            "line 3: \"+NaN\" is not a score",
        ),
        (format!("{START}c3\nb9\n*\n"), "line 4: ply 2: move \"b9\""),
        (
            format!("{START}c3\n= tiger\n"),
            "line 4: the moves do not lead to the end stated",
        ),
        (
            format!("{START}c3\n= draw by repetition\n"),
            "line 4: the moves do not lead",
        ),
        (
            format!("{START}c3\n= nobody\n"),
            "line 4: \"= nobody\" is not an end of a game",
        ),
        (
            format!("{START}c3\n[round \"2\"]\n"),
            "line 4: a tag follows the position",
        ),
        (
            format!("\n\n{START}c3\n"),
            "the text ends inside the game that starts on line 3",
        ),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let long = format!("{START}{}\n", "c3 ".repeat(40_000));
    let error = read(&long).unwrap_err().to_string();
    assert!(
        error.starts_with("line 3: the line is longer than 65536 bytes"),
        "{error}"
    );
}
