//! Players, analysis and openings with the real tables.

use bagheera::game::{End, ExactValues as _, Game as _, Notation as _, Outcome, Playthrough};
use bagheera::games::bagh_chal::Position;
use bagheera::games::bagh_chal::endgame::statistics;
use bagheera::interrupt::Interrupt;
use bagheera::kit::{PlayerFactory, PlayerSpec};

use crate::truth::{Place, Positions, load};
use crate::{bagheera, json, tables, text};

fn folder() -> &'static str {
    tables().folder().to_str().unwrap()
}

fn exact_player() -> PlayerFactory<Position> {
    let spec = format!("claude@nodes=1,exact={}", folder());
    spec.parse::<PlayerSpec>()
        .unwrap()
        .player_factory()
        .unwrap()
}

#[test]
fn the_longest_wins_are_played_out_in_just_as_many_plies() {
    let rows = statistics(tables(), &Interrupt::default()).unwrap();
    let longest = rows
        .iter()
        .flat_map(|row| [&row.longest_tiger_win, &row.longest_sheep_win])
        .flatten();
    let mut player = exact_player().player();
    let mut played = 0;
    for win in longest {
        let position = Position::parse_position(&win.position).unwrap();
        let exact = tables().probe(&position).unwrap();
        let mut game = Playthrough::new(position, u32::MAX);
        while game.end().is_none() {
            let report = player.pick_move(game.position(), game.history());
            let plies = report.forced.unwrap().plies.unwrap();
            assert_eq!(plies + game.moves().len() as u32, win.plies);
            game.play(report.mv);
        }
        assert_eq!(game.end(), Some(End::Rules(exact.value)));
        assert_eq!(game.moves().len() as u32, win.plies);
        played += 1;
    }
    assert!(played >= 20, "{played}");
}

#[test]
fn games_decided_while_placing_are_played_out_in_just_as_many_plies() {
    let samples: Positions<Place> = load("in_hand_1_3");
    let mut player = exact_player().player();
    let mut played = 0;
    for place in samples.positions {
        let position = place.position();
        let Some(exact) = tables().resolve(&position) else {
            continue;
        };
        if exact.value == Outcome::Draw {
            continue;
        }
        let mut game = Playthrough::new(position, u32::MAX);
        while game.end().is_none() {
            game.play(player.pick_move(game.position(), game.history()).mv);
        }
        assert_eq!(game.end(), Some(End::Rules(exact.value)));
        assert_eq!(Some(game.moves().len() as u32), exact.plies);
        played += 1;
    }
    assert!(played >= 5, "{played}");
}

#[test]
fn analysis_tells_the_exact_value_of_every_move() {
    let rows = statistics(tables(), &Interrupt::default()).unwrap();
    let win = rows.iter().find_map(|row| row.longest_sheep_win.as_ref());
    let win = win.unwrap();
    let position = Position::parse_position(&win.position).unwrap();
    let analyze = ["analyze", &win.position, "--player", "claude@nodes=500"];
    let told = json(&[&analyze[..], &["--tables", folder(), "--json"]].concat());
    assert_eq!(told["exact"]["value"], "sheep");
    assert_eq!(told["exact"]["plies"], win.plies);
    for row in told["moves"].as_array().unwrap() {
        let mv = position.parse_move(row["move"].as_str().unwrap()).unwrap();
        let exact = tables().probe(&position.play(mv)).unwrap();
        assert_eq!(row["exact"]["value"], Position::outcome_name(exact.value));
        // Counted from the position before the move, as those of the search are.
        let plies = exact.plies.map(|plies| u64::from(plies) + 1);
        assert_eq!(row["exact"]["plies"].as_u64(), plies);
    }
    // Without tables nothing is said of exact values.
    let told = json(&[&analyze[..], &["--json"]].concat());
    assert_eq!(told.get("exact"), None);
}

#[test]
fn play_tells_the_exact_value_of_every_move() {
    let position = "TSSS1/SSSTS/SSSSS/1SSTS/SS1ST t 0";
    let mut command = bagheera(&["play", position, "--side", "both", "--tables", folder()]);
    let assert = command.write_stdin("moves\nquit\n").assert().success();
    let said = text(&assert.get_output().stdout);
    let position = Position::parse_position(position).unwrap();
    assert!(said.contains("exact: "), "{said}");
    for mv in position.moves() {
        let exact = tables().probe(&position.play(mv)).unwrap();
        let name = Position::outcome_name(exact.value);
        let line = format!("  {:6} {name}", position.format_move(mv));
        assert!(said.contains(&line), "{line}: {said}");
    }
}

#[test]
fn openings_that_the_tables_decide_are_left_out() {
    let folder_of_book = tempfile::tempdir().unwrap();
    let book = folder_of_book.path().join("late.book");
    let make = |more: &[&str]| {
        let openings = ["openings", "-q", "--count", "12", "--nodes", "20"];
        let plies = ["--min-plies", "38", "--max-plies", "42"];
        let out = ["--out", book.to_str().unwrap()];
        bagheera(&[&openings[..], &plies, &out, more].concat())
            .assert()
            .success();
        let text = std::fs::read_to_string(&book).unwrap();
        std::fs::remove_file(&book).unwrap();
        text
    };
    let decided = |book: &str| {
        let lines = book.lines().filter(|line| !line.starts_with('#'));
        let positions = lines.map(|line| Position::parse_position(line).unwrap());
        let known = positions.filter_map(|position| tables().probe(&position));
        known.filter(|exact| exact.value != Outcome::Draw).count()
    };
    assert!(decided(&make(&[])) > 0);
    let book = make(&["--tables", folder()]);
    assert_eq!(decided(&book), 0);
    let told = format!(
        "# with tables up to 1 in hand, of digest {}",
        tables().digest()
    );
    assert!(book.contains(&told), "{book}");
}
