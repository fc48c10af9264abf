//! `inspect` of a training checkpoint.

use std::path::Path;

use serde_json::json;

use super::network::layers;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::training::read_checkpoint;

/// Verifies a checkpoint and prints its description.
pub(super) fn inspect(path: &Path, json: bool) -> Result<(), CommandError> {
    let checkpoint = read_checkpoint(path)?;
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "checkpoint",
            "parameters": checkpoint.architecture.parameters(), "checkpoint": checkpoint,
        }));
    }
    let features = &checkpoint.architecture.features;
    let best = match checkpoint.best {
        None => "no validation yet".to_owned(),
        Some((step, loss)) => format!("lowest at step {step}: {loss:.5}"),
    };
    let lines = [
        format!("{}: a training checkpoint, intact", path.display()),
        format!(
            "  game        {}, generation {} of seed {}",
            checkpoint.architecture.game, checkpoint.generation, checkpoint.seed
        ),
        format!(
            "  step        {}, in epoch {}",
            checkpoint.step,
            checkpoint.pass + 1
        ),
        format!("  validation  {:.5} before; {best}", checkpoint.loss_before),
        format!(
            "  features    {} version {}",
            features.name, features.version
        ),
        format!("  layers      {}", layers(&checkpoint.architecture)),
        format!("  network     {} at this step", checkpoint.network),
        format!("  started from {}", checkpoint.start),
        format!("  data        {}", checkpoint.data),
        format!(
            "  size        {} bytes, {} of them optimizer state",
            checkpoint.bytes, checkpoint.optimizer_bytes
        ),
    ];
    print(lines.join("\n"))
}
