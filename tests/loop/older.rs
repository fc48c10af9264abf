//! A run that an earlier version began is continued to the end that version reached.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Files, Job, files, output};

/// See its README.
const RUN: &str = "tests/data/run-0.1";

/// The finished run of the earlier version.
fn whole() -> Files {
    files(&Path::new(RUN).join("whole"))
}

/// The run as it was after its first generation, with `more` files of the second.
fn stopped(more: &[&str]) -> Files {
    let mut stopped = whole();
    stopped.retain(|name, _| {
        let second = name.strip_prefix("generations/002/");
        second.is_none_or(|name| more.iter().any(|more| name.starts_with(more)))
    });
    let state = fs::read(Path::new(RUN).join("state-after-1.json")).unwrap();
    stopped.insert("state.json".to_owned(), state);
    stopped.insert(
        "best.net".to_owned(),
        stopped["generations/000/candidate.net"].clone(),
    );
    stopped
}

/// Returns true if `found` equals `expected`, fractions to within a hundredth; a later version may have
/// added members to objects.
fn extends(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, expected)| {
                let rate = key == "positions_per_second";
                rate || found.get(key).is_some_and(|found| extends(found, expected))
            })
        }
        (Value::Array(found), Value::Array(expected)) => {
            let mut pairs = found.iter().zip(expected);
            found.len() == expected.len() && pairs.all(|(found, expected)| extends(found, expected))
        }
        // Version 0.1 validated in floating point, later ones by the integers that play.
        (Value::Number(found), Value::Number(expected)) if expected.is_f64() => {
            let [found, expected] = [found, expected].map(|number| number.as_f64().unwrap());
            (found - expected).abs() <= 0.01 * expected.abs()
        }
        _ => found == expected,
    }
}

/// Checks the files of the earlier version that `compare` picks, all but its configuration, to
/// which keys may have been added.
#[track_caller]
fn assert_continued(found: &Files, compare: impl Fn(&str) -> bool) {
    for (name, expected) in whole() {
        if name == "config.toml" || !compare(&name) {
            continue;
        }
        let found = &found[&name];
        let values = |bytes: &[u8]| -> Option<Vec<Value>> {
            let values = serde_json::Deserializer::from_slice(bytes).into_iter();
            values.map(Result::ok).collect()
        };
        let same = match (values(found), values(&expected)) {
            _ if *found == expected => true,
            (Some(found), Some(expected)) => extends(&found.into(), &expected.into()),
            _ => false,
        };
        assert!(same, "{name} differs");
    }
}

fn continued(files: &Files) -> Files {
    let job = Job::of(files);
    output(&job.go_on(&["--generations", "2"]));
    crate::files(&job.dir())
}

#[test]
fn a_run_of_an_earlier_version_is_continued_in_its_gate() {
    let trained = ["shards/", "candidate.net", "training.json", "metrics.jsonl"];
    assert_continued(&continued(&stopped(&trained)), |_| true);
}

#[test]
fn a_run_of_an_earlier_version_is_continued_in_its_self_play() {
    // Networks are the same on the same kind of processor alone.
    let trains_the_same = {
        #[cfg(target_arch = "x86_64")]
        {
            is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma")
        }
        #[cfg(not(target_arch = "x86_64"))]
        false
    };
    let shard = ["shards/shard-00000.bin", "shards/shard-00000.games.jsonl"];
    for more in [&shard[..], &[]] {
        let found = continued(&stopped(more));
        assert_continued(&found, |name| trains_the_same || name.contains("shards/"));
    }
}

#[test]
fn a_finished_run_of_an_earlier_version_stays_as_it_is() {
    assert_continued(&continued(&whole()), |_| true);
}
