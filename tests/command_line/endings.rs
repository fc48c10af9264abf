//! Help, exit codes, errors in one line, and pipes that close.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::{bagheera, error, output, text};

/// The subcommands that `--help` lists.
fn subcommands() -> Vec<String> {
    let help = output(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_subcommand_helps() {
    let names = subcommands();
    for known in ["play", "analyze", "match", "perft", "inspect"] {
        assert!(names.iter().any(|name| name == known), "{names:?}");
    }
    for name in names {
        let help = output(&[&name, "--help"]);
        assert!(help.contains(&format!("Usage: bagheera {name}")), "{help}");
    }
}

#[test]
fn shells_complete_every_subcommand() {
    for shell in ["bash", "zsh", "fish"] {
        let script = output(&["completions", shell]);
        for name in subcommands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
}

#[test]
fn without_arguments_there_is_help() {
    bagheera(&[])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("Usage:"));
}

#[test]
fn what_cannot_be_is_refused_with_code_2_and_a_reason() {
    for (arguments, reasons) in [
        (
            &["analyze", "TT2T/5/5/5/T3T s 20"][..],
            &["TT2T/5/5/5/T3T s 20", "5 tigers", "always 4"][..],
        ),
        (
            &["perft", "1", "TSSST/5/5/5/T3T s 18"],
            &["3 sheep on the board", "18 in hand", "at most 20"],
        ),
        (
            &["analyze", "--moves", "c3 c3-c4"],
            &["\"c3-c4\"", "no tiger stands there"],
        ),
        (
            &["analyze", "--player", "random"],
            &["random", "does not score", "claude"],
        ),
        (
            &["match", "clod", "random"],
            &["\"clod\"", "claude", "neural:FILE"],
        ),
        (
            &["match", "random", "random", "--book", "none"],
            &["\"none\"", "gate, tuning, final"],
        ),
        (&["match", "random", "random", "--sprt", "5,5"], &["elo"]),
        (
            &["openings", "--min-plies", "9", "--max-plies", "8"],
            &["--min-plies 9", "--max-plies 8"],
        ),
        (&["play", "--side", "goat"], &["\"goat\"", "tiger, sheep"]),
        (&["play", "5/5/5/5/5 s 20"], &["5/5/5/5/5 s 20", "0 tigers"]),
    ] {
        let said = error(arguments, 2);
        for reason in reasons {
            assert!(
                said.to_lowercase().contains(&reason.to_lowercase()),
                "{arguments:?}: {said}"
            );
        }
    }
}

#[test]
fn arguments_that_do_not_parse_are_refused_with_code_2_and_a_reason() {
    for (arguments, reason) in [
        (
            &["match", "random@seed=x", "random"][..],
            "seed is a number",
        ),
        (
            &["bench", "--player", "claude@deep=3"],
            "no option \"deep\"",
        ),
        (&["play", "--player", "neural:"], "names no file"),
        (&["match", "random", "random", "--sprt", "5"], "like 0,30"),
        (&["perft", "0"], "1..=30"),
        (&["perft", "1", "--game", "go"], "bagh-chal"),
        (&["inspect"], "<FILE>"),
        (&["fly"], "'fly'"),
    ] {
        let assert = bagheera(arguments).assert().code(2).stdout("");
        let said = text(&assert.get_output().stderr);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}

#[test]
fn what_goes_wrong_ends_with_code_1_and_names_the_file() {
    for arguments in [
        &["match", "neural:no.net", "random"][..],
        &["analyze", "--player", "neural:no.net"],
        &["play", "--player", "neural:no.net@depth=1"],
        &["inspect", "no.net"],
    ] {
        let said = error(arguments, 1);
        assert!(said.contains("no.net"), "{said}");
    }
}

#[test]
fn missing_tables_end_with_code_1_and_name_what_makes_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let player = format!("claude@depth=1,exact={folder}");
    for arguments in [
        &["bench", "--player", &player][..],
        &["analyze", "--player", &player],
        &["analyze", "--tables", folder],
        &["play", "--tables", folder],
        &["openings", "--tables", folder],
    ] {
        let said = error(arguments, 1);
        assert!(said.contains(folder), "{said}");
        assert!(said.contains("`bagheera endgame build --tables"), "{said}");
    }
}

#[test]
fn a_file_that_is_no_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.net");
    std::fs::write(&path, "no network").unwrap();
    let said = error(
        &["bench", "--player", &format!("neural:{}", path.display())],
        1,
    );
    assert!(said.contains("words.net"), "{said}");
    assert!(said.contains("not a network file"), "{said}");
}

#[test]
fn a_reader_that_has_enough_ends_the_program_quietly() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("bagheera"))
        .args(["play", "--side", "both"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may have ended before it reads this.
    let _ = input.write_all(b"position\n");
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{:?}", ended.status);
    assert_eq!(text(&ended.stderr), "");
    drop(input);
}

#[test]
fn wrong_arguments_are_told_in_one_line() {
    for (arguments, told) in [
        (
            &["match", "claude@depht=3", "random"][..],
            "no option \"depht\"",
        ),
        (&["match", "claude"], "<SECOND>"),
        (&["mtach"], "'match'"),
        (&["selfplay"], "--out <DIR>"),
        (&["perft", "x"], "<DEPTH>"),
    ] {
        let said = error(arguments, 2);
        assert!(said.contains(told), "{said}");
    }
}
