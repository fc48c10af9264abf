//! `bagheera analyze`.

use serde_json::{Value, json};

use crate::{SHUTTLE, START, error, json, members, output};

const PLAYER: [&str; 2] = ["--player", "claude@depth=3"];

fn analysis(arguments: &[&str]) -> Value {
    json(&[&["analyze", "--json"], &PLAYER[..], arguments].concat())
}

#[test]
fn every_legal_move_is_scored() {
    let analysis = analysis(&[]);
    assert_eq!(
        members(&analysis),
        [
            "position", "outcome", "best", "score", "depth", "nodes", "moves"
        ]
    );
    assert_eq!(analysis["position"], START);
    assert_eq!(analysis["outcome"], Value::Null);
    assert_eq!(analysis["depth"], 3);
    assert!(analysis["nodes"].as_u64().unwrap() > 21);
    let moves = analysis["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 21);
    for mv in moves {
        assert_eq!(members(mv), ["move", "score", "forced"]);
        assert!(mv["score"].is_f64() && mv["forced"].is_null(), "{mv}");
    }
    assert_eq!(moves[0]["move"], analysis["best"]);
    assert_eq!(moves[0]["score"], analysis["score"]);
    // Sheep want low scores.
    let scores: Vec<f64> = moves
        .iter()
        .map(|mv| mv["score"].as_f64().unwrap())
        .collect();
    assert!(scores.is_sorted(), "{scores:?}");
}

#[test]
fn a_forced_result_has_a_winner_and_plies_in_place_of_a_score() {
    // Four sheep are dead, and the tiger on a5 takes the fifth.
    let analysis = analysis(&["TS3/5/5/5/TT2T t 15"]);
    assert_eq!(analysis["best"], "a5xc5");
    assert_eq!(analysis["score"], Value::Null);
    let best = &analysis["moves"][0];
    assert_eq!(best["score"], Value::Null);
    assert_eq!(best["forced"], json!({ "winner": "tiger", "plies": 1 }));
}

#[test]
fn finished_games_have_an_outcome_and_no_moves() {
    for (position, outcome) in [
        ("TTTTS/SSSS1/SSSSS/5/5 t 6", "sheep"),
        ("T1T2/5/5/5/TT3 s 15", "tiger"),
    ] {
        let analysis = analysis(&[position]);
        assert_eq!(analysis["outcome"], outcome);
        assert_eq!(analysis["best"], Value::Null);
        assert_eq!(analysis["moves"], json!([]));
        let said = output(&["analyze", position]);
        assert!(said.contains(&format!("over: {outcome}")), "{said}");
    }
}

#[test]
fn a_third_occurrence_is_a_draw() {
    let (position, round) = SHUTTLE;
    let once = analysis(&[position, "--moves", round]);
    assert_eq!(once["position"], position);
    assert_eq!(once["outcome"], Value::Null);
    let twice = analysis(&[position, "--moves", &format!("{round} {round}")]);
    assert_eq!(twice["position"], position);
    assert_eq!(twice["outcome"], "draw");
    let more = format!("{round} {round} e4-e3");
    let refused = error(&["analyze", position, "--moves", &more], 2);
    assert!(refused.contains("e4-e3") && refused.contains("over"));
}

#[test]
fn moves_lead_to_another_position() {
    let analysis = analysis(&["--moves", "c3 a5-b4"]);
    assert_eq!(analysis["position"], "4T/1T3/2S2/5/T3T s 19");
    assert_eq!(analysis["moves"].as_array().unwrap().len(), 20);
}

#[test]
fn text_has_a_board_and_the_moves() {
    let said = output(&[&["analyze"], &PLAYER[..]].concat());
    assert!(said.contains("5 T───·───·───·───T"), "{said}");
    assert_eq!(
        said.lines().filter(|line| line.starts_with("  ")).count(),
        4 + 1 + 21
    );
}
