//! `bagheera match`.

use std::fs;

use bagheera::features::FeatureSet;
use bagheera::game::Game as _;
use bagheera::games::bagh_chal::{Points, Position, Steps};
use bagheera::network::{Activation, Architecture, FeatureId, Network};
use serde_json::Value;

use crate::{error, json, output};

/// A book of eight openings.
fn book() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    let openings = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                    T3T/5/2S2/5/T3T t 19\nT3T/1S3/5/5/T3T t 19\nT3T/2S2/5/5/T3T t 19\n\
                    TS2T/5/2S2/5/T3T s 18\nT1S1T/5/2S2/5/T3T s 18\n";
    fs::write(&path, openings).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn contest(book: &str, more: &[&str]) -> Vec<String> {
    let arguments = [
        &[
            "match",
            "claude@depth=2",
            "random@seed=3",
            "--pairs",
            "8",
            "--quiet",
            "--book",
            book,
        ],
        more,
    ];
    arguments.concat().into_iter().map(str::to_owned).collect()
}

fn run(book: &str, more: &[&str]) -> Value {
    let arguments = contest(book, &[&["--json"], more].concat());
    json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_match_is_counted_by_game_pair_and_side() {
    let (_folder, book) = book();
    let record = run(&book, &[]);
    assert_eq!(record["first"], "claude@depth=2");
    assert_eq!(record["second"], "random@seed=3");
    assert_eq!(record["games"], 16);
    let score = record["score"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&score), "{score}");
    let pairs = record["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 5);
    let pairs = pairs.iter().map(|count| count.as_u64().unwrap());
    assert_eq!(pairs.clone().sum::<u64>(), 8);
    let half_points: u64 = pairs.zip(0..).map(|(count, points)| count * points).sum();
    assert_eq!(half_points as f64 / 32.0, score);
    for side in ["tiger", "sheep"] {
        let counts = &record["by_side"][side];
        let games: u64 = ["wins", "draws", "losses"]
            .iter()
            .map(|key| counts[*key].as_u64().unwrap())
            .sum();
        assert_eq!(games, 8, "{side}");
    }
    assert_eq!(record["deterministic"], true);
}

#[test]
fn threads_change_nothing() {
    let (_folder, book) = book();
    let [one, two] = ["1", "2"].map(|threads| run(&book, &["--threads", threads]));
    assert_eq!(one, two);
}

#[test]
fn a_sequential_test_ends_a_match_early() {
    let (_folder, book) = book();
    let record = run(&book, &["--sprt", "-200,200"]);
    let test = &record["sequential"];
    assert_eq!(test["elo_bounds"], serde_json::json!([-200.0, 200.0]));
    assert_eq!(test["verdict"], "accept_h1");
    assert!(record["games"].as_u64().unwrap() < 16);
    assert_eq!(run(&book, &[])["sequential"], Value::Null);
}

#[test]
fn text_tells_the_same() {
    let (_folder, book) = book();
    let arguments = contest(&book, &[]);
    let said = output(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        said.starts_with("claude@depth=2 against random@seed=3\n16 games"),
        "{said}"
    );
    for word in ["as tiger", "as sheep", "95 % interval", "ends"] {
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn a_book_too_short_is_refused_with_its_length() {
    let (_folder, book) = book();
    let refused = error(
        &["match", "random", "random", "--pairs", "9", "--book", &book],
        2,
    );
    assert!(refused.contains("has 8 openings"), "{refused}");
    assert!(refused.contains("at most 8 pairs"), "{refused}");
}

#[test]
fn a_book_with_a_wrong_line_is_named_with_the_line() {
    let (_folder, book) = book();
    let mut text = fs::read_to_string(&book).unwrap();
    text.push_str("T3T/5/5/5/T3 s 20\n");
    fs::write(&book, text).unwrap();
    let refused = error(&["match", "random", "random", "--book", &book], 1);
    assert!(refused.contains(&book), "{refused}");
    assert!(refused.contains("line 9"), "{refused}");
}

fn network<F: FeatureSet<Position>>() -> Network {
    let architecture = Architecture::new(
        Position::NAME,
        FeatureId::of::<Position, F>(),
        &[16, 8],
        Activation::ScRelu,
    );
    Network::random(architecture, 7).unwrap()
}

#[test]
fn networks_of_both_feature_sets_play() {
    let (folder, book) = book();
    let paths = ["points", "steps"].map(|name| folder.path().join(name));
    network::<Points>().save(&paths[0]).unwrap();
    network::<Steps>().save(&paths[1]).unwrap();
    let [points, steps] = paths.map(|path| format!("neural:{}@nodes=100", path.display()));
    let played = json(&[
        "match", &points, &steps, "--pairs", "2", "--quiet", "--book", &book, "--json",
    ]);
    assert_eq!(played["games"], 4, "{played}");
}

#[test]
fn the_network_that_comes_with_the_program_plays_and_beats_the_plain_evaluation() {
    let played = json(&[
        "match",
        "neural@nodes=300",
        "material@nodes=300",
        "--pairs",
        "12",
        "--quiet",
        "--book",
        "tuning",
        "--json",
    ]);
    assert!(played["score"].as_f64().unwrap() > 0.7, "{played}");
}

#[test]
fn weights_too_large_for_integers_are_refused_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.net");
    let network = network::<Points>();
    let mut weights = network.weights().clone();
    weights.layers[0].weights.fill(1000.0);
    let network = Network::new(network.metadata().clone(), weights).unwrap();
    network.save(&path).unwrap();
    let player = format!("neural:{}@nodes=100", path.display());
    let message = error(&["match", &player, "random"], 1);
    for words in ["large.net", "too large for 16 bits", "smaller weight_clip"] {
        assert!(message.contains(words), "{message}");
    }
}
