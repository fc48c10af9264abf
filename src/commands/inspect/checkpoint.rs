//! What `inspect` says of a checkpoint of a training.

use std::path::Path;

use serde_json::json;

use super::network::layers;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::training::read_checkpoint;

/// Checks a checkpoint and prints what it is.
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
        Some((step, loss)) => format!("least at step {step}: {loss:.5}"),
    };
    let lines = [
        format!("{}: a checkpoint of training, whole", path.display()),
        format!(
            "  game        {}, generation {} of seed {}",
            checkpoint.architecture.game, checkpoint.generation, checkpoint.seed
        ),
        format!(
            "  step        {}, in pass {} through the samples",
            checkpoint.step,
            checkpoint.pass + 1
        ),
        format!("  validation  {:.5} before; {best}", checkpoint.loss_before),
        format!(
            "  features    {} version {}",
            features.name, features.version
        ),
        format!("  layers      {}", layers(&checkpoint.architecture)),
        format!("  network     {} as it is", checkpoint.network),
        format!("  begun with  {}", checkpoint.start),
        format!("  data        {}", checkpoint.data),
        format!(
            "  size        {} bytes, {} of them the optimizer's",
            checkpoint.bytes, checkpoint.optimizer_bytes
        ),
    ];
    print(lines.join("\n"))
}
