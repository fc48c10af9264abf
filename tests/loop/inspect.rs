//! `bagheera inspect` of runs and checkpoints, whole and damaged.

use std::fs;

use serde_json::Value;

use crate::{Files, Job, SMALL, WHOLE, bagheera, config, error, json, members, output, text, word};

/// What is said of a run: the exit code, standard output and standard error.
fn inspect(job: &Job, more: &[&str]) -> (i32, String, String) {
    let dir = job.dir();
    let arguments = [&["inspect", word(&dir)], more].concat();
    let output = bagheera(&arguments).output().unwrap();
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}

/// The faults of a run of which some files were changed.
fn faults(change: impl FnOnce(&mut Files)) -> Vec<(String, String)> {
    let mut files = WHOLE.clone();
    change(&mut files);
    let (code, said, complaint) = inspect(&Job::of(&files), &["--json"]);
    let run: Value = serde_json::from_str(&said).unwrap();
    let faults = run["run"]["faults"].as_array().unwrap();
    assert_eq!(code, i32::from(!faults.is_empty()), "{said}");
    assert_eq!(
        complaint
            .lines()
            .filter(|line| line.contains("error"))
            .count(),
        code as usize
    );
    assert_eq!(run["whole"], faults.is_empty());
    let part = |fault: &Value, name: &str| fault[name].as_str().unwrap().to_owned();
    faults
        .iter()
        .map(|fault| {
            assert!(!part(fault, "remedy").is_empty());
            (part(fault, "file"), part(fault, "reason"))
        })
        .collect()
}

#[track_caller]
fn only_fault(file: &str, words: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let faults = faults(|files| change(files.get_mut(file).unwrap()));
    let of_file = faults
        .iter()
        .any(|(name, reason)| name == file && reason.contains(words));
    assert!(of_file, "{faults:?}");
    // A network or record in the place of another one contradicts several files.
    assert!(faults.len() <= 6, "{faults:?}");
}

