//! `bagheera ladder`.

use std::fs;

use bagheera::game::Game as _;
use bagheera::games::bagh_chal::{Points, Position};
use bagheera::network::{Activation, Architecture, FeatureId, Network};

use crate::{error, json, output};

/// A folder that looks like a run's, with networks of three generations.
fn run() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    for generation in 0..3 {
        let path = folder.path().join(format!("generations/{generation:03}"));
        fs::create_dir_all(&path).unwrap();
        let architecture = Architecture::new(
            Position::NAME,
            FeatureId::of::<Position, Points>(),
            &[8],
            Activation::ScRelu,
        );
        let network = Network::random(architecture, generation).unwrap();
        network.save(path.join("candidate.net")).unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn the_generations_of_a_run_are_rated_and_games_are_kept() {
    let (folder, path) = run();
    let arguments = ["ladder", "claude@depth=2", "random", "--run", &path];
    let more = ["--nodes", "60", "--pairs", "2", "--quiet-limit", "30"];
    let arguments = [&arguments[..], &more[..]].concat();
    let record = json(&[&arguments[..], &["--json"]].concat());
    let players = record["players"].as_array().unwrap();
    assert_eq!(players.len(), 5);
    assert_eq!(players[1]["generation"], 1);
    assert_eq!(record["matches"].as_array().unwrap().len(), 10);
    for player in players {
        assert!(player["rating"]["elo"].is_f64() && player["by_side"]["tiger"].is_object());
    }
    let kept = folder.path().join("ladder");
    assert_eq!(fs::read_dir(&kept).unwrap().count(), 11);
    let written: serde_json::Value =
        serde_json::from_slice(&fs::read(kept.join("ladder.json")).unwrap()).unwrap();
    assert_eq!(written, record);

    // Half of it is gone, and comes back.
    fs::remove_file(kept.join("generation-0-nodes-60_random.games")).unwrap();
    let said = output(&arguments);
    assert_eq!(said.lines().count(), 8, "{said}");
    assert!(
        said.lines().nth(1).unwrap().starts_with("claude@depth=2"),
        "{said}"
    );
    let gauntlet = ["--scheme", "gauntlet", "--generations", "0,2", "--json"];
    let record = json(&[&arguments[..], &gauntlet].concat());
    assert_eq!(record["matches"].as_array().unwrap().len(), 4);

    // Other terms are another match, and what was played stays.
    let games = kept.join("generation-0-nodes-60_random.games");
    let before = fs::read(&games).unwrap();
    let refused = error(&[&arguments[..], &["--seed", "2", "--quiet"]].concat(), 1);
    assert!(refused.contains("another seed"), "{refused}");
    assert_eq!(fs::read(&games).unwrap(), before);
    let deeper = [
        &arguments[..5],
        &["--nodes", "90"],
        &arguments[7..],
        &["--json"],
    ]
    .concat();
    let other = json(&deeper);
    assert_ne!(other["players"][0]["name"], record["players"][0]["name"]);
    assert_eq!(fs::read(&games).unwrap(), before);
}

#[test]
fn who_cannot_play_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().to_str().unwrap();
    for (arguments, code, reason) in [
        (&["ladder", "random"][..], 2, "two players or more"),
        (
            &["ladder", "--run", nowhere],
            2,
            "does not contain the networks of a run",
        ),
        (&["ladder", "random", "random"], 2, "give the same name"),
        (
            &["ladder", "random", "greedy", "--pairs", "100000"],
            2,
            "too few",
        ),
    ] {
        let refused = error(arguments, code);
        assert!(refused.contains(reason), "{refused}");
    }
}
