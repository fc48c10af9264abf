//! What the tables say.

use std::sync::Arc;

use bagheera::game::{ExactValues, Game as _, Notation as _, Outcome};
use bagheera::games::bagh_chal::endgame::{Layer, Tables, statistics, verify};
use bagheera::games::bagh_chal::{ClaudeEvaluation, Position, Turn};
use bagheera::interrupt::Interrupt;
use bagheera::search::{Limits, Player as _, Search, SearchReport, TranspositionTable};
use serde_json::Value;

use crate::truth::{ExamCase, Place, Positions, Sample, exact, load};
use crate::{bagheera, json, tables, talk, text};

#[test]
fn every_sample_of_the_sliding_phase_has_its_value_and_distance() {
    let samples: Positions<Sample> = load("tablebase_sample");
    assert!(samples.positions.len() >= 1250);
    for sample in samples.positions {
        let position = sample.place.position();
        let expected = sample.exact();
        assert_eq!(tables().probe(&position), Some(expected), "{position:?}");
        for image in position.images() {
            assert_eq!(tables().probe(&image), Some(expected), "{image:?}");
        }
    }
}

#[test]
fn every_sample_with_a_sheep_in_hand_has_its_value_and_distance() {
    let samples: Positions<Sample> = load("in_hand_1_3");
    let mut known = 0;
    for sample in samples.positions {
        let position = sample.place.position();
        if position.board.sheep_left() > tables().in_hand() {
            assert_eq!(tables().probe(&position), None);
            continue;
        }
        known += 1;
        let expected = sample.exact();
        assert_eq!(tables().resolve(&position), Some(expected), "{position:?}");
        assert_eq!(tables().probe(&position).unwrap().value, expected.value);
    }
    assert!(known > 10, "{known}");
}

#[test]
fn samples_with_more_in_hand_are_known_or_solved_by_a_search_that_ends_in_the_tables() {
    let samples: Positions<Sample> = load("in_hand_4_up");
    let exact = Tables::open(tables().folder()).unwrap();
    let exact: Arc<dyn ExactValues<Position>> = Arc::new(exact);
    let (mut solved, mut known) = (0, 0);
    for sample in samples.positions {
        let position = sample.place.position();
        let in_hand = position.board.sheep_left();
        let value = match tables().probe(&position) {
            Some(exact) => {
                known += 1;
                exact.value
            }
            None if in_hand <= 6 => {
                solved += 1;
                // After so many plies every line has reached the tables.
                let limits = Limits::depth(2 * (in_hand - tables().in_hand()) + 2);
                let table = TranspositionTable::<Position>::new(18);
                let player = Search::new(ClaudeEvaluation, table, limits);
                let mut player = player.with_exact(Some(Arc::clone(&exact)));
                match player.pick_move(&position, &[]) {
                    SearchReport {
                        forced: Some(forced),
                        ..
                    } => Outcome::win(forced.winner),
                    report => {
                        assert_eq!(report.score, Some(0.0), "{position:?}");
                        Outcome::Draw
                    }
                }
            }
            None => continue,
        };
        assert_eq!(value, sample.exact().value, "{position:?}");
    }
    assert!(solved + known > 30, "{solved} solved, {known} known");
}

#[test]
fn every_count_distance_and_longest_win_of_the_sliding_phase_is_right() {
    let expected: Value = load("tablebase_stats");
    let found = statistics(tables(), &Interrupt::default()).unwrap();
    let rows = expected["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for (row, found) in rows.iter().zip(&found) {
        let found = serde_json::to_value(found).unwrap();
        for key in ["sheep", "turn", "all", "up_to_symmetry"] {
            assert_eq!(found[key], row[key], "{key}");
        }
        assert_eq!(found["distances"], row["distance_histogram_all"]);
        for key in ["longest_tiger_win", "longest_sheep_win"] {
            assert_eq!(found[key]["plies"], row[key]["plies"], "{key}");
            let place: Place = serde_json::from_value(row[key].clone()).unwrap();
            let plies = tables().probe(&place.position()).unwrap().plies;
            assert_eq!(found[key]["plies"], plies.unwrap(), "{key}");
        }
    }
    // While placing, the sheep to move, by sheep on the board.
    let placing: Vec<_> = found[10..]
        .iter()
        .map(|row| (row.in_hand, row.sheep))
        .collect();
    let layers = (1..=tables().in_hand()).flat_map(|in_hand| {
        let most = 20 - in_hand;
        (most.saturating_sub(4)..=most).map(move |sheep| (in_hand, sheep))
    });
    assert_eq!(placing, layers.collect::<Vec<_>>());
}

