//! `bagheera play`, by what a person types.

use crate::{SHUTTLE, START, bagheera, text};

/// What the program says to `typed`, the end of input after it.
fn play(arguments: &[&str], typed: &str) -> String {
    let arguments = [&["play"], arguments].concat();
    let assert = bagheera(&arguments).write_stdin(typed).assert();
    let assert = assert.success().stderr("");
    text(&assert.get_output().stdout)
}

const PLAYER: [&str; 2] = ["--player", "claude@depth=2"];

/// Boards drawn.
fn boards(said: &str) -> usize {
    said.matches("  a   b   c   d   e").count()
}

#[test]
fn the_computer_answers_and_the_end_of_input_ends_politely() {
    let said = play(&PLAYER, "c3\n");
    assert!(said.contains("You play sheep, claude@depth=2 plays tiger"));
    assert!(said.contains("\ntiger plays "), "{said}");
    assert_eq!(boards(&said), 3);
    assert!(said.ends_with("to continue from there.\n"), "{said}");
}

#[test]
fn games_at_a_level_follow_from_their_seed() {
    let said = |seed| play(&["--level", "2", "--seed", seed], "c3\nposition\n");
    assert!(said("1").contains("neural@level=2 plays tiger"));
    assert_eq!(said("1"), said("1"));
    let games = ["1", "2", "3", "4", "5", "6"].map(said);
    assert!(games.iter().any(|game| *game != games[0]));
}

#[test]
fn a_player_without_scores_has_no_levels() {
    let arguments = ["play", "--player", "random", "--level", "3"];
    let assert = bagheera(&arguments).write_stdin("").assert().code(2);
    let said = text(&assert.get_output().stderr);
    assert!(said.contains("random has no levels"), "{said}");
}

#[test]
fn quit_leaves_at_once() {
    let said = play(&PLAYER, "quit\nposition\n");
    assert_eq!(boards(&said), 1);
    assert!(said.contains(&format!("is at \"{START}\"")), "{said}");
}

#[test]
fn a_wrong_move_says_why_and_asks_again() {
    let said = play(&PLAYER, "z9\na5\na1-a2\nCAPTURE\nposition\n");
    for reason in [
        "\"z9\" is no point",
        "move \"a5\"",
        "move \"a1-a2\"",
        "move \"CAPTURE\"",
    ] {
        assert!(said.contains(reason), "{said}");
    }
    assert_eq!(said.matches("sheep> ").count(), 6);
    assert!(said.contains(&format!("sheep> {START}\n")), "{said}");
}

#[test]
fn undo_goes_back_to_the_persons_turn() {
    let said = play(&PLAYER, "c3\nd3\nundo\nundo\nposition\nundo\n");
    assert!(said.contains(&format!("sheep> {START}\n")), "{said}");
    assert!(said.contains("no move of yours to undo"), "{said}");
    // The start, two of both sides' moves, and the two positions gone back to.
    assert_eq!(boards(&said), 1 + 4 + 2);
}

#[test]
fn the_computers_first_move_is_not_the_persons_to_take_back() {
    let side = ["--side", "tiger"];
    let said = play(&[&side[..], &PLAYER[..]].concat(), "undo\n");
    assert!(said.contains("sheep plays "), "{said}");
    assert!(said.contains("no move of yours to undo"), "{said}");
}

#[test]
fn a_hint_has_three_moves_with_scores() {
    let said = play(&PLAYER, "hint\n");
    let (_, hint) = said.split_once("best moves by claude@depth=2").unwrap();
    let lines: Vec<&str> = hint.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(lines.len(), 3, "{said}");
    for line in lines {
        let [_, score] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert!(score.parse::<f32>().unwrap().is_finite());
    }
    let said = play(&["--side", "tiger", "TS3/5/5/5/TT2T t 15"], "hint\n");
    assert!(said.contains("  a5xc5  tiger in 1\n"), "{said}");
}

#[test]
fn a_player_that_does_not_score_says_so() {
    let said = play(&["--player", "random@seed=2"], "hint\n");
    assert!(
        said.contains("random@seed=2 does not score moves"),
        "{said}"
    );
}

#[test]
fn moves_and_help_are_listed() {
    let said = play(&PLAYER, "moves\nhelp\n\n");
    let listed = said.lines().find(|line| line.contains("c3")).unwrap();
    assert_eq!(listed.split_whitespace().count(), 1 + 21);
    for command in ["undo", "hint", "moves", "position", "quit"] {
        assert!(said.contains(&format!("\n  {command} ")), "{said}");
    }
}

#[test]
fn a_win_is_announced_and_can_be_undone() {
    let said = play(
        &["--side", "both", "TS3/5/5/5/TT2T t 15"],
        "a5xc5\nd4\nhint\nundo\nposition\na5-a4\nposition\n",
    );
    assert!(said.contains("The game is over: tiger has won."), "{said}");
    assert_eq!(said.matches("The game is over. Type undo").count(), 2);
    assert!(said.contains("tiger> TS3/5/5/5/TT2T t 15\n"), "{said}");
    assert!(said.contains("sheep> 1S3/T4/5/5/TT2T s 15\n"), "{said}");
}

#[test]
fn repetition_and_quiet_plies_draw() {
    let (position, round) = SHUTTLE;
    let typed = format!("{round} {round} ").replace(' ', "\n");
    let both = ["--side", "both", position];
    let said = play(&both, &typed);
    assert!(
        said.contains("over: a draw, because the position has occurred for the third time"),
        "{said}"
    );
    let said = play(&[&both[..], &["--quiet-limit", "5"]].concat(), &typed);
    assert!(
        said.contains("over: a draw, after 5 plies without an irreversible move"),
        "{said}"
    );
    assert_eq!(boards(&said), 6);
}

#[test]
fn two_computers_need_nobody() {
    let arguments = ["--side", "none", "--player", "claude@depth=1"];
    let said = play(&[&arguments[..], &["--quiet-limit", "8"]].concat(), "");
    assert!(said.contains("plays both sides"), "{said}");
    assert_eq!(said.matches("The game is over: ").count(), 1);
    assert!(!said.contains("> "), "{said}");
}

#[test]
fn lines_without_end_and_bytes_without_meaning_do_no_harm() {
    let mut typed = vec![b'x'; 100_000];
    typed.extend(b"\n\xff\xfe\nposition\n");
    let assert = bagheera(&["play"]).write_stdin(typed).assert().success();
    let said = text(&assert.get_output().stdout);
    assert!(said.contains(&format!("sheep> {START}\n")), "{said}");
}
