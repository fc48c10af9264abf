//! `bagheera train`: the same network, resumed, and refused.

use std::path::PathBuf;
use std::sync::LazyLock;

use bagheera::network::Network;
use serde_json::Value;

use crate::faults::other_features;
use crate::{CONFIG, Files, Job, assert_same, error, files, json, members, output, word, words};

/// Shards with the images, shards without, and a training on either.
struct Bench {
    job: Job,
}

impl Bench {
    fn new() -> Self {
        let job = Job::new(CONFIG);
        let bench = Self { job };
        for augment in ["write", "read"] {
            let shards = bench.shards(augment);
            let selfplay = [
                "selfplay",
                "-q",
                "--player",
                "claude@nodes=50",
                "--games",
                "70",
                "--games-per-shard",
                "20",
                "--augment",
                augment,
                "--out",
                word(&shards),
            ];
            output(&selfplay);
        }
        bench
    }

    fn shards(&self, augment: &str) -> PathBuf {
        self.job.0.path().join(augment)
    }

    fn out(&self) -> PathBuf {
        self.job.0.path().join("out")
    }

    fn arguments(&self, augment: &str, more: &[&str]) -> Vec<String> {
        let (config, shards, out) = (self.job.config(), self.shards(augment), self.out());
        let train = [
            "train",
            "-q",
            "--config",
            word(&config),
            "--shards",
            word(&shards),
            "--out",
            word(&out),
        ];
        words(&[&train, more].concat())
    }
}

/// What the training leaves that nothing ever stopped.
static TRAINED: LazyLock<Files> = LazyLock::new(|| {
    let bench = Bench::new();
    output(&bench.arguments("write", &["--threads", "1"]));
    files(&bench.out())
});

#[test]
fn whoever_makes_the_images_and_on_however_many_threads_the_network_is_the_same() {
    let bench = Bench::new();
    let weights = |augment| {
        let record = json(&bench.arguments(augment, &["--json", "--threads", "2"]));
        let network = Network::load(bench.out().join("candidate.net")).unwrap();
        (record, network.weights().clone())
    };
    let (read, of_read) = weights("read");
    let (written, of_written) = weights("write");
    assert_eq!(of_read, of_written);
    assert_same(&files(&bench.out()), &TRAINED);
    assert_eq!(
        members(&read),
        [
            "steps",
            "window_samples",
            "training_samples",
            "positions_seen",
            "replay",
            "validation_before",
            "validation",
            "best_step",
            "data_digest"
        ]
    );
    for key in members(&read) {
        // Other files hold the same samples.
        assert_eq!(read[key] == written[key], key != "data_digest", "{key}");
    }
    assert!(read["validation"]["loss"].as_f64() < read["validation_before"]["loss"].as_f64());
}

#[test]
fn the_end_says_what_was_done_and_where_the_network_is() {
    let bench = Bench::new();
    let said = output(&bench.arguments("read", &[]));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(
        lines[0].contains("steps over") && lines[0].contains("validation loss"),
        "{said}"
    );
    let network = bench.out().join("candidate.net");
    assert_eq!(lines[1], format!("the network is {}", network.display()));
    assert!(network.exists());
}

/// The step of a checkpoint, from the state with which its parts begin.
#[cfg(unix)]
fn checkpoint_step(bytes: &[u8]) -> u64 {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    let state: Value = serde_json::from_slice(&bytes[32..32 + length as usize]).unwrap();
    state["progress"]["step"].as_u64().unwrap()
}

/// The lines of metrics up to a step, without rates, as the whole training writes them.
#[cfg(unix)]
fn metrics_through(step: u64) -> Vec<u8> {
    let lines = TRAINED["metrics.jsonl"].split_inclusive(|byte| *byte == b'\n');
    lines
        .filter(|line| {
            let line: Value = serde_json::from_slice(line).unwrap();
            line["step"].as_u64().unwrap() <= step
        })
        .flat_map(crate::without_rate)
        .collect()
}

