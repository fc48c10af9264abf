//! Operating runs: their status, comparing them, limits of time, pruning.

use std::fs;

use serde_json::Value;

use crate::{
    CONFIG, HALF, Job, SMALL, WHOLE, assert_same, bagheera, config, error, files, json, members,
    output, text, word,
};

fn status(job: &Job) -> Value {
    json(&["status", word(&job.dir()), "--json"])
}

#[test]
fn a_finished_run_says_so_and_how_to_add_to_it() {
    let job = Job::of(&WHOLE);
    let found = status(&job);
    assert_eq!(
        members(&found),
        [
            "game",
            "at_work",
            "finished",
            "generations",
            "best",
            "points",
            "stage",
            "times",
            "remaining"
        ]
    );
    assert_eq!(found["at_work"], false);
    assert_eq!(
        (&found["finished"], &found["generations"]),
        (&2.into(), &2.into())
    );
    assert_eq!(found["stage"], Value::Null);
    assert_eq!(found["remaining"], 0.0);
    for stage in ["selfplay", "training", "gate"] {
        assert!(found["times"][stage].as_f64().unwrap() > 0.0, "{found}");
    }
    let said = output(&["status", word(&job.dir())]);
    assert!(said.contains("2 of 2 generations finished"), "{said}");
    assert!(said.contains("--generations N"), "{said}");
}

#[test]
fn every_stage_of_a_stopped_run_is_told() {
    let job = Job::of(&WHOLE);
    let state = &HALF["state.json"];
    fs::write(job.dir().join("state.json"), state).unwrap();
    let folder = job.dir().join("generations/002");
    fs::remove_file(folder.join("record.json")).unwrap();
    let stage = |job: &Job| {
        let stage = status(job)["stage"].clone();
        let name = stage["name"].as_str().unwrap().to_owned();
        (
            name,
            stage["done"].as_u64().unwrap(),
            stage["generation"].clone(),
        )
    };
    let games = folder.join("gate-random.games");
    let whole = fs::read_to_string(&games).unwrap();
    fs::write(&games, &whole[..whole.len() / 2]).unwrap();
    let (name, done, generation) = stage(&job);
    assert_eq!((name.as_str(), generation), ("gate-random", 2.into()));
    assert!((1..24).contains(&done), "{done}");
    fs::remove_file(folder.join("training.json")).unwrap();
    let (name, step, _) = stage(&job);
    assert_eq!(name, "training");
    assert!(step > 20, "{step}");
    fs::remove_file(folder.join("shards/manifest.json")).unwrap();
    fs::remove_file(folder.join("shards/shard-00005.bin")).unwrap();
    assert_eq!(stage(&job), ("self-play".to_owned(), 75, 2.into()));
    let said = output(&["status", word(&job.dir())]);
    assert!(
        said.contains("generation 2: self-play, 75 of 90 games"),
        "{said}"
    );
    assert!(said.contains("time remaining"), "{said}");
    output(&job.go_on(&[]));
    assert_same(&files(&job.dir()), &WHOLE);
}

#[cfg(unix)]
#[test]
fn a_process_at_work_is_seen_and_not_disturbed() {
    let job = Job::new(CONFIG);
    let mut run = crate::process::Running::start(&job.begin(&[]));
    assert!(run.wait_until(|| job.dir().join("state.json").exists()));
    let mut seen = false;
    while !run.has_ended() {
        let found = status(&job);
        seen |= found["at_work"] == true;
    }
    assert!(seen);
    assert!(run.end().status.success());
    assert_same(&files(&job.dir()), &WHOLE);
}

#[test]
fn where_there_is_no_run_that_is_told() {
    let job = Job::new("");
    let refused = error(&["status", word(&job.dir())], 1);
    assert!(refused.contains("config.toml"), "{refused}");
}

#[test]
fn two_runs_are_compared_by_their_keys_and_generations() {
    let (one, other) = (Job::of(&WHOLE), Job::new(&config(&SMALL)));
    output(&other.begin(&["--generations", "1", "--seed", "9"]));
    let dirs = [one.dir(), other.dir()];
    let said = output(&["compare", word(&dirs[0]), word(&dirs[1])]);
    assert!(said.contains("in A seed is 5, not 9 as in B"), "{said}");
    assert!(said.contains("gate.pairs is 24, not 4"), "{said}");
    let rows: Vec<&str> = said.lines().rev().take(3).collect();
    assert!(
        rows[0].starts_with("  2") && rows[0].contains('–'),
        "{said}"
    );
    let found = json(&["compare", word(&dirs[0]), word(&dirs[1]), "--json"]);
    assert_eq!(found["first"].as_array().unwrap().len(), 2);
    assert_eq!(found["second"].as_array().unwrap().len(), 1);
    let same = output(&["compare", word(&dirs[0]), word(&dirs[0])]);
    assert!(same.contains("the same configuration"), "{same}");
}

