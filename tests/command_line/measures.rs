//! `bagheera perft`, `bench` and `openings`.

use serde_json::json;

use crate::{bagheera, json, output};

#[test]
fn perft_counts_by_depth() {
    let counts = json(&["perft", "3", "--json", "--quiet"]);
    let expected = json!({ "perft": [
        { "depth": 1, "nodes": 21 },
        { "depth": 2, "nodes": 252 },
        { "depth": 3, "nodes": 5052 },
    ]});
    assert_eq!(counts, expected);
}

#[test]
fn perft_talks_on_standard_error_unless_quiet() {
    bagheera(&["perft", "2"])
        .assert()
        .success()
        .stderr(predicates::str::contains("nodes/s"));
    bagheera(&["perft", "2", "--quiet"])
        .assert()
        .success()
        .stdout(" 1                   21\n 2                  252\n")
        .stderr("");
}

#[test]
fn bench_counts_the_same_nodes_each_time() {
    let nodes = || {
        let bench = json(&["bench", "--player", "claude@depth=3", "--json"]);
        assert!(bench["nodes_per_second"].as_f64().unwrap() > 0.0);
        bench["nodes"].as_u64().unwrap()
    };
    let first = nodes();
    assert!(first > 0);
    assert_eq!(nodes(), first);
}

#[test]
fn openings_repeat_themselves_and_make_a_book() {
    let make = |threads| {
        output(&[
            "openings",
            "--count",
            "3",
            "--nodes",
            "50",
            "--seed",
            "5",
            "--quiet",
            "--threads",
            threads,
        ])
    };
    let book = make("1");
    assert_eq!(make("2"), book);
    assert_eq!(
        book.lines().filter(|line| !line.starts_with('#')).count(),
        3
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.txt");
    std::fs::write(&file, book).unwrap();
    let file = file.to_str().unwrap();
    output(&[
        "match", "random", "random", "--pairs", "3", "--book", file, "--quiet",
    ]);
}
