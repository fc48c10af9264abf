//! Runs that are killed or interrupted in every stage and end as if they had not been.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::process::Running;
use crate::{CONFIG, Files, Job, WHOLE, assert_same, comparable, files, output, text};

/// Something in the directory of a run that tells how far it has come.
enum Sign {
    /// A file is there.
    File(&'static str),
    /// A file has as many lines.
    Lines(&'static str, usize),
    /// A file has as many games.
    Games(&'static str, usize),
}

use Sign::{File, Games, Lines};

impl Sign {
    fn is_there(&self, dir: &Path) -> bool {
        match *self {
            File(name) => dir.join(name).exists(),
            Lines(name, least) => lines(&dir.join(name)) >= least,
            Games(name, least) => games(&dir.join(name)) >= least,
        }
    }
}

/// The signs to stop at: something is under way at each, or between two stages.
const SIGNS: [Sign; 23] = [
    File("generations/000/candidate.net"),
    Games("generations/000/gate-hand-written.games", 16),
    File("state.json"),
    File("generations/001/shards/shard-00000.games.jsonl"),
    File("generations/001/shards/shard-00002.bin"),
    File("generations/001/shards/manifest.json"),
    Lines("generations/001/metrics.jsonl", 1),
    File("generations/001/checkpoint.bin"),
    Lines("generations/001/metrics.jsonl", 60),
    File("generations/001/candidate.net"),
    File("generations/001/training.json"),
    Games("generations/001/gate-hand-written.games", 12),
    Games("generations/001/gate-random.games", 8),
    File("generations/001/gate-best.games"),
    File("generations/001/record.json"),
    File("generations/002/shards/shard-00003.bin"),
    Lines("generations/002/metrics.jsonl", 20),
    Lines("generations/002/metrics.jsonl", 90),
    File("generations/002/training.json"),
    File("generations/002/gate-hand-written.games"),
    File("generations/002/gate-random.games"),
    Games("generations/002/gate-random.games", 28),
    File("generations/002/gate-best.games"),
];

/// The whole lines of a file.
fn lines(path: &Path) -> usize {
    let bytes = fs::read(path).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// The whole games of a file.
fn games(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| line.starts_with("= ")).count()
}

/// The stage that a stopped run is in.
pub fn stage(dir: &Path) -> &'static str {
    let Ok(state) = fs::read(dir.join("state.json")) else {
        return "first match";
    };
    let state: Value = serde_json::from_slice(&state).unwrap();
    let generation = state["finished"].as_u64().unwrap() + 1;
    let folder = dir.join(format!("generations/{generation:03}"));
    let played = |name| games(&folder.join(name));
    if !folder.join("shards/manifest.json").exists() {
        "self-play"
    } else if !folder.join("training.json").exists() {
        "training"
    } else if played("gate-hand-written.games") < 48 {
        "match against the hand-written evaluation"
    } else if played("gate-random.games") < 48 {
        "match against random moves"
    } else {
        "match against the best network"
    }
}

/// The stages, in the order of a run.
pub const STAGES: [&str; 6] = [
    "first match",
    "self-play",
    "training",
    "match against the hand-written evaluation",
    "match against random moves",
    "match against the best network",
];

/// Checks that all that a stopped run has written is a part of what the whole run writes.
pub fn assert_part_of_the_whole(found: &Files) {
    for (name, bytes) in found {
        let growing = name.ends_with("metrics.jsonl") || name.contains("/gate-");
        let passing = name.contains("/.tmp-") || name.starts_with(".tmp-");
        if growing {
            let end = bytes.iter().rposition(|byte| *byte == b'\n');
            let whole_lines = comparable(name, &bytes[..end.map_or(0, |end| end + 1)]);
            let expected = comparable(name, &WHOLE[name]);
            assert!(expected.starts_with(&whole_lines), "{name}");
        } else if name == "best.net" {
            let networks = WHOLE.iter().filter(|(name, _)| name.ends_with(".net"));
            assert!(
                networks
                    .map(|(_, network)| network)
                    .any(|network| network == bytes)
            );
        } else if !passing && name != "state.json" && !name.ends_with("checkpoint.bin") {
            assert!(
                comparable(name, bytes) == comparable(name, &WHOLE[name]),
                "{name}"
            );
        }
    }
}

/// Takes a run to its end and checks it.
pub fn finish(job: &Job) {
    let said = output(&job.go_on(&[]));
    assert!(said.contains("all generations are finished"), "{said}");
    assert_same(&files(&job.dir()), &WHOLE);
}

#[test]
fn a_run_killed_in_every_stage_ends_as_if_it_had_not_been() {
    let job = Job::new(CONFIG);
    let dir = job.dir();
    let mut stages = BTreeSet::new();
    let mut arguments = job.begin(&["--threads", "2"]);
    for sign in SIGNS {
        if sign.is_there(&dir) {
            continue;
        }
        let mut run = Running::start(&arguments);
        if run.wait_until(|| sign.is_there(&dir)) {
            assert_eq!(run.kill().signal(), Some(9));
            stages.insert(stage(&dir));
            assert_part_of_the_whole(&files(&dir));
            arguments = job.go_on(&[]);
        }
    }
    finish(&job);
    assert_eq!(stages, BTreeSet::from(STAGES));
}

#[test]
fn a_run_killed_after_any_time_ends_as_if_it_had_not_been() {
    let job = Job::new(CONFIG);
    let mut run = Running::start(&job.begin(&[]));
    assert!(run.wait_until(|| job.dir().join("config.toml").exists()));
    run.kill();
    let mut kills = 0;
    for milliseconds in (3..).step_by(17) {
        let mut run = Running::start(&job.go_on(&[]));
        sleep(Duration::from_millis(milliseconds));
        if run.has_ended() {
            assert!(run.end().status.success());
            break;
        }
        run.kill();
        kills += 1;
        assert_part_of_the_whole(&files(&job.dir()));
    }
    assert!(kills >= 5, "{kills}");
    finish(&job);
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_ends_as_if_it_had_not_been() {
    let job = Job::new(CONFIG);
    let dir = job.dir();
    let how = format!(
        "bagheera: stopped; resume with: bagheera run --dir {}\n",
        dir.display()
    );
    let mut stages = BTreeSet::new();
    let mut arguments = job.begin(&["--threads", "2"]);
    for sign in SIGNS {
        if sign.is_there(&dir) {
            continue;
        }
        let mut run = Running::start(&arguments);
        if run.wait_until(|| sign.is_there(&dir)) {
            let ended = run.interrupt();
            assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
            assert_eq!(text(&ended.stdout), "");
            assert_eq!(text(&ended.stderr), how);
            stages.insert(stage(&dir));
            let found = files(&dir);
            assert_part_of_the_whole(&found);
            assert!(!found.keys().any(|name| name.contains(".tmp")), "{found:?}");
            arguments = job.go_on(&[]);
        }
    }
    finish(&job);
    for stage in STAGES {
        assert!(stages.contains(stage), "{stage}: {stages:?}");
    }
}

#[test]
fn a_run_goes_on_when_nobody_reads_its_talk() {
    let job = Job::new(CONFIG);
    let mut arguments = job.begin(&[]);
    arguments.retain(|word| word != "-q");
    let mut run = Running::start(&arguments);
    run.stop_listening();
    assert!(run.end().status.success());
    assert_same(&files(&job.dir()), &WHOLE);
}
