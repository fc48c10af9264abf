//! The program from outside: what it prints, and how it ends.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod analyze;
mod endings;
mod fits;
mod games;
mod inspect;
mod ladders;
mod matches;
mod measures;
mod networks;
mod notations;
mod play;
mod shards;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;

/// The start of the game.
const START: &str = "T3T/5/5/5/T3T s 20";

/// A position to shuttle in, and the moves that lead back to it.
const SHUTTLE: (&str, &str) = (
    "SSSSS/SST1S/ST1S1/STS1S/S1SST s 0",
    "e4-e3 c4-d4 e3-e4 d4-c4",
);

/// The program with arguments.
fn bagheera(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("bagheera");
    command.args(arguments);
    command
}

/// What it prints when all goes well.
fn output(arguments: &[&str]) -> String {
    text(&bagheera(arguments).assert().success().get_output().stdout)
}

/// The one line of JSON that it prints when all goes well.
fn json(arguments: &[&str]) -> Value {
    let text = output(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The one line on standard error of a program that ended with `code` and printed no result.
fn error(arguments: &[&str], code: i32) -> String {
    error_line(&bagheera(arguments).assert().code(code).stdout(""))
}

/// The one line on standard error.
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
