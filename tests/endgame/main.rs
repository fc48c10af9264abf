//! The endgame tables, built on the spot, against exact data of other programs; damaged ones; the
//! command line.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod damaged;
mod exam;
mod hard_cases;
mod players;
#[cfg(feature = "train")]
mod run;
mod selfplay;
mod values;

#[path = "../truth/mod.rs"]
mod truth;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use bagheera::games::bagh_chal::endgame::{Layer, Tables, build};
use bagheera::interrupt::Interrupt;
use bagheera::reporter::Reporter;
use serde_json::Value;
use tempfile::TempDir;

/// The start of the game.
const START: &str = "T3T/5/5/5/T3T s 20";

/// Names a folder of tables that are there already, for the tests of values alone: how
/// `scripts/check_tables.sh` checks larger ones.
const FOLDER: &str = "BAGHEERA_TABLES";

/// The tables that all tests share, up to one sheep in hand, and the folder that they lie in.
static TABLES: LazyLock<(Option<TempDir>, Tables)> = LazyLock::new(|| {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return (None, Tables::open(Path::new(&folder)).unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), 1, &Interrupt::default(), &talk()).unwrap();
    let tables = Tables::open(folder.path()).unwrap();
    (Some(folder), tables)
});

fn tables() -> &'static Tables {
    &TABLES.1
}

fn talk() -> Reporter {
    Reporter::new(true)
}

/// The place of a layer in a folder.
fn place(folder: &Path, layer: Layer) -> PathBuf {
    folder.join(layer.file_name())
}

/// A folder with some of the layers.
fn folder_with(layers: impl IntoIterator<Item = Layer>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for layer in layers {
        let (from, to) = (place(tables().folder(), layer), place(folder.path(), layer));
        fs::copy(from, to).unwrap();
    }
    folder
}

fn bagheera(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("bagheera");
    command.args(arguments);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let assert = bagheera(arguments).assert().success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// The one line of a program that failed.
fn error(arguments: &[&str], code: i32) -> String {
    let assert = bagheera(arguments).assert().code(code).stdout("");
    let said = text(&assert.get_output().stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("bagheera: error: "), "{said}");
    said
}
