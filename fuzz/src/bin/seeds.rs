//! Writes seeds that no command of the program makes: `seeds CORPUS` adds tiny shards,
//! checkpoints of a tiny training, and small endgame tables of nothing but draws to the corpora
//! of their targets in the folder CORPUS.

use std::fs;
use std::path::Path;

use bagheera::games::bagh_chal::endgame::Layer;
use bagheera_fuzz::scratch::Scratch;
use bagheera_fuzz::seal::{self, Mode};
use bagheera_fuzz::training::{TrainingPlan, write_games};

fn main() {
    let corpus = std::env::args_os()
        .nth(1)
        .expect("the folder of the corpora");
    let add = |target: &str, name: &str, parts: &[&[u8]]| {
        let folder = Path::new(&corpus).join(target);
        fs::create_dir_all(&folder).expect("a folder for the seeds");
        fs::write(folder.join(name), parts.concat()).expect("room for a seed");
    };
    // The first byte says what a target repairs: 0 nothing, 1 checksums, 2 counts too.
    let scratch = Scratch::new();
    let path = scratch.path("a.shard");
    write_games(&path);
    let shard = fs::read(path).expect("a shard just written");
    add("shards", "tiny", &[&[0], &shard]);
    add("shards", "tiny-sealed", &[&[2], &shard]);
    let ground = TrainingPlan::shared();
    add("checkpoints", "ended", &[&[2], &ground.ended()]);
    for step in [0, 1, ground.steps() - 1] {
        add(
            "checkpoints",
            &format!("step-{step}"),
            &[&[2], &ground.at_step(step)],
        );
    }
    add("checkpoints", "unsealed", &[&[0], &ground.ended()]);
    let layers = [Layer::Placing(20), Layer::Placing(19), Layer::Sliding(20)];
    for (layer, choice) in layers.into_iter().zip(0_u8..) {
        let table = table(layer);
        add("tables", &layer.file_name(), &[&[2, choice], &table]);
        add("tables", &format!("whole-{layer}"), &[&[0, choice], &table]);
    }
}

/// A whole table, all of whose entries are draws.
fn table(layer: Layer) -> Vec<u8> {
    let draw = if matches!(layer, Layer::Sliding(_)) {
        255
    } else {
        0
    };
    let header = serde_json::json!({
        "game": "bagh-chal",
        "layer": layer,
        "below": "0".repeat(64),
    });
    let header = header.to_string();
    let mut bytes = b"BAGTABLE".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(header.as_bytes());
    bytes.extend(vec![draw; layer.bytes()]);
    bytes.extend([0; 40]);
    seal::table(&mut bytes, layer, Mode::Checksums);
    bytes
}
