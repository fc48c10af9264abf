//! The notation of the Python package `baghchal`: `convert` writes it, and all commands read it.
//!
//! Texts by the package were made with version 1.0.1 by
//! `b = Board("1. G33 B1122 2. G13"); print(b.fen, sorted(b.possible_moves()))` and the like.

use std::fs;

use serde_json::json;

use crate::{START, bagheera, error, error_line, json, output, text};

/// `Board("1. G33 B1122 2. G13").fen`, and the same in the program's own notation.
const FEN: &str = "2G1B/1B3/2G2/5/B3B B 2";
const OWN: &str = "2S1T/1T3/2S2/5/T3T t 18";

/// A game that the package wrote as `board.pgn`, without the blank before it.
const WON: &str = "1. G54 Bx5553 2. G54 Bx5355 3. G54 Bx5553 4. G25 Bx1535 5. G45 Bx3555# 0-1";

/// A folder with a file of games.
fn games(content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, content).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn positions_are_converted_both_ways() {
    assert_eq!(output(&["convert", FEN]), format!("{OWN}\n"));
    assert_eq!(
        output(&["convert", "--to", "baghchal", OWN]),
        format!("{FEN}\n")
    );
    let both = bagheera(&["convert", "--to", "baghchal"])
        .write_stdin(format!("# a comment\n{START}\n\n{FEN}\n"))
        .assert()
        .success();
    let start = "B3B/5/5/5/B3B G 0";
    assert_eq!(text(&both.get_output().stdout), format!("{start}\n{FEN}\n"));
}

#[test]
fn every_command_reads_the_packages_positions() {
    let perft = |position| output(&["perft", "3", position]);
    assert_eq!(perft(FEN), perft(OWN));
    let analyze = |position| json(&["analyze", position, "--player", "claude@depth=2", "--json"]);
    assert_eq!(analyze(FEN), analyze(OWN));
    let play = bagheera(&["play", FEN, "--player", "claude@depth=1", "--side", "both"])
        .write_stdin("quit\n")
        .assert()
        .success();
    assert!(text(&play.get_output().stdout).contains(OWN));
    let fault = error(&["perft", "1", "B3B/5/5/5/B3B B"], 2);
    assert!(fault.contains("baghchal writes a position like"), "{fault}");
}

#[test]
fn legal_moves_are_those_of_the_package() {
    // The program lists captures first, the package in no order.
    let mut answer = json(&["moves", FEN, "--notation", "baghchal", "--json"]);
    let mut moves: Vec<_> = answer["moves"].take().as_array().unwrap().clone();
    moves.sort_by_key(ToString::to_string);
    assert_eq!(
        json!(moves),
        json!([
            "B1514", "B1524", "B1525", "B2211", "B2212", "B2221", "B2223", "B2231", "B2232",
            "B5141", "B5142", "B5152", "B5544", "B5545", "B5554", "Bx2244"
        ])
    );
    assert_eq!(
        answer,
        json!({ "position": FEN, "outcome": null, "moves": null })
    );

    let won = "B4/5/5/5/B1B1B G 5";
    assert_eq!(
        json(&["moves", won, "--json"]),
        json!({ "position": "T4/5/5/5/T1T1T s 15", "outcome": "tiger", "moves": [] })
    );
    assert_eq!(output(&["moves", won]), "T4/5/5/5/T1T1T s 15: = tiger\n");
    let few = output(&["moves", "TSTSS/ST1SS/SSSSS/S1SS1/SSSTS t 0"]);
    assert!(
        few.starts_with("TSTSS/ST1SS/SSSSS/S1SS1/SSSTS t 0: "),
        "{few}"
    );
}

#[test]
fn a_game_of_the_package_goes_to_a_file_of_games_and_back() {
    let (_folder, package) = games(&format!(" {WON}\n"));
    let own = output(&["convert", "--games", &package]);
    assert_eq!(
        own,
        "[game \"bagh-chal\"]\n[tiger \"\"]\n[sheep \"\"]\n[position \"T3T/5/5/5/T3T s 20\"]\n   \
         1 d1 e1xc1 d1 c1xe1 d1 e1xc1 e4 e5xe3\n   9 e2 e3xe1\n= tiger\n\n"
    );
    let (_other, path) = games(&own);
    let back = output(&["convert", "--games", &path, "--to", "baghchal"]);
    assert_eq!(back, format!("{WON}\n"));
    let list = json(&[
        "analyze", "--games", &package, "--number", "1", "--ply", "9", "--json",
    ]);
    assert_eq!(list["best"], "e3xe1");
}

#[test]
fn games_of_a_match_come_back_with_their_beginnings() {
    let (folder, path) = games("");
    fs::remove_file(&path).unwrap();
    let players = ["match", "claude@depth=1", "random@seed=3", "--games", &path];
    output(&[&players[..], &["--pairs", "4"]].concat());
    let package = output(&["convert", "--games", &path, "--to", "baghchal"]);
    assert_eq!(package.lines().count(), 8, "{package}");
    assert!(package.starts_with("{begins after ply "), "{package}");
    let other = folder.path().join("package");
    fs::write(&other, package).unwrap();
    // Players, scores and the like are lost.
    let bare = |games: &str| {
        let lines = games.lines().filter(|line| !line.starts_with('['));
        let words = lines.flat_map(str::split_whitespace);
        let words: Vec<String> = words
            .filter(|word| !word.starts_with(['+', '-']))
            .map(str::to_owned)
            .collect();
        words
    };
    let back = output(&["convert", "--games", other.to_str().unwrap()]);
    let positions = |games: &str| {
        let lines = games.lines().filter(|line| line.starts_with("[position"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let games = fs::read_to_string(&path).unwrap();
    assert_eq!(bare(&back), bare(&games));
    assert_eq!(positions(&back), positions(&games));
}

#[test]
fn what_cannot_be_converted_is_named() {
    let fault = error(&["convert", "--to", "chess", START], 2);
    assert!(fault.contains("available: bagheera, baghchal"), "{fault}");
    let wrong = bagheera(&["moves"])
        .write_stdin(format!("{FEN}\nB3B\n"))
        .assert()
        .code(1);
    let fault = error_line(&wrong);
    assert!(
        fault.contains("standard input, line 2: position \"B3B\""),
        "{fault}"
    );
    let (_folder, path) = games("1. G33 B1122\n2. G33\n");
    let fault = error(&["convert", "--games", &path], 1);
    assert!(
        fault.contains("line 2: ply 3: move \"G33\": the destination is occupied"),
        "{fault}"
    );

    let (_other, path) = games(
        "[game \"bagh-chal\"]\n[position \"T3T/5/5/5/T3T s 20\"]\n1 c3\n*\n\n\
         [game \"bagh-chal\"]\n[position \"4T/5/1TST1/5/4T s 19\"]\n*\n",
    );
    let assert = bagheera(&["convert", "--games", &path, "--to", "baghchal"])
        .assert()
        .code(1)
        .stdout("1. G33\n");
    let said = text(&assert.get_output().stderr);
    assert!(
        said.starts_with("game 2 is skipped: the game starts at \"4T/5/1TST1/5/4T s 19\""),
        "{said}"
    );
    assert!(said.contains("1 of the 2 games of "), "{said}");
}
