//! Runs of the loop that have tables.

use std::fs;
use std::path::Path;

use bagheera::record::GenerationRecord;

use crate::{bagheera, error, folder_with, tables};
use bagheera::games::bagh_chal::endgame::Layer;

/// A matter of moments.
fn config(tables: &Path) -> String {
    format!(
        "quiet_limit = 30\n\
         [selfplay]\ngames = 12\nnodes = 20\nexact = \"label\"\n\
         [network]\nhidden = [8]\n\
         [training]\nreplay = 0.5\nbatch = 256\nvalidation = 0.2\n\
         [gate]\nnodes = 20\npairs = 4\nrandom_pairs = 2\nmax_pairs = 4\n\
         [exam]\npositions = 30\n\
         [operation]\ngenerations = 2\ntables = {tables:?}\n"
    )
}

#[test]
fn the_best_network_is_examined_in_every_generation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.toml");
    fs::write(&path, config(tables().folder())).unwrap();
    let arguments = |run: &str, more: &[&str]| -> Vec<String> {
        let dir = folder.path().join(run);
        let words = ["run", "-q", "--config", path.to_str().unwrap(), "--dir"];
        let words = [&words[..], &[dir.to_str().unwrap()], more].concat();
        words.into_iter().map(str::to_owned).collect()
    };
    let run = |run: &str, more: &[&str]| {
        let arguments = arguments(run, more);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        bagheera(&words).assert().success();
    };
    let record = |run: &str, generation: &str| {
        let record = format!("{run}/generations/{generation}/record.json");
        fs::read_to_string(folder.path().join(record)).unwrap()
    };
    run("whole", &["--threads", "1"]);
    for generation in ["001", "002"] {
        let text = record("whole", generation);
        let record: GenerationRecord = serde_json::from_str(&text).unwrap();
        let exam = record.exam.unwrap();
        for set in &exam.sets {
            assert_eq!((set.critical, set.players.len()), (30, 1));
            assert_eq!(set.evaluations.len(), 1);
        }
        let best = match record.gate.promoted {
            true => record.gate.candidate,
            false => record.gate.best,
        };
        assert_eq!(exam.sets[0].players[0].digest, Some(best));
    }

    // Continued on other threads, the records are the same to the byte.
    run("halves", &["--generations", "1", "--threads", "3"]);
    run("halves", &[]);
    for generation in ["001", "002"] {
        assert_eq!(record("whole", generation), record("halves", generation));
    }

    // Tables without their last layer are other tables.
    let fewer = folder_with(Layer::up_to(0));
    fs::write(&path, config(fewer.path())).unwrap();
    let arguments = arguments("halves", &["--generations", "3"]);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = error(&words, 1);
    assert!(said.contains("tables"), "{said}");
}
