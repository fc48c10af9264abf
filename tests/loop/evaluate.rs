//! `bagheera evaluate`: matches by side, and how well a network predicts shards.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{HALF, Job, WHOLE, error, json, members, output, word, words};

/// The run after its first generation.
struct Bench(Job);

impl Bench {
    fn new() -> Self {
        Self(Job::of(&HALF))
    }

    fn network(&self) -> PathBuf {
        self.0.dir().join("generations/001/candidate.net")
    }

    fn shards(&self) -> PathBuf {
        self.0.dir().join("generations/001/shards")
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let network = self.network();
        let few = [
            "evaluate",
            word(&network),
            "-q",
            "--pairs",
            "6",
            "--nodes",
            "60",
        ];
        words(&[&few, more].concat())
    }
}

/// Checks that the counts of a match add up, by side and in all.
fn assert_adds_up(record: &Value, pairs: u64) {
    let count = |value: &Value| value.as_u64().unwrap();
    assert_eq!(record["games"], 2 * pairs);
    let of_pairs = record["pairs"].as_array().unwrap().iter().map(count);
    assert_eq!(of_pairs.sum::<u64>(), pairs);
    for result in ["wins", "draws", "losses"] {
        let sides = ["tiger", "sheep"].map(|side| count(&record["by_side"][side][result]));
        assert_eq!(sides[0] + sides[1], count(&record["total"][result]));
    }
    for side in ["tiger", "sheep"] {
        let side = record["by_side"][side].as_object().unwrap();
        assert_eq!(side.values().map(count).sum::<u64>(), pairs);
    }
    let ends = record["ends"].as_object().unwrap().values().map(count);
    assert_eq!(ends.sum::<u64>(), 2 * pairs);
    let total = &record["total"];
    let points = count(&total["wins"]) as f64 + 0.5 * count(&total["draws"]) as f64;
    assert_eq!(record["score"], points / (2 * pairs) as f64);
    let [low, high] = [0, 1].map(|end| record["estimate"]["score_interval"][end].as_f64().unwrap());
    assert!(low <= points / (2 * pairs) as f64 && points / (2 * pairs) as f64 <= high);
}

#[test]
fn a_network_is_measured_by_side_and_by_its_predictions() {
    let bench = Bench::new();
    let shards = bench.shards();
    let found = json(&bench.arguments(&["--json", "--shards", word(&shards)]));
    assert_eq!(
        members(&found),
        ["player", "hand_written", "random", "validation"]
    );
    for opponent in ["hand_written", "random"] {
        assert_adds_up(&found[opponent], 6);
    }
    assert_eq!(found["hand_written"]["second"], "claude@nodes=60");
    let manifest: Value =
        serde_json::from_slice(&HALF["generations/001/shards/manifest.json"]).unwrap();
    let originals = manifest["manifest"]["shards"].as_array().unwrap().iter();
    let originals: u64 = originals
        .map(|shard| shard["originals"].as_u64().unwrap())
        .sum();
    let validation = &found["validation"];
    assert_eq!(validation["positions"], originals);
    assert_eq!(validation["calibration"].as_array().unwrap().len(), 6);
    assert!(validation["loss"].as_f64().unwrap() < 0.7);
    // The untrained network knows less.
    let untrained = bench.0.dir().join("generations/000/candidate.net");
    let other = json(&[
        "evaluate",
        word(&untrained),
        "-q",
        "--pairs",
        "1",
        "--nodes",
        "10",
        "--json",
        "--shards",
        word(&shards),
    ]);
    assert!(other["validation"]["loss"].as_f64() > validation["loss"].as_f64());
}

#[test]
fn results_repeat_on_any_number_of_threads() {
    let bench = Bench::new();
    let shards = bench.shards();
    let more = [
        "--json",
        "--positions",
        "300",
        "--shards",
        word(&shards),
        "--threads",
    ];
    let on = |threads| output(&bench.arguments(&[&more[..], &[threads]].concat()));
    assert_eq!(on("1"), on("2"));
    let found: Value = serde_json::from_str(&on("1")).unwrap();
    assert_eq!(found["validation"]["positions"], 300);
}

#[test]
fn people_are_told_of_sides_and_predictions() {
    let bench = Bench::new();
    let shards = bench.shards();
    let said = output(&bench.arguments(&["--shards", word(&shards)]));
    for words in [
        "positions: cross-entropy",
        "0 dead",
        "against claude@nodes=60",
        "against random@seed=1",
        "as sheep",
        "as tiger",
        "95 % interval",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn players_are_measured_too() {
    let few = ["--pairs", "3", "--nodes", "30", "-q", "--json"];
    let found = json(&[&["evaluate", "claude@depth=1"], &few[..]].concat());
    assert_eq!(found["player"], "claude@depth=1");
    assert!(found["validation"].is_null());
    assert_adds_up(&found["random"], 3);

    let bench = Bench::new();
    let player = format!("neural:{}@depth=1", bench.network().display());
    let shards = bench.shards();
    let more = ["evaluate", &player, "--shards", word(&shards)];
    let found = json(&[&more, &few[..]].concat());
    assert!(found["validation"].is_object());
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let bench = Bench::new();
    let (network, shards) = (bench.network(), bench.shards());
    let (network, shards) = (word(&network), word(&shards));
    for (arguments, code, parts) in [
        (&["nobody"][..], 2, &["\"nobody\"", "no network file"][..]),
        (
            &["claude@depth=1", "--shards", shards],
            2,
            &["no network", "--shards"],
        ),
        (&[network, "--shards", "nowhere"], 1, &["nowhere"]),
        (
            &[network, "--pairs", "501"],
            2,
            &["500 openings", "501 pairs"],
        ),
        (&[network, "--book", "none"], 2, &["\"none\""]),
        (&[network, "--result-weight", "2"], 2, &["0 to 1"]),
    ] {
        let said = error(&[&["evaluate", "-q"], arguments].concat(), code);
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    for (bytes, part) in [
        (damaged(), "given.net is damaged"),
        (crate::faults::other_features().to_bytes(), "smells"),
    ] {
        let path = bench.0.0.path().join("given.net");
        fs::write(&path, bytes).unwrap();
        let said = error(&["evaluate", "-q", word(&path), "--shards", shards], 1);
        assert!(said.contains("given.net") && said.contains(part), "{said}");
    }
}

fn damaged() -> Vec<u8> {
    let mut bytes = WHOLE["best.net"].clone();
    *bytes.last_mut().unwrap() ^= 1;
    bytes
}

#[test]
fn a_network_named_alone_plays_at_the_nodes_asked_for() {
    let few = ["evaluate", "-q", "--json", "--pairs", "2", "--nodes", "60"];
    let told = json(&[&few[..], &["neural"]].concat());
    assert_eq!(told["player"], "neural@nodes=60");

    let bench = Bench::new();
    let network = bench.network();
    let named = format!("neural:{}", network.display());
    let told = json(&[&few[..], &[named.as_str()]].concat());
    assert_eq!(told["player"], format!("{named}@nodes=60"));
}