#[test]
fn old_shards_go_if_that_is_asked_for_and_nothing_else_does() {
    let small = config(&[&SMALL[..], &[("operation.generations", "4")]].concat());
    let whole = Job::new(&small);
    output(&whole.begin(&[]));
    let pruned = Job::new(&config(
        &[
            &SMALL[..],
            &[
                ("operation.generations", "4"),
                ("operation.keep_shards", "1"),
            ],
        ]
        .concat(),
    ));
    output(&pruned.begin(&[]));
    let (mut expected, found) = (files(&whole.dir()), files(&pruned.dir()));
    // Training looks back on two generations.
    let old = |name: &str| {
        ["001", "002"]
            .iter()
            .any(|generation| name.starts_with(&format!("generations/{generation}/shards/shard-")))
    };
    let before = expected.len();
    expected.retain(|name, _| !old(name));
    assert!(expected.len() < before);
    assert_same(&found, &expected);
    // Nothing that is worked out again needs them.
    fs::remove_file(pruned.dir().join("state.json")).unwrap();
    fs::remove_file(pruned.dir().join("generations/001/record.json")).unwrap();
    output(&pruned.go_on(&[]));
    assert_same(&files(&pruned.dir()), &expected);
    output(&pruned.go_on(&["--generations", "5"]));
    output(&whole.go_on(&["--generations", "5"]));
    assert_eq!(
        files(&pruned.dir())["best.net"],
        files(&whole.dir())["best.net"]
    );
}

#[test]
fn flags_say_how_long_and_from_what_network() {
    let job = Job::new(&config(&SMALL));
    for (time, fault) in [("0s", "must be positive"), ("soon", "expected number")] {
        let arguments = job.begin(&["--time", time]);
        let refused = error(&arguments, 2);
        assert!(refused.contains(fault), "{refused}");
    }
    let network = job.0.path().join("given.net");
    fs::write(&network, &WHOLE["generations/001/candidate.net"]).unwrap();
    let arguments = job.begin(&["--time", "1h", "--start-from", word(&network)]);
    let arguments: Vec<&String> = arguments.iter().filter(|word| *word != "-q").collect();
    let ended = bagheera(&arguments).assert().success();
    let said = text(&ended.get_output().stderr);
    assert!(said.contains("Continue with: bagheera run --dir"), "{said}");
    let found = files(&job.dir());
    assert_eq!(
        found["generations/000/candidate.net"],
        WHOLE["generations/001/candidate.net"]
    );
    assert!(text(&found["config.toml"]).contains("budget_minutes = 60"));
}

#[test]
fn the_report_of_a_run_is_one_page_that_needs_no_other() {
    let job = Job::of(&WHOLE);
    let page = text(&WHOLE["report.html"]);
    for part in [
        "<!DOCTYPE html>",
        "Points in matches",
        "Validation loss",
        "Time by stage",
        "Calibration",
        "every key of the run",
        "prefers-color-scheme: dark",
        "sheep in hand",
    ] {
        assert!(page.to_lowercase().contains(&part.to_lowercase()), "{part}");
    }
    assert!(page.matches("<svg").count() > 8);
    for outside in ["http://", "https://", "src=", "href="] {
        let used = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!used.contains(outside), "{outside}");
    }
    assert!(page.len() < 2_000_000, "{}", page.len());
    let found = json(&["report", word(&job.dir()), "--json"]);
    let generations = found["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    assert_eq!(generations[1]["record"]["generation"], 2);
    let games = found["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        assert!(game["plies"].as_array().unwrap().len() > 1, "{game}");
        assert!(game["result"].is_string());
    }
    fs::remove_file(job.dir().join("report.html")).unwrap();
    let said = output(&["report", word(&job.dir())]);
    assert!(said.contains("report.html"), "{said}");
    assert_eq!(text(&files(&job.dir())["report.html"]), page);
}
