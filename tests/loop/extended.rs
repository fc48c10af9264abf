//! What may change when a run goes on, what may not, and where runs begin.

use std::fs;

use bagheera::network::Network;
use serde_json::Value;

use crate::{
    CONFIG, Files, HALF, Job, SMALL, WHOLE, assert_same, bagheera, config, error, files, output,
    word,
};

fn state(job: &Job) -> Value {
    serde_json::from_slice(&fs::read(job.dir().join("state.json")).unwrap()).unwrap()
}

/// The digest of the network that played the games of a generation.
fn teacher(files: &Files, generation: u32) -> Value {
    let name = format!("generations/{generation:03}/shards/manifest.json");
    let manifest: Value = serde_json::from_slice(&files[&name]).unwrap();
    manifest["manifest"]["network"].clone()
}

/// The small configuration with further changes.
fn small(changes: &[(&str, &str)]) -> String {
    config(&[&SMALL, changes].concat())
}

#[test]
fn a_longer_run_is_the_one_that_was_begun_longer() {
    let job = Job::of(&HALF);
    output(&job.go_on(&["--generations", "2", "--threads", "1"]));
    assert_same(&files(&job.dir()), &WHOLE);
    // The longer run is remembered.
    output(&job.go_on(&[]));
    assert_same(&files(&job.dir()), &WHOLE);
}

#[test]
fn a_key_that_defines_the_run_cannot_change() {
    let job = Job::of(&HALF);
    let before = files(&job.dir());
    for (changes, faults) in [
        (&[("seed", "6")][..], &["seed is 5, not 6"][..]),
        (&[("gate.pairs", "25")], &["gate.pairs is 24, not 25"]),
        (
            &[
                ("network.hidden", "[16, 8]"),
                ("bootstrap", "\"hand-written\""),
            ],
            &[
                "network.hidden is [16], not [16,8]",
                "bootstrap is \"random\", not \"hand-written\"",
            ],
        ),
        (
            &[("training.result_weight_end", "0.5")],
            &["training.result_weight_end is null, not 0.5"],
        ),
        (
            &[("selfplay.augment", "\"read\"")],
            &["selfplay.augment is \"write\", not \"read\""],
        ),
    ] {
        fs::write(job.config(), config(changes)).unwrap();
        let said = error(&job.begin(&[]), 1);
        for fault in faults {
            assert!(said.contains(fault), "{said}");
        }
        assert!(
            said.contains(word(&job.dir())) && said.contains("--dir"),
            "{said}"
        );
        assert_eq!(files(&job.dir()), before);
    }
    let said = error(&job.go_on(&["--seed", "7"]), 1);
    assert!(said.contains("seed is 5, not 7"), "{said}");
    assert_eq!(files(&job.dir()), before);
}

#[test]
fn keys_that_operate_the_run_may_change() {
    let job = Job::of(&HALF);
    let changes = [
        ("operation.threads", "1"),
        ("operation.budget_minutes", "60"),
    ];
    fs::write(job.config(), config(&changes)).unwrap();
    output(&job.begin(&["--device", "cpu"]));
    assert_same(&files(&job.dir()), &WHOLE);
    let config = fs::read_to_string(job.dir().join("config.toml")).unwrap();
    assert!(config.contains("budget_minutes = 60"), "{config}");
}

#[cfg(unix)]
#[test]
fn only_one_process_works_in_a_directory() {
    let job = Job::new(CONFIG);
    let mut first = crate::process::Running::start(&job.begin(&[]));
    assert!(first.wait_until(|| job.dir().join("state.json").exists()));
    let said = error(&job.go_on(&[]), 1);
    assert!(said.contains("another process is running"), "{said}");
    assert!(said.contains(word(&job.dir())), "{said}");
    assert!(!first.has_ended());
    assert!(first.end().status.success());
    assert_same(&files(&job.dir()), &WHOLE);
}

#[test]
fn patience_ends_a_run_that_does_not_get_better() {
    // Nobody is that much better than the best network.
    let hopeless = [
        ("gate.bounds", "[1000.0, 2000.0]"),
        ("operation.patience", "2"),
        ("operation.generations", "9"),
    ];
    let job = Job::new(&small(&hopeless));
    let said = output(&job.begin(&[]));
    assert!(
        said.contains("too many candidates in a row were rejected"),
        "{said}"
    );
    assert_eq!(state(&job)["finished"], 2);
    assert_eq!(state(&job)["rejected_in_a_row"], 2);
    assert_eq!(state(&job)["best"]["generation"], 0);
    let found = files(&job.dir());
    assert!(found["best.net"] == found["generations/000/candidate.net"]);

    let patient = [hopeless[0], ("operation.patience", "3"), hopeless[2]];
    fs::write(job.config(), small(&patient)).unwrap();
    output(&job.begin(&[]));
    assert_eq!(state(&job)["finished"], 3);
}

#[test]
fn training_goes_on_from_the_network_that_is_asked_for() {
    let run = |from| {
        let changes = [("gate.bounds", "[1000.0, 2000.0]"), ("continue_from", from)];
        let job = Job::new(&small(&changes));
        output(&job.begin(&[]));
        [1, 2].map(|generation| {
            let network = format!("generations/{generation:03}/candidate.net");
            let network = Network::load(job.dir().join(network)).unwrap();
            network.weights().clone()
        })
    };
    let (candidate, best) = (run("\"candidate\""), run("\"best\""));
    assert_eq!(candidate[0], best[0]);
    // The first candidate was rejected, so that it is not the best.
    assert_ne!(candidate[1], best[1]);
}

#[test]
fn a_run_begins_with_the_network_it_is_given() {
    let job = Job::new("");
    let given = job.0.path().join("given.net");
    fs::write(&given, &WHOLE["best.net"]).unwrap();
    let start_from = format!("{:?}", word(&given));
    fs::write(job.config(), small(&[("start_from", &start_from)])).unwrap();
    output(&job.begin(&["--generations", "1"]));
    let found = files(&job.dir());
    assert!(found["generations/000/candidate.net"] == WHOLE["best.net"]);
    let state: Value = serde_json::from_slice(&WHOLE["state.json"]).unwrap();
    assert_eq!(teacher(&found, 1), state["best"]["digest"]);
    // It has its own copy.
    fs::remove_file(given).unwrap();
    output(&job.go_on(&["--generations", "2"]));
    assert_eq!(self::state(&job)["finished"], 2);
}

#[test]
fn the_hand_written_evaluation_can_play_the_first_games() {
    let job = Job::new(&small(&[("bootstrap", "\"hand-written\"")]));
    output(&job.begin(&[]));
    let found = files(&job.dir());
    assert!(teacher(&found, 1).is_null());
    assert!(teacher(&found, 2).is_string());
    let random = Job::new(&small(&[]));
    output(&random.begin(&["--generations", "1"]));
    let shard = "generations/001/shards/shard-00000.games.jsonl";
    assert_ne!(found[shard], files(&random.dir())[shard]);
}

#[test]
fn without_a_directory_the_config_names_it() {
    let job = Job::new(&small(&[]));
    let named = job.0.path().join("named.toml");
    fs::rename(job.config(), &named).unwrap();
    bagheera(&["run", "-q", "--generations", "1", "--config", "named.toml"])
        .current_dir(job.0.path())
        .assert()
        .success()
        .stdout(predicates::str::contains("data/runs/named/best.net"));
    assert!(job.0.path().join("data/runs/named/best.net").exists());
}
