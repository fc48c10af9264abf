//! A network with two views and output buckets, from its configuration to its moves.
#![cfg(feature = "train")]

use std::fs;

use crate::{json, output};

const CONFIG: &str = r#"
game = "y"
[network]
features = "sides"
hidden = [16]
views = 2
output_buckets = 3
[training]
replay = 2.0
learning_rate = 0.01
batch = 256
validation = 0.2
"#;

#[test]
fn two_views_and_output_buckets_are_a_matter_of_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (config, games, trained) = (path("config.toml"), path("games"), path("trained"));
    fs::write(&config, CONFIG).unwrap();
    let player = "distance@nodes=30";
    output(&[
        "selfplay", "--game", "y", "--rules", "side=4", "--player", player, "--games", "300",
        "--out", &games, "-q",
    ]);
    let record = json(&[
        "train", "--config", &config, "--shards", &games, "--out", &trained, "-q", "--json",
    ]);
    let loss = |record: &serde_json::Value| record["loss"].as_f64().unwrap();
    let (before, after) = (&record["validation_before"], &record["validation"]);
    assert!(loss(after) < 0.9 * loss(before), "{record}");

    let network = path("trained/candidate.net");
    let described = output(&["inspect", &network]);
    assert!(
        described.contains("→ 2 × 16 → 3, squared clipped ReLU"),
        "{described}"
    );
    assert!(described.contains("sides version 1"), "{described}");
    let player = format!("neural:{network}@depth=1");
    let analysis = json(&["analyze", "--game", "y", "--json", "--player", &player]);
    let moves = analysis["moves"].as_array().unwrap();
    let mut scores: Vec<_> = moves.iter().filter_map(|mv| mv["score"].as_f64()).collect();
    assert_eq!(scores.len(), moves.len());
    scores.dedup();
    assert!(scores.len() > 3, "{scores:?}");
}
