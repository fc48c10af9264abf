//! The loop from outside: runs that are stopped, killed, continued, extended and refused.
#![cfg(feature = "train")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(unix)]
mod broken;
mod evaluate;
mod extended;
mod faults;
#[cfg(unix)]
mod injected;
mod inspect;
#[cfg(unix)]
mod killed;
mod older;
mod operation;
#[cfg(unix)]
mod process;
mod same;
mod selfplay;
mod train;
mod y;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use tempfile::TempDir;

/// About a second and a half of two generations, of which every stage can be aimed at.
const CONFIG: &str = r#"
seed = 5
quiet_limit = 30

[selfplay]
games = 90
nodes = 60
opening_choices = 2
games_per_shard = 15

[network]
hidden = [16]

[training]
window = 2
replay = 2.0
batch = 256
validation = 0.2
validation_samples = 500
checkpoint_every = 20

[gate]
nodes = 1000
pairs = 24
random_pairs = 24
saturation = 0.0
bounds = [0.0, 100.0]
max_pairs = 80

[operation]
generations = 2
"#;

/// Changes that make [`CONFIG`] a matter of moments.
const SMALL: [(&str, &str); 7] = [
    ("selfplay.games", "12"),
    ("selfplay.nodes", "20"),
    ("training.replay", "0.5"),
    ("gate.nodes", "20"),
    ("gate.pairs", "4"),
    ("gate.random_pairs", "2"),
    ("gate.max_pairs", "4"),
];

/// The files of a folder, by their paths in it.
type Files = BTreeMap<String, Vec<u8>>;

/// The run of [`CONFIG`] on one thread that nothing ever stopped.
static WHOLE: LazyLock<Files> = LazyLock::new(|| {
    let job = Job::new(CONFIG);
    output(&job.begin(&["--threads", "1"]));
    files(&job.dir())
});

/// The same after its first generation.
static HALF: LazyLock<Files> = LazyLock::new(|| {
    let job = Job::new(CONFIG);
    output(&job.begin(&["--generations", "1"]));
    files(&job.dir())
});

/// [`CONFIG`] with other values of some keys, each as TOML.
fn config(changes: &[(&str, &str)]) -> String {
    let mut config: toml::Table = CONFIG.parse().unwrap();
    for (key, value) in changes {
        let value: toml::Table = format!("value = {value}").parse().unwrap();
        let value = value["value"].clone();
        match key.split_once('.') {
            None => config.insert((*key).to_owned(), value),
            Some((table, key)) => {
                let table = config[table].as_table_mut().unwrap();
                table.insert(key.to_owned(), value)
            }
        };
    }
    config.to_string()
}

/// A folder with a configuration and the directory of its run.
struct Job(TempDir);

impl Job {
    /// A run to begin.
    fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.toml"), config).unwrap();
        Self(folder)
    }

    /// A run of which there are some files.
    fn of(files: &Files) -> Self {
        let job = Self::new("");
        for (path, bytes) in files {
            let path = job.dir().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        job
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("config.toml")
    }

    fn dir(&self) -> PathBuf {
        self.0.path().join("run")
    }

    /// The arguments that begin it.
    fn begin(&self, more: &[&str]) -> Vec<String> {
        let (config, dir) = (self.config(), self.dir());
        let begin = ["run", "-q", "--config", word(&config), "--dir", word(&dir)];
        words(&[&begin, more].concat())
    }

    /// The arguments that go on with it.
    fn go_on(&self, more: &[&str]) -> Vec<String> {
        words(&[&["run", "-q", "--dir", word(&self.dir())], more].concat())
    }
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The program with arguments.
fn bagheera(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("bagheera");
    command.args(arguments);
    command
}

/// What it prints when all goes well.
fn output(arguments: &[impl AsRef<OsStr>]) -> String {
    text(&bagheera(arguments).assert().success().get_output().stdout)
}

/// The one line of JSON that it prints when all goes well.
fn json(arguments: &[impl AsRef<OsStr>]) -> Value {
    let text = output(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The one line on standard error of a program that ended with `code` and printed no result.
fn error(arguments: &[impl AsRef<OsStr>], code: i32) -> String {
    error_line(&bagheera(arguments).assert().code(code).stdout(""))
}

fn error_line(assert: &Assert) -> String {
    let text = text(&assert.get_output().stderr);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("bagheera: error: "), "{text}");
    text
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The names of the members of a JSON object, in their order.
fn members(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

/// All files below a folder.
fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = word(path.strip_prefix(folder).unwrap()).to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Checks that two finished jobs left the same files, but for what time and threads may change.
#[track_caller]
fn assert_same(found: &Files, expected: &Files) {
    let names: Vec<_> = found.keys().collect();
    assert_eq!(names, expected.keys().collect::<Vec<_>>());
    for (name, bytes) in found {
        let same = comparable(name, bytes) == comparable(name, &expected[name]);
        assert!(same, "{name} differs");
    }
}

/// A file without what time and threads may change in it.
fn comparable(name: &str, bytes: &[u8]) -> Vec<u8> {
    if name.ends_with("metrics.jsonl") {
        return bytes
            .split_inclusive(|byte| *byte == b'\n')
            .flat_map(without_rate)
            .collect();
    }
    // What tells of time, alone or among other things.
    if name.ends_with("/times.json") || name == "report.html" {
        return Vec::new();
    }
    if name == "config.toml" {
        let text = text(bytes);
        return text.split_once("[operation]").unwrap().0.into();
    }
    bytes.to_vec()
}

/// A line of metrics without the rate; half a line as it is.
fn without_rate(line: &[u8]) -> Vec<u8> {
    let Ok(mut value) = serde_json::from_slice::<Value>(line) else {
        return line.to_vec();
    };
    value
        .as_object_mut()
        .unwrap()
        .remove("positions_per_second");
    format!("{value}\n").into_bytes()
}