#[test]
fn a_whole_run_has_no_fault() {
    let job = Job::of(&WHOLE);
    let (code, said, complaint) = inspect(&job, &[]);
    assert_eq!(code, 0, "{said}{complaint}");
    for words in [
        "run: a run, intact",
        "bagh-chal",
        "finished    2 generations",
        "gen. 0      finished",
        "6 shards, ",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let run = json(&["inspect", word(&job.dir()), "--json"]);
    assert_eq!(members(&run), ["file", "kind", "whole", "run"]);
    let generations = run["run"]["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 3);
    for generation in &generations[1..] {
        assert_eq!(generation["shards"], 6);
        assert!(generation["match_games"].as_u64().unwrap() >= 96);
    }
    assert!(faults(|_| ()).is_empty());
}

#[test]
fn every_damaged_file_is_named() {
    let flip = |place: usize| {
        move |bytes: &mut Vec<u8>| {
            let place = place % bytes.len();
            bytes[place] ^= 1;
        }
    };
    let shard = "generations/002/shards/shard-00003.bin";
    only_fault(shard, "block 0 of the shard", flip(1000));
    only_fault(shard, "the end of the shard", |bytes| {
        bytes.truncate(bytes.len() - 1)
    });
    only_fault(shard, "the header differs", |bytes| {
        bytes.clone_from(&WHOLE["generations/002/shards/shard-00001.bin"]);
    });
    let notes = "generations/001/shards/shard-00002.games.jsonl";
    only_fault(notes, "line 1", flip(0));
    only_fault(notes, "it lists 0 games", Vec::clear);
    only_fault("generations/001/candidate.net", "is damaged", flip(3000));
    only_fault("best.net", "is damaged", flip(3000));
    only_fault("best.net", "not the best network", |bytes| {
        bytes.clone_from(&WHOLE["generations/000/candidate.net"]);
    });
    only_fault("generations/001/candidate.net", "generation 2", |bytes| {
        bytes.clone_from(&WHOLE["generations/002/candidate.net"]);
    });
    let record = "generations/001/record.json";
    only_fault(record, "EOF", |bytes| bytes.truncate(300));
    only_fault(record, "record of generation 2", |bytes| {
        let changed = text(bytes).replacen("\"generation\": 1", "\"generation\": 2", 1);
        *bytes = changed.into();
    });
    only_fault("generations/002/training.json", "EOF", |bytes| {
        bytes.truncate(100)
    });
    only_fault("generations/002/metrics.jsonl", "line 1", flip(0));
    let games = "generations/002/gate-random.games";
    only_fault(games, "incomplete", |bytes| {
        bytes.truncate(bytes.len() - 30)
    });
    only_fault(games, "line 1", flip(0));
    only_fault(games, "0 complete pairs", Vec::clear);
    only_fault(
        "generations/001/shards/manifest.json",
        "not a manifest",
        |bytes| {
            bytes.truncate(300);
        },
    );
    only_fault("state.json", "EOF", |bytes| bytes.truncate(100));
}

#[test]
fn what_is_gone_is_named_unless_the_run_removed_it() {
    let shard = "generations/001/shards/shard-00002.bin";
    let gone = faults(|files| drop(files.remove(shard)));
    assert_eq!(gone, [(shard.to_owned(), "it is missing".to_owned())]);
    let gone = faults(|files| drop(files.remove("generations/002/record.json")));
    assert_eq!(gone.len(), 1, "{gone:?}");
    let pruned = config(&[("training.window", "1"), ("operation.keep_shards", "1")]);
    let job = Job::new(&pruned);
    output(&job.begin(&[]));
    let (code, said, _) = inspect(&job, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("6 shards removed"), "{said}");
}

#[test]
fn a_generation_under_way_may_have_torn_games() {
    let mut files = WHOLE.clone();
    let state = crate::HALF["state.json"].clone();
    files.insert("state.json".to_owned(), state);
    files.insert("best.net".to_owned(), crate::HALF["best.net"].clone());
    files.remove("generations/002/record.json");
    let games = files.get_mut("generations/002/gate-random.games").unwrap();
    games.truncate(games.len() - 30);
    let (code, said, _) = inspect(&Job::of(&files), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("gen. 2      in progress"), "{said}");
}

#[test]
fn a_directory_without_its_config_is_told_the_remedy() {
    let job = Job::of(&WHOLE);
    fs::remove_file(job.dir().join("config.toml")).unwrap();
    let said = error(&["inspect", word(&job.dir())], 1);
    assert!(said.contains("config.toml"), "{said}");
}

/// A checkpoint of a training that was stopped.
fn checkpoint(job: &Job) -> std::path::PathBuf {
    let path = job.dir().join("generations/001/checkpoint.bin");
    let mut run = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bagheera"))
        .args(job.begin(&[]))
        .spawn()
        .unwrap();
    for _ in 0..2000 {
        if path.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    path
}

#[test]
fn a_checkpoint_is_checked_and_described() {
    let job = Job::new(&config(&[
        SMALL[0],
        SMALL[1],
        ("training.replay", "1000.0"),
        ("training.checkpoint_every", "5"),
    ]));
    let path = checkpoint(&job);
    let said = output(&["inspect", word(&path)]);
    for words in [
        "checkpoint.bin: a training checkpoint, intact",
        "bagh-chal, generation 1 of seed 5",
        "→ 16 → 1, squared clipped ReLU",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let whole = json(&["inspect", word(&path), "--json"]);
    assert_eq!(whole["kind"], "checkpoint");
    let step = whole["checkpoint"]["step"].as_u64().unwrap();
    assert!(step >= 5 && step.is_multiple_of(5), "{step}");
    let (code, said, _) = inspect(&job, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains(&format!("checkpoint at step {step}")),
        "{said}"
    );
    let bytes = fs::read(&path).unwrap();
    for place in [8, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        fs::write(&path, flipped).unwrap();
        let said = error(&["inspect", word(&path)], 1);
        assert!(said.contains("checkpoint.bin"), "{place}: {said}");
    }
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let said = error(&["inspect", word(&path)], 1);
    assert!(said.contains("checkpoint.bin is damaged"), "{said}");
    let (code, said, _) = inspect(&job, &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("starts this training again"), "{said}");
}
