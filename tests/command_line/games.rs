//! Files of games: `match --games` keeps them, `analyze --games` shows them.

use std::fs;

use serde_json::Value;

use crate::{error, json, output};

/// A folder with a book and the games of a match over it, and the match's record.
fn games() -> (tempfile::TempDir, [String; 2], Value) {
    let folder = tempfile::tempdir().unwrap();
    let [book, games] = ["book.txt", "match.games"].map(|name| {
        let path = folder.path().join(name);
        path.to_str().unwrap().to_owned()
    });
    fs::write(
        &book,
        "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n",
    )
    .unwrap();
    let record = contest(&book, &games, "3");
    (folder, [book, games], record)
}

fn contest(book: &str, games: &str, pairs: &str) -> Value {
    json(&[
        "match",
        "claude@depth=2",
        "random@seed=3",
        "--json",
        "--book",
        book,
        "--pairs",
        pairs,
        "--games",
        games,
    ])
}

#[test]
fn a_match_keeps_its_games_and_goes_on_from_them() {
    let (_folder, [book, path], record) = games();
    let whole = fs::read_to_string(&path).unwrap();
    assert_eq!(whole.matches("[game \"bagh-chal\"]").count(), 6);
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(contest(&book, &path, "3"), record);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    assert_eq!(contest(&book, &path, "3"), record, "nothing left to play");
}

#[test]
fn games_of_another_match_are_refused_and_stay() {
    let (_folder, [book, path], _) = games();
    let whole = fs::read_to_string(&path).unwrap();
    let arguments = ["match", "greedy", "random@seed=3", "--pairs", "3"];
    let more = ["--book", &book, "--games", &path];
    let refused = error(&[&arguments[..], &more[..]].concat(), 1);
    assert!(refused.contains("another player"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn games_are_listed_and_one_is_reviewed() {
    let (_folder, [_, path], _) = games();
    let list = json(&["analyze", "--games", &path, "--json"]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 6);
    assert_eq!(list[1]["sheep"], "claude@depth=2");
    let said = output(&["analyze", "--games", &path]);
    assert_eq!(said.lines().count(), 7, "{said}");

    let player = ["--player", "claude@depth=2"];
    let second = ["analyze", "--games", &path, "--number", "2"];
    let review = json(&[&second[..], &player, &["--json"]].concat());
    assert_eq!(review["result"], list[1]["result"]);
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len() as u64, list[1]["plies"].as_u64().unwrap());
    let mut scored = 0;
    for row in moves {
        let recorded = row["recorded"].is_f64();
        assert!(!recorded || row["side"] == "sheep", "{row}");
        scored += usize::from(recorded);
        assert!(row["played"]["score"].is_f64() || row["played"]["forced"].is_object());
    }
    assert!(scored > 3, "{review}");
    let said = output(&[&second[..], &player].concat());
    assert_eq!(said.lines().count(), moves.len() + 5, "{said}");

    let ply = ["--ply", "4", "--json"];
    let analysis = json(&[&second[..], &player, &ply].concat());
    assert_eq!(analysis["position"], moves[4]["position"]);
}

#[test]
fn what_a_file_of_games_lacks_is_told() {
    let (folder, [_, path], _) = games();
    let analyze = ["analyze", "--games", &path];
    let refused = error(&[&analyze[..], &["--number", "7"]].concat(), 2);
    assert!(refused.contains("has games 1 to 6"), "{refused}");
    let refused = error(
        &[&analyze[..], &["--number", "1", "--ply", "9999"]].concat(),
        2,
    );
    assert!(refused.contains("--ply 9999 is out of range"), "{refused}");
    let refused = error(&[&analyze[..], &["--ply", "3"]].concat(), 2);
    assert!(refused.contains("contains 6 games"), "{refused}");
    let empty = folder.path().join("empty.games");
    fs::write(&empty, "# nothing\n").unwrap();
    let refused = error(&["analyze", "--games", empty.to_str().unwrap()], 1);
    assert!(refused.contains("contains no games"), "{refused}");
    fs::write(&empty, "[game \"bagh-chal\"]\nc3\n").unwrap();
    let refused = error(&["analyze", "--games", empty.to_str().unwrap()], 1);
    assert!(refused.contains("line 2: the tag"), "{refused}");
}
