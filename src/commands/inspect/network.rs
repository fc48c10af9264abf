//! `inspect` of a network file.

use std::path::Path;

use serde_json::{Value, json};

use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::network::{Activation, Architecture, Network};

/// Verifies a network file and prints its description.
pub(super) fn inspect(path: &Path, json: bool) -> Result<(), CommandError> {
    let network = Network::load(path)?;
    let (metadata, architecture) = (network.metadata(), network.architecture());
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "network", "digest": network.digest(),
            "parameters": architecture.parameters(), "metadata": metadata,
        }));
    }
    let features = &architecture.features;
    let training = match &metadata.training {
        Value::Null => "none; the weights are the initial ones".to_owned(),
        settings => serde_json::to_string(settings)?,
    };
    let lines = [
        format!("{}: a network, intact", path.display()),
        format!(
            "  game        {}, generation {} of seed {}",
            architecture.game, metadata.generation, metadata.seed
        ),
        format!("  digest      {}", network.digest()),
        format!(
            "  features    {} version {}, {} of them{}",
            features.name,
            features.version,
            features.size,
            if features.views == 1 {
                ""
            } else {
                ", seen by either side"
            }
        ),
        format!("  layers      {}", layers(architecture)),
        format!("  training    {training}"),
        format!(
            "  data        {}",
            metadata.data_digest.as_deref().unwrap_or("none")
        ),
    ];
    print(lines.join("\n"))
}

/// Formats the architecture of a network.
pub(super) fn layers(architecture: &Architecture) -> String {
    let transformer = match architecture.views {
        1 => architecture.hidden[0].to_string(),
        views => format!("{views} × {}", architecture.hidden[0]),
    };
    let hidden = architecture.hidden[1..].iter().map(usize::to_string);
    let widths: Vec<String> = [architecture.features.size.to_string(), transformer]
        .into_iter()
        .chain(hidden)
        .chain([architecture.output_buckets.to_string()])
        .collect();
    let activation = match architecture.activation {
        Activation::ScRelu => "squared clipped ReLU",
        Activation::CRelu => "clipped ReLU",
    };
    format!(
        "{}, {activation}, {} weights and biases",
        widths.join(" → "),
        architecture.parameters()
    )
}
