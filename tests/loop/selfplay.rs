//! `bagheera selfplay`: the same bytes, resumed, and refused.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{bagheera, error, error_line, files, json, members, output, word, words};

/// The arguments of a job of some hundred milliseconds into `out`.
fn job(out: &Path, more: &[&str]) -> Vec<String> {
    let job = [
        "selfplay",
        "-q",
        "--player",
        "claude@nodes=300",
        "--games",
        "60",
        "--games-per-shard",
        "8",
        "--opening-choices",
        "2",
        "--quiet-limit",
        "30",
        "--out",
        word(out),
    ];
    words(&[&job, more].concat())
}

/// A folder and a name in it.
fn out() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("shards");
    (folder, out)
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let ((_a, one), (_b, two)) = (out(), out());
    output(&job(&one, &["--threads", "1"]));
    output(&job(&two, &["--threads", "2"]));
    assert_eq!(files(&one), files(&two));
    assert_eq!(files(&one).len(), 17);
}

#[cfg(unix)]
#[test]
fn killed_or_interrupted_it_goes_on_and_leaves_the_same_bytes() {
    use crate::process::Running;

    // Slow enough that a signal always finds the job at work.
    let slow_job = |out: &Path| -> Vec<String> {
        let arguments = job(out, &["--threads", "1"]);
        let slow = |word: String| word.replace("nodes=300", "nodes=6000");
        arguments.into_iter().map(slow).collect()
    };
    let ((_a, whole), (_b, broken)) = (out(), out());
    output(&slow_job(&whole));
    let arguments = slow_job(&broken);
    for shard in [0, 1, 2] {
        let made = broken.join(format!("shard-{shard:05}.bin"));
        let mut killed = Running::start(&arguments);
        assert!(killed.wait_until(|| made.exists()));
        killed.kill();
        for (name, bytes) in files(&broken) {
            assert!(
                name.starts_with(".tmp-") || bytes == files(&whole)[&name],
                "{name}"
            );
        }
    }
    let mut stopped = Running::start(&arguments);
    assert!(stopped.wait_until(|| broken.join("shard-00003.bin").exists()));
    let stopped = stopped.interrupt();
    assert_eq!(stopped.status.code(), Some(130));
    let said = crate::text(&stopped.stderr);
    assert!(
        said.contains(" of 8 shards") && said.contains("again to resume"),
        "{said}"
    );
    output(&arguments);
    assert_eq!(files(&broken), files(&whole));
}

#[test]
fn lost_shards_are_played_again() {
    let (_folder, out) = out();
    output(&job(&out, &[]));
    let whole = files(&out);
    for lost in ["shard-00000.bin", "shard-00003.bin", "shard-00007.bin"] {
        fs::remove_file(out.join(lost)).unwrap();
    }
    output(&job(&out, &[]));
    assert_eq!(files(&out), whole);
}

#[test]
fn other_settings_are_refused_and_touch_nothing() {
    let (_folder, out) = out();
    output(&job(&out, &[]));
    let before = files(&out);
    for (more, what) in [
        (&["--seed", "2"][..], "the seed"),
        (&["--generation", "2"], "the generation"),
        (&["--random-move", "0.1"], "the configuration"),
        (&["--opening-plies", "3,9"], "the configuration"),
        (&["--augment", "read"], "the configuration"),
        (&["--book", "gate"], "the configuration"),
    ] {
        let said = error(&job(&out, more), 1);
        assert!(
            said.contains("shard-00000.bin") && said.contains(what),
            "{said}"
        );
        assert!(said.contains("another folder"), "{said}");
        assert_eq!(files(&out), before);
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let (_folder, out) = out();
    let selfplay = |more: &[&str]| words(&[&["selfplay", "--out", word(&out)], more].concat());
    for (more, parts) in [
        (
            &["--player", "random"][..],
            &["\"random\"", "does not score"][..],
        ),
        (&["--random-move", "1.5"], &["random_move = 1.5", "0 to 1"]),
        (&["--opening-plies", "9,3"], &["opening_plies", "[9, 3]"]),
        (
            &["--opening-choices", "0"],
            &["opening_choices = 0", "1 to 100"],
        ),
        (&["--book", "none"], &["\"none\"", "gate, tuning, final"]),
    ] {
        let said = error(&selfplay(more), 2);
        for part in parts {
            assert!(said.contains(part), "{said}");
        }
    }
    let said = error(&selfplay(&["--player", "neural:no.net"]), 1);
    assert!(said.contains("no.net"), "{said}");
    bagheera(&selfplay(&["--opening-plies", "9"]))
        .assert()
        .code(2)
        .stderr(predicates::str::contains("like 4,16"));
    assert!(!out.exists());
    fs::write(&out, "in the way").unwrap();
    let said = error(&selfplay(&["--games", "1"]), 1);
    assert!(said.contains(word(&out)), "{said}");
    assert_eq!(fs::read(&out).unwrap(), b"in the way");
}

#[test]
fn a_damaged_shard_is_refused_and_played_again_once_removed() {
    let (_folder, out) = out();
    output(&job(&out, &[]));
    let whole = files(&out);
    let shard = out.join("shard-00001.bin");
    let mut bytes = whole["shard-00001.bin"].clone();
    bytes[400] ^= 8;
    fs::write(&shard, &bytes).unwrap();
    let assert = bagheera(&job(&out, &[])).assert().code(1);
    let said = error_line(&assert);
    assert!(
        said.contains("shard-00001.bin") && said.contains("remove it"),
        "{said}"
    );
    fs::remove_file(shard).unwrap();
    output(&job(&out, &[]));
    assert_eq!(files(&out), whole);
}

#[test]
fn readers_of_shards_can_make_the_images() {
    let ((_a, written), (_b, read)) = (out(), out());
    let manifest = json(&job(&written, &["--json"]));
    let lean = json(&job(&read, &["--json", "--augment", "read"]));
    assert_eq!(members(&manifest), members(&lean));
    assert_eq!(manifest["games"], lean["games"]);
    assert_eq!(manifest["games"]["outcomes"]["none"], 0);
    let sum = |manifest: &Value, key: &str| -> u64 {
        let shards = manifest["shards"].as_array().unwrap().iter();
        shards.map(|shard| shard[key].as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&manifest, "originals"), sum(&lean, "originals"));
    assert_eq!(sum(&manifest, "samples"), sum(&lean, "samples"));
    assert!(6 * sum(&lean, "bytes") < sum(&manifest, "bytes"));
    let saved: Value =
        serde_json::from_slice(&fs::read(written.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(saved["manifest"]["shards"], manifest["shards"]);
}

#[test]
fn a_book_and_another_generation_give_other_games() {
    let games = |more: &[&str]| {
        let (_folder, out) = out();
        output(&job(&out, more));
        files(&out)["shard-00000.games.jsonl"].clone()
    };
    let usual = games(&[]);
    assert_ne!(usual, games(&["--generation", "2"]));
    assert_ne!(usual, games(&["--book", "tuning"]));
    assert_eq!(usual, games(&["--opening-plies", "4,16"]));
}
