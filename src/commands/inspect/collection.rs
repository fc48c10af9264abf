//! `inspect` of a collection and its shards.

use std::path::Path;

use serde_json::json;

use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::game::Game;
use crate::shard::{Augment, Collection, FilterRecord};

/// Compares a collection with its shards and prints it.
pub(super) fn inspect<G: Game>(
    path: &Path,
    collection: &Collection,
    json: bool,
) -> Result<(), CommandError> {
    collection.open_shards::<G>(path)?;
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "collection", "collection": collection,
        }));
    }
    let images = match collection.augment {
        Augment::Write => "in the files",
        Augment::Read => "made when read",
    };
    let mut lines = vec![
        format!(
            "{}: a manifest of a collection, consistent with its shards",
            path.display()
        ),
        format!("  game        {}", collection.game),
        format!("  augmented   {images}"),
        format!("  kept        {}", kept(&collection.filter)),
        format!(
            "  samples     {} with symmetric copies, {} without",
            collection.samples(),
            collection.originals()
        ),
    ];
    for shard in &collection.shards {
        let header = &shard.header;
        lines.push(format!(
            "  {}  generation {} of seed {}, games {} to {}, {} samples, {} bytes",
            shard.file,
            header.generation,
            header.seed,
            header.first_game,
            u64::from(header.first_game) + u64::from(header.games.max(1)) - 1,
            shard.summary.samples,
            shard.summary.bytes
        ));
    }
    print(lines.join("\n"))
}

/// Formats the filter.
fn kept(filter: &FilterRecord) -> String {
    let mut parts = Vec::new();
    match filter.generations {
        Some((from, u32::MAX)) => parts.push(format!("generations from {from} on")),
        Some((from, to)) => parts.push(format!("generations {from} to {to}")),
        None => {}
    }
    if !filter.phases.is_empty() {
        parts.push(format!("phase {}", filter.phases.join(" or ")));
    }
    if !filter.outcomes.is_empty() {
        parts.push(format!("outcome {}", filter.outcomes.join(" or ")));
    }
    if filter.folded {
        parts.push("one sample of positions equal up to symmetry".to_owned());
    }
    match parts.is_empty() {
        true => "all".to_owned(),
        false => parts.join("; "),
    }
}
