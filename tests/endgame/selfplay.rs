//! Self-play that uses exact values.

use std::path::Path;

use bagheera::game::ExactValues as _;
use bagheera::games::bagh_chal::Position;
use bagheera::shard::{Sample, ShardReader};

use crate::{error, json, tables};

fn samples(out: &Path) -> Vec<Sample<Position>> {
    let reader = ShardReader::<Position>::open(&out.join("shard-00000.bin")).unwrap();
    reader.originals().map(Result::unwrap).collect()
}

/// Plays a few games and returns their manifest and samples.
fn play(exact: &str) -> (serde_json::Value, Vec<Sample<Position>>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let manifest = json(&[
        "selfplay",
        "-q",
        "--json",
        "--player",
        "claude@nodes=100",
        "--games",
        "20",
        "--exact",
        exact,
        "--tables",
        tables().folder().to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    (manifest, samples(&out))
}

#[test]
fn labels_are_exact_and_games_go_on() {
    let (_, usual) = play("off");
    let (_, labelled) = play("label");
    let positions = |samples: &[Sample<Position>]| -> Vec<Position> {
        samples.iter().map(|sample| sample.position).collect()
    };
    assert_eq!(positions(&usual), positions(&labelled));
    let (mut known, mut changed) = (0, 0);
    for (usual, labelled) in usual.iter().zip(&labelled) {
        match tables().probe(&labelled.position) {
            None => assert_eq!(usual.outcome, labelled.outcome),
            Some(exact) => {
                assert_eq!(labelled.outcome, Some(exact.value));
                known += 1;
                changed += u32::from(usual.outcome != labelled.outcome);
            }
        }
    }
    assert!(known > 100 && changed > 10, "{known} {changed}");
}

#[test]
fn games_end_where_the_outcome_is_known() {
    let (manifest, samples) = play("end");
    // Positions beside the games may be a few plies further.
    let of_games = samples.iter().filter(|sample| sample.outcome.is_some());
    assert!(of_games.clone().count() > 100);
    for sample in of_games {
        assert_eq!(tables().probe(&sample.position), None);
    }
    assert_eq!(manifest["games"]["cap_hits"], 0);
}

#[test]
fn tables_that_are_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (nowhere, out) = (folder.path().join("none"), folder.path().join("out"));
    let said = error(
        &[
            "selfplay",
            "-q",
            "--exact",
            "label",
            "--tables",
            nowhere.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ],
        1,
    );
    assert!(
        said.contains("sliding-16.table") && said.contains("endgame build"),
        "{said}"
    );
}
