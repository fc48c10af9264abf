//! Runs that should be equal, and what a run says at its end.

use std::fs;

use serde_json::Value;

use crate::{CONFIG, Files, Job, SMALL, WHOLE, assert_same, config, files, json, output, text};

#[test]
fn the_number_of_threads_changes_no_file() {
    let job = Job::new(CONFIG);
    output(&job.begin(&["--threads", "2"]));
    let found = files(&job.dir());
    assert_same(&found, &WHOLE);
    for name in [
        "shards/manifest.json",
        "gate-best.games",
        "record.json",
        "metrics.jsonl",
    ] {
        assert!(
            found.contains_key(&format!("generations/002/{name}")),
            "{name}"
        );
    }
}

#[test]
fn the_shipped_config_for_tests_runs_and_repeats() {
    let tiny = fs::read_to_string("configs/bagh-chal-tiny.toml").unwrap();
    let run = |threads| {
        let job = Job::new(&tiny);
        output(&job.begin(&["--threads", threads]));
        files(&job.dir())
    };
    assert_same(&run("1"), &run("2"));
}

#[test]
fn another_seed_makes_other_games() {
    let run = |seed| {
        let job = Job::new(&config(&SMALL));
        output(&job.begin(&["--generations", "1", "--seed", seed]));
        files(&job.dir())
    };
    let shard = "generations/001/shards/shard-00000.bin";
    // The largest seed is one that TOML integers cannot hold in other programs.
    assert_ne!(run("1")[shard], run(&u64::MAX.to_string())[shard]);
}

#[test]
fn no_file_tells_where_or_when_it_was_made() {
    let job = Job::new(CONFIG);
    let place = text(job.0.path().as_os_str().as_encoded_bytes());
    output(&job.begin(&[]));
    let found = files(&job.dir());
    for (name, bytes) in &found {
        let holds = bytes
            .windows(place.len())
            .any(|part| part == place.as_bytes());
        assert!(!holds, "{name}");
    }
    assert_same(&found, &WHOLE);
}

#[test]
fn a_run_ends_with_the_table_and_where_the_best_network_lies() {
    let job = Job::new(&config(&SMALL));
    let said = output(&job.begin(&[]));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    for column in [
        "gen",
        "games",
        "tiger/draw/sheep",
        "validation",
        "vs hand-written",
        "verdict",
    ] {
        assert!(lines[0].contains(column), "{said}");
    }
    assert!(lines[1].starts_with("  0 ") && lines[1].ends_with("the start"));
    for generation in [1, 2] {
        let line = lines[generation + 1];
        assert!(line.starts_with(&format!("{generation:3} ")), "{said}");
        assert!(
            line.ends_with("promoted") || line.ends_with("rejected"),
            "{said}"
        );
    }
    let best = job.dir().join("best.net");
    let end = format!(
        "all generations are finished. The best network is {}",
        best.display()
    );
    assert!(lines[4].contains(&end), "{said}");
    let report = job.dir().join("report.html");
    let told = format!("the report {}", report.display());
    assert!(lines[4].ends_with(&told) && report.exists(), "{said}");
    assert!(output(&["inspect", best.to_str().unwrap()]).contains("a network, intact"));
}

#[test]
fn the_same_command_says_it_again_and_does_nothing() {
    let job = Job::of(&WHOLE);
    let first = output(&job.go_on(&["--threads", "1"]));
    assert_eq!(output(&job.go_on(&["--threads", "1"])), first);
    assert_eq!(files(&job.dir()), *WHOLE);
}

#[test]
fn the_records_are_printed_as_json() {
    let job = Job::of(&WHOLE);
    let records = json(&job.go_on(&["--json"]));
    let records = records.as_array().unwrap();
    assert_eq!(records.len(), 2);
    for (index, record) in records.iter().enumerate() {
        let path = format!("generations/{:03}/record.json", index + 1);
        let written: Value = serde_json::from_slice(&WHOLE[&path]).unwrap();
        assert_eq!(*record, written);
        assert_eq!(record["generation"], index + 1);
        assert!(record["gate"]["promoted"].is_boolean());
    }
}

#[test]
fn records_and_state_agree_with_the_networks() {
    let value = |name: &str| serde_json::from_slice::<Value>(&WHOLE[name]).unwrap();
    let state = value("state.json");
    let record = value("generations/002/record.json");
    assert_eq!(record["training"], value("generations/002/training.json"));
    let best = format!(
        "generations/{:03}/candidate.net",
        state["best"]["generation"].as_u64().unwrap()
    );
    assert!(WHOLE["best.net"] == WHOLE[&best]);
    assert_eq!(state["best"]["digest"], digest(&WHOLE, &best));
    assert_eq!(
        record["gate"]["candidate"],
        digest(&WHOLE, "generations/002/candidate.net")
    );
}

/// The digest at the end of a network.
fn digest(files: &Files, name: &str) -> String {
    let bytes = &files[name];
    let digest = &bytes[bytes.len() - 32..];
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
