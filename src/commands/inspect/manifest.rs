//! `inspect` of a manifest and its shards.

use std::path::Path;

use serde_json::json;

use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::game::{Notation, Outcome};
use crate::shard::{Augment, Manifest};

/// Compares a manifest with its shards and prints it.
pub(super) fn inspect<G: Notation>(
    path: &Path,
    manifest: &Manifest,
    json: bool,
) -> Result<(), CommandError> {
    manifest.open_shards::<G>(path)?;
    if json {
        return print_json(
            &json!({ "file": path.display().to_string(), "kind": "manifest", "manifest": manifest }),
        );
    }
    let games = &manifest.games;
    let outcomes = &games.outcomes;
    let images = match manifest.augment {
        Augment::Write => "in the files",
        Augment::Read => "made when read",
    };
    let mut lines = vec![
        format!("{}: a manifest, consistent with its shards", path.display()),
        format!(
            "  game        {}, generation {} of seed {}",
            manifest.game, manifest.generation, manifest.seed
        ),
        format!(
            "  network     {}",
            manifest.network.as_deref().unwrap_or("none")
        ),
        format!("  settings    {}", manifest.config),
        format!("  augmented   {images}"),
        format!(
            "  games       {}, {} of them unique; {} {}, {} {}, {} {}; {} drawn by the no-progress limit",
            outcomes.total(),
            games.unique,
            outcomes.max,
            G::outcome_name(Outcome::Max),
            outcomes.draw,
            G::outcome_name(Outcome::Draw),
            outcomes.min,
            G::outcome_name(Outcome::Min),
            games.cap_hits
        ),
        format!("  length      {:.1} plies on average", games.mean_length),
        format!(
            "  samples     {} with symmetric copies, {} without, {} of them duplicates",
            manifest.samples(),
            manifest.originals(),
            manifest.duplicates
        ),
    ];
    for shard in &manifest.shards {
        lines.push(format!(
            "  {}  games {} to {}, {} samples, {} bytes",
            shard.file,
            shard.first_game,
            u64::from(shard.first_game) + u64::from(shard.games.max(1)) - 1,
            shard.samples,
            shard.bytes
        ));
    }
    print(lines.join("\n"))
}