#[cfg(unix)]
#[test]
fn killed_or_interrupted_it_goes_on_and_leaves_the_same_files() {
    use crate::process::Running;
    use crate::{comparable, text};

    let bench = Bench::new();
    let arguments = bench.arguments("write", &[]);
    let metrics = bench.out().join("metrics.jsonl");
    let lines = || std::fs::read(&metrics).map_or(0, |bytes| bytes.split(|b| *b == b'\n').count());
    let found = || files(&bench.out());
    for (least, kill) in [
        (1, true),
        (30, true),
        (90, false),
        (110, true),
        (160, false),
    ] {
        let mut running = Running::start(&arguments);
        assert!(running.wait_until(|| lines() > least), "it was too quick");
        if kill {
            running.kill();
        } else {
            let ended = running.interrupt();
            assert_eq!(ended.status.code(), Some(130));
            // All that was done is kept, and the metrics are those of the checkpoint.
            let step = checkpoint_step(&found()["checkpoint.bin"]);
            let said = text(&ended.stderr);
            let stopped = format!("bagheera: stopped after step {step}; run the same command");
            assert!(said.starts_with(&stopped), "{said}");
            let written = comparable("metrics.jsonl", &found()["metrics.jsonl"]);
            assert!(written == metrics_through(step), "step {step}");
        }
        // The lines are never behind the checkpoint.
        if let Some(checkpoint) = found().get("checkpoint.bin") {
            let kept = metrics_through(checkpoint_step(checkpoint));
            assert!(comparable("metrics.jsonl", &found()["metrics.jsonl"]).starts_with(&kept));
        }
    }
    std::fs::write(bench.out().join(".tmp-half"), "half a checkpoint").unwrap();
    output(&arguments);
    assert_same(&found(), &TRAINED);
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let bench = Bench::new();
    let arguments = bench.arguments("write", &[]);
    let checkpoint = bench.out().join("checkpoint.bin");
    std::fs::create_dir_all(bench.out()).unwrap();
    std::fs::write(&checkpoint, "no checkpoint").unwrap();
    let said = error(&arguments, 1);
    assert!(
        said.contains("checkpoint.bin is not a checkpoint"),
        "{said}"
    );
    assert_eq!(std::fs::read(&checkpoint).unwrap(), b"no checkpoint");
}

#[test]
fn a_network_of_other_features_or_a_flipped_bit_is_refused() {
    let bench = Bench::new();
    let path = bench.job.0.path().join("start.net");
    let arguments = bench.arguments("write", &["--from", word(&path)]);
    let said = error(&arguments, 1);
    assert!(said.contains("start.net"), "{said}");
    other_features().save(&path).unwrap();
    let said = error(&arguments, 1);
    assert!(
        said.contains("start.net") && said.contains("smells"),
        "{said}"
    );
    let mut bytes = TRAINED["candidate.net"].clone();
    bytes[1500] ^= 64;
    std::fs::write(&path, bytes).unwrap();
    let said = error(&arguments, 1);
    assert!(said.contains("start.net is damaged"), "{said}");
    assert!(!bench.out().exists());
    std::fs::write(&path, &TRAINED["candidate.net"]).unwrap();
    let record = json(&[arguments, words(&["--json"])].concat());
    let first: Value = serde_json::from_slice(
        TRAINED["metrics.jsonl"]
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap(),
    )
    .unwrap();
    let before = record["validation_before"]["loss"].as_f64().unwrap();
    assert!(before < first["validation"]["loss"].as_f64().unwrap());
}

#[test]
fn a_damaged_shard_or_folder_is_refused() {
    let bench = Bench::new();
    let arguments = bench.arguments("write", &[]);
    let shard = bench.shards("write").join("shard-00001.bin");
    let whole = std::fs::read(&shard).unwrap();
    for place in [3, 700, whole.len() / 2, whole.len() - 9] {
        let mut bytes = whole.clone();
        bytes[place] ^= 2;
        std::fs::write(&shard, bytes).unwrap();
        let said = error(&arguments, 1);
        assert!(said.contains("shard-00001.bin"), "{said}");
        assert!(!bench.out().join("candidate.net").exists());
    }
    std::fs::write(&shard, &whole).unwrap();
    std::fs::remove_file(bench.shards("write").join("manifest.json")).unwrap();
    let said = error(&arguments, 1);
    assert!(said.contains("write/manifest.json"), "{said}");
    let said = error(
        &["train", "--shards", "nowhere", "--out", word(&bench.out())],
        1,
    );
    assert!(said.contains("nowhere"), "{said}");

    let twice = bench.shards("read");
    let twice = bench.arguments("read", &["--shards", word(&twice)]);
    let said = error(&twice, 1);
    assert!(said.contains("are the same; give each once"), "{said}");
}
