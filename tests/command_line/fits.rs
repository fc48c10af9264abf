//! `bagheera fit`, and players by the weights that it finds.

use crate::{bagheera, error, json, output};

#[test]
fn weights_fitted_to_games_can_be_played_by() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (shards, weights) = (path("shards"), path("weights.json"));
    let out = ["--out", &shards, "--augment", "read", "--quiet"];
    let games = ["selfplay", "--player", "claude@nodes=50", "--games", "40"];
    output(&[games.as_slice(), &out].concat());

    let fit = ["fit", "--shards", &shards, "--held-out", "0.2", "--quiet"];
    let record = json(&[fit.as_slice(), &["--json", "--out", &weights]].concat());
    let [fitted, held_out] = ["fitted", "held_out"].map(|games| &record[games]);
    let games = |losses: &serde_json::Value| losses["games"].as_u64().unwrap();
    assert!(games(held_out) > 0);
    assert_eq!(games(fitted) + games(held_out), 40);
    let loss = |when: &str| fitted[when].as_f64().unwrap();
    assert!(loss("loss_after") < loss("loss_before"));

    let text = output(&[fit.as_slice(), &["--threads", "1", "--from", &weights]].concat());
    assert!(text.contains("moves of the tigers, sliding"), "{text}");
    assert!(text.contains("held out: before"), "{text}");

    let weighted = format!("claude@nodes=50,weights={weights}");
    output(&["match", &weighted, "claude@nodes=50", "--pairs", "2", "-q"]);
    let nodes = |player: &str| {
        let noted = json(&["bench", "--player", player, "--json"]);
        noted["nodes"].as_u64().unwrap()
    };
    let of_weights = format!("claude@depth=4,weights={weights}");
    assert_ne!(nodes(&of_weights), nodes("claude@depth=4"));
}

#[test]
fn weights_that_could_not_be_written_are_not_fitted() {
    let arguments = ["fit", "--shards", "none", "--out", "no/such/folder/w.json"];
    assert!(error(&arguments, 2).contains("the folder no/such/folder of --out does not exist"));
}

#[test]
fn what_cannot_be_fitted_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let shards = folder.path().to_str().unwrap();
    let of = |more: &[&str]| error(&[&["fit", "--shards", shards], more].concat(), 2);
    assert!(of(&["--evaluation", "material"]).contains("material"));
    assert!(of(&["--prior", "x"]).contains("--prior"));
    assert!(of(&["--held-out", "1"]).contains("less than 1"));
    assert!(of(&["--result-weight", "2"]).contains("0 to 1"));
    bagheera(&["fit", "--shards", shards]).assert().code(1);
}
