//! `bagheera shards`, on shards of self-play.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::{error, json, members, output};

/// Two generations of self-play by one seed, of three shards each.
struct Generations(TempDir);

impl Generations {
    fn new(augment: &str) -> Self {
        let generations = Self(tempfile::tempdir().unwrap());
        for generation in ["1", "2"] {
            let out = generations.path(generation);
            output(&[
                "selfplay",
                "--player",
                "claude@nodes=20",
                "--games",
                "12",
                "--games-per-shard",
                "5",
                "--generation",
                generation,
                "--augment",
                augment,
                "--quiet",
                "--out",
                word(&out),
            ]);
        }
        generations
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The samples of all shards of a folder, an object each with the generation beside.
fn samples(folder: &Path) -> Vec<Value> {
    let mut samples = Vec::new();
    for shard in shards(folder) {
        let description = json(&["inspect", word(&shard), "--json"]);
        let lines = output(&["inspect", word(&shard), "--text", "--json"]);
        for line in lines.lines() {
            let mut sample: Value = serde_json::from_str(line).unwrap();
            sample["generation"] = description["header"]["generation"].clone();
            samples.push(sample);
        }
    }
    samples
}

/// The shards of a folder, by name.
fn shards(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut shards: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .collect();
    shards.sort();
    shards
}

fn sorted(mut samples: Vec<Value>) -> Vec<String> {
    let mut lines: Vec<_> = samples.drain(..).map(|sample| sample.to_string()).collect();
    lines.sort();
    lines
}

#[test]
fn a_merge_has_all_samples_under_their_generations_and_games() {
    for augment in ["write", "read"] {
        let made = Generations::new(augment);
        let [one, two, out] = ["1", "2", "out"].map(|name| made.path(name));
        let merge = ["shards", "merge", word(&out), word(&two), word(&one), "-q"];
        let said = output(&merge);
        assert!(said.contains("out: 2 shards"), "{said}");
        let all = [samples(&one), samples(&two)].concat();
        assert_eq!(samples(&out), all);
        let said = output(&["inspect", word(&out)]);
        for words in [
            "manifest.json: a manifest of a collection, consistent with its shards",
            "kept        all",
            "shard-001-00000.bin  generation 1 of seed 1, games 0 to 11",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        // What is there stays.
        let said = error(&merge, 1);
        assert!(said.contains("out already exists"), "{said}");
        assert_eq!(samples(&out).len(), all.len());
        // The parts, put together, are the whole again.
        let [placing, sliding] = ["placing", "sliding"].map(|phase| {
            let part = made.path(phase);
            let files = ["shards", "filter", word(&part), word(&out), "-q"];
            let report = json(&[&files[..], &["--phase", phase, "--json"]].concat());
            assert_eq!(members(&report), ["out", "report", "collection"]);
            assert_eq!(report["collection"]["filter"]["phases"][0], phase);
            part
        });
        assert_eq!(samples(&placing).len() + samples(&sliding).len(), all.len());
        let whole = made.path("whole");
        let report = json(&[
            "shards",
            "merge",
            word(&whole),
            word(&sliding),
            word(&placing),
            word(&one),
            "-q",
            "--json",
            "--shard-samples",
            "60",
        ]);
        assert_eq!(sorted(samples(&whole)), sorted(all));
        assert!(shards(&whole).len() > 4);
        let count = |name: &str| report["report"][name].as_u64().unwrap();
        assert!(count("repeated") > 0);
        assert_eq!(count("read"), count("repeated") + count("kept"));
    }
}

#[test]
fn filters_keep_what_they_name() {
    let made = Generations::new("write");
    let [one, two] = ["1", "2"].map(|name| made.path(name));
    let all = [samples(&one), samples(&two)].concat();
    let filtered = |name: &str, filter: &[&str]| {
        let out = made.path(name);
        let files = ["shards", "filter", word(&out), word(&one), word(&two), "-q"];
        output(&[&files[..], filter].concat());
        samples(&out)
    };
    let expected = |keep: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        all.iter().filter(|sample| keep(sample)).cloned().collect()
    };
    assert_eq!(
        filtered("second", &["--generation", "2"]),
        expected(&|sample| sample["generation"] == 2)
    );
    assert_eq!(
        filtered("sheep", &["--outcome", "sheep", "--outcome", "none"]),
        expected(&|sample| sample["outcome"] == "sheep" || sample["outcome"].is_null())
    );
    let sliding = filtered("sliding", &["--phase", "sliding", "--generation", "..1"]);
    assert_eq!(
        sliding,
        expected(&|sample| {
            let position = sample["position"].as_str().unwrap();
            sample["generation"] == 1 && position.ends_with(" 0")
        })
    );
    assert!(!sliding.is_empty());
    // Folded, each position is there once, with a sample that it had.
    let folded = filtered("folded", &["--fold"]);
    assert!(folded.len() < all.len());
    for sample in &folded {
        assert!(all.contains(sample));
    }
    let mut positions: Vec<_> = folded
        .iter()
        .map(|sample| sample["position"].as_str())
        .collect();
    positions.sort();
    let count = positions.len();
    positions.dedup();
    assert_eq!(positions.len(), count);
    let mut known: Vec<_> = all
        .iter()
        .map(|sample| sample["position"].as_str())
        .collect();
    known.sort();
    known.dedup();
    assert_eq!(positions, known);
}

#[test]
fn what_cannot_be_asked_for_is_refused_by_name() {
    let made = Generations::new("write");
    let out = made.path("out");
    let one = made.path("1");
    let filter = |arguments: &[&str], code| {
        let files = ["shards", "filter", word(&out), word(&one), "-q"];
        let said = error(&[&files[..], arguments].concat(), code);
        assert!(!out.exists());
        said
    };
    let said = filter(&["--phase", "flying"], 2);
    assert!(
        said.contains("\"flying\"; available: placing, sliding"),
        "{said}"
    );
    let said = filter(&["--outcome", "wolf"], 2);
    assert!(
        said.contains("\"wolf\"; available: tiger, draw, sheep, none"),
        "{said}"
    );
    let said = filter(&["--generation", "2...3"], 2);
    assert!(said.contains("2..5"), "{said}");
    let said = filter(&["--generation", "7.."], 1);
    assert!(said.contains("no sample of"), "{said}");
    let read = Generations::new("read");
    let said = filter(&[word(&read.path("1"))], 1);
    assert!(said.contains("symmetric copies"), "{said}");
    let note = made.path("note.txt");
    fs::write(&note, "a note").unwrap();
    let said = filter(&[word(&note)], 1);
    assert!(said.contains("note.txt is neither"), "{said}");
    let shard = &shards(&one)[1];
    let mut bytes = fs::read(shard).unwrap();
    bytes[1000] ^= 1;
    fs::write(shard, bytes).unwrap();
    let said = filter(&[], 1);
    assert!(
        said.contains("shard-00001.bin") && said.contains("block 0"),
        "{said}"
    );
}

#[cfg(feature = "train")]
#[test]
fn a_training_goes_by_what_was_put_together() {
    let made = Generations::new("write");
    let [one, two, out, trained] = ["1", "2", "out", "trained"].map(|name| made.path(name));
    output(&[
        "shards",
        "filter",
        word(&out),
        word(&one),
        word(&two),
        "-q",
        "--fold",
    ]);
    let config = made.path("config.toml");
    let settings =
        "[network]\nhidden = [8]\n[training]\nreplay = 0.5\nbatch = 64\nvalidation = 0.2\n";
    fs::write(&config, settings).unwrap();
    let train = |shards: &[&str], out: &Path| {
        let arguments = [
            "train",
            "--config",
            word(&config),
            "--out",
            word(out),
            "-q",
            "--json",
            "--shards",
        ];
        json(&[&arguments[..], shards].concat())
    };
    let record = train(&[word(&out)], &trained);
    assert_eq!(record["window_samples"], samples(&out).len());
    // Merged and not folded, the same games are held out as without.
    let merged = made.path("merged");
    output(&[
        "shards",
        "merge",
        word(&merged),
        word(&one),
        word(&two),
        "-q",
    ]);
    let together = train(&[word(&merged)], &made.path("a"));
    let apart = train(&[word(&one), word(&two)], &made.path("b"));
    assert_eq!(together["training_samples"], apart["training_samples"]);
    assert_eq!(together["validation_before"], apart["validation_before"]);
}
