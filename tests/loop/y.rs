//! The loop with the second game: everything that a run makes works there too, and files of one game
//! are refused for the other.

use std::fs;

use crate::{Job, SMALL, assert_same, bagheera, config, error, files, json, output, text, word};

/// A small run of Y on a board of a side, from openings of its own book.
fn job(side: u8) -> Job {
    let job = Job::new("");
    let book = job.0.path().join("book.txt");
    let rules = format!("side={side}");
    let openings = [
        "openings",
        "--game",
        "y",
        "--rules",
        &rules,
        "--count",
        "4",
        "--min-plies",
        "1",
        "--max-plies",
        "4",
        "--nodes",
        "40",
        "-q",
        "--out",
        word(&book),
    ];
    output(&openings);
    let book = format!("{:?}", word(&book));
    let rules = format!("{{ side = {side} }}");
    let changes = [
        &SMALL[..],
        &[
            ("game", "\"y\""),
            ("rules", rules.as_str()),
            ("gate.book", book.as_str()),
        ],
    ];
    fs::write(job.config(), config(&changes.concat())).unwrap();
    job
}

#[test]
fn a_run_of_y_repeats_is_whole_and_explains_itself() {
    let jobs = ["1", "2"].map(|threads| {
        let job = job(5);
        // The book's name is part of the run.
        let text = fs::read_to_string(job.config()).unwrap();
        let book = job.0.path().join("book.txt");
        fs::write(job.config(), text.replace(word(&book), "book.txt")).unwrap();
        let mut run = bagheera(&["run", "-q", "--config", "config.toml", "--dir", "run"]);
        run.args(["--threads", threads]).current_dir(job.0.path());
        run.assert().success();
        job
    });
    let [one, two] = jobs.each_ref().map(|job| files(&job.dir()));
    assert_same(&one, &two);
    assert!(text(&one["config.toml"]).contains("[rules]\nside = 5"));
    let page = text(&one["report.html"]);
    assert!(page.contains("<polygon") && page.contains("distance"));
    assert!(page.contains("--max: #2f74c0; --min: #d0433a;"));

    let dir = jobs[0].dir();
    let inspected = json(&["inspect", "--json", word(&dir)]);
    assert_eq!(inspected["whole"], true, "{inspected}");
    assert!(output(&["status", word(&dir)]).starts_with("y: 2 of 2 generations"));
    let network = dir.join("best.net");
    let player = format!("neural:{}@nodes=50", network.display());
    let analysis = json(&[
        "analyze", "--game", "y", "--rules", "side=5", "--player", &player, "--json", "-q",
    ]);
    assert_eq!(analysis["moves"].as_array().unwrap().len(), 15);
    let games = dir.join("generations/002/gate-hand-written.games");
    let review = output(&[
        "analyze",
        "--game",
        "y",
        "--games",
        word(&games),
        "--number",
        "1",
        "--player",
        &player,
        "-q",
    ]);
    assert!(review.contains("distance"), "{review}");

    let foreign = error(&["analyze", "--player", &player, "-q"], 1);
    assert!(foreign.contains("plays y, not bagh-chal"), "{foreign}");
    let foreign = error(&["analyze", "--games", word(&games), "-q"], 1);
    assert!(
        foreign.contains("a game of y, not of bagh-chal"),
        "{foreign}"
    );
}

#[test]
fn a_book_of_another_board_is_refused() {
    let job = job(4);
    let text = fs::read_to_string(job.config()).unwrap();
    fs::write(job.config(), text.replace("side = 4", "side = 5")).unwrap();
    let refusal = error(&job.begin(&[]), 1);
    assert!(
        refusal.contains("with side = 4, but the run is played with side = 5"),
        "{refusal}"
    );
    assert!(!job.dir().exists());
    fs::write(job.config(), text.replace("side = 4", "side = 40")).unwrap();
    let refusal = error(&job.begin(&[]), 1);
    assert!(
        refusal.contains("rules: a board has 2 to 8 cells"),
        "{refusal}"
    );
}

#[test]
fn the_network_that_comes_with_the_program_plays_on_the_board_that_it_has_learnt() {
    let both = ["neural@nodes=300", "distance@nodes=300"];
    let options = [
        "--game", "y", "--pairs", "20", "--book", "tuning", "--quiet", "--json",
    ];
    let played = json(&[&["match"], &both[..], &options[..]].concat());
    assert!(played["score"].as_f64().unwrap() > 0.6, "{played}");

    let analysis = |rules| output(&["analyze", "--game", "y", "--rules", rules, "-q"]);
    assert!(analysis("side=7").contains(", neural@"));
    assert!(analysis("side=5").contains(", distance@"));
}