#[test]
fn entries_follow_from_those_after_them() {
    let layers = [18, 19, 20].map(Layer::Sliding);
    let checked = verify(tables(), layers, &Interrupt::default(), &talk()).unwrap();
    assert_eq!(checked, 2 * 1666 * (1330 + 210 + 21));
}

#[test]
fn a_finished_position_is_known_for_what_it_is() {
    for (text, expected) in [
        ("TTTTS/SSSSS/SSSSS/SSSSS/SS3 t 1", exact("sheep", Some(0))),
        ("T.TTS/STSSS/SSSSS/SSSSS/SSSSS s 0", exact("tiger", Some(0))),
        ("TTTT1/5/SSSSS/SSSSS/SSSSS s 0", exact("tiger", Some(0))),
    ] {
        let position = Position::parse_position(text).unwrap();
        assert!(position.outcome().is_some(), "{text}");
        assert_eq!(tables().probe(&position), Some(expected), "{text}");
    }
}

#[test]
fn the_value_with_the_tigers_to_move_is_the_best_of_their_moves() {
    let samples: Positions<Sample> = load("in_hand_1_3");
    for sample in samples.positions {
        let position = sample.place.position();
        if position.board.sheep_left() != 1 || position.turn != Turn::Tiger {
            continue;
        }
        let after = |mv: &_| tables().probe(&position.play(*mv)).unwrap().value;
        let values: Vec<Outcome> = position.moves().iter().map(after).collect();
        let best = [Outcome::Max, Outcome::Draw, Outcome::Min]
            .into_iter()
            .find(|value| values.contains(value))
            .unwrap_or(Outcome::Min);
        assert_eq!(tables().probe(&position).unwrap().value, best);
    }
}

#[test]
fn probe_tells_the_value_of_every_move() {
    let cases: Positions<ExamCase> = load("exam");
    let folder = tables().folder().to_str().unwrap();
    for case in cases.positions.iter().take(12) {
        let position = case.position().format_position();
        let found = json(&["endgame", "probe", &position, "--tables", folder, "--json"]);
        assert_eq!(found["value"], *case.value);
        assert_eq!(found["plies"].as_u64(), case.plies.map(u64::from));
        let expected = case
            .moves
            .iter()
            .map(|mv| serde_json::json!({ "move": mv.text, "value": mv.value, "plies": mv.plies }));
        let sorted = |mut moves: Vec<Value>| {
            moves.sort_by_key(|mv| mv["move"].as_str().unwrap().to_owned());
            moves
        };
        let moves = found["moves"].as_array().unwrap().clone();
        assert_eq!(sorted(moves), sorted(expected.collect()), "{position}");
        let line = found["line"].as_array().unwrap().len();
        assert_eq!(line, case.plies.unwrap_or(0) as usize);
    }
}

#[test]
fn probe_draws_the_board_and_tells_the_best_play() {
    let folder = tables().folder().to_str().unwrap();
    let position = "TTSTS/1TSSS/SSSSS/SSSSS/SSSSS t 0";
    let assert = bagheera(&["endgame", "probe", position, "--tables", folder]).assert();
    let said = text(&assert.success().get_output().stdout);
    for part in [
        "tiger wins in 1",
        "a5-a4  tiger has won",
        "b4-a4  draw",
        "best play: a5-a4",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let beyond = ["endgame", "probe", crate::START, "--tables", folder];
    let said = crate::error(&beyond, 1);
    assert!(said.contains("--in-hand"), "{said}");
}

#[test]
fn stats_are_told_as_a_table_and_as_json() {
    let folder = tables().folder().to_str().unwrap();
    let assert = bagheera(&["endgame", "stats", "--tables", folder, "-q"]).assert();
    let said = text(&assert.success().get_output().stdout);
    assert!(said.contains("460/22336/242854"), "{said}");
    let rows = json(&["endgame", "stats", "--tables", folder, "--json", "-q"]);
    assert_eq!(rows[9]["all"]["sheep"], 242854);
}
