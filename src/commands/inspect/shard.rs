//! `inspect` of a shard.

use std::path::Path;

use rayon::ThreadPool;
use serde_json::json;

use super::bars::bars;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::game::{Notation, Outcome, Side};
use crate::shard::{
    self, Augment, OutcomeCounts, ShardHeader, ShardStatistics, ShardSummary, verify,
};

/// Verifies every byte of a shard and prints a summary.
pub(super) fn inspect<G: Notation>(
    path: &Path,
    pool: &ThreadPool,
    json: bool,
) -> Result<(), CommandError> {
    let ShardStatistics {
        header,
        summary,
        samples,
    } = verify::<G>(path, pool)?;
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "shard",
            "header": header, "summary": summary, "samples": samples,
        }));
    }
    let mut lines = vec![format!("{}: a shard, intact", path.display())];
    lines.extend(describe_header(&header));
    lines.extend(describe_summary(&summary));
    lines.push(format!(
        "  positions   {} distinct, {} duplicates; the move was noisy in {}, random in {}",
        samples.distinct, samples.duplicates, samples.noisy, samples.random
    ));
    let [max, draw, min] =
        [Outcome::Max, Outcome::Draw, Outcome::Min].map(|outcome| G::outcome_name(outcome));
    lines.push(format!(
        "\n  outcomes  positions {max:>8} {draw:>8} {min:>8} without"
    ));
    lines.push(outcome_row("all", &samples.outcomes));
    for stratum in &samples.strata {
        if stratum.outcomes.total() > 0 {
            lines.push(outcome_row(&stratum.name, &stratum.outcomes));
        }
    }
    lines.push(format!(
        "\n  scores of {}, in logits",
        G::side_name(Side::Max)
    ));
    lines.extend(indented(bars(&samples.scores)));
    lines.push("\n  plies from the start of the game".to_owned());
    lines.extend(indented(bars(&samples.plies)));
    print(lines.join("\n"))
}

fn describe_header(header: &ShardHeader) -> [String; 5] {
    let network = header.network.as_deref().unwrap_or("none");
    let images = match header.augment {
        Augment::Write => "in the file",
        Augment::Read => "made when read",
    };
    [
        format!(
            "  game        {}, generation {} of seed {}",
            header.game, header.generation, header.seed
        ),
        format!("  network     {network}"),
        format!("  settings    {}", header.config),
        format!(
            "  games       {} from number {} on",
            header.games, header.first_game
        ),
        format!("  augmented   {images}"),
    ]
}

fn describe_summary(summary: &ShardSummary) -> [String; 3] {
    [
        format!("  digest      {}", summary.digest),
        format!(
            "  size        {} bytes, {} blocks",
            summary.bytes, summary.blocks
        ),
        format!(
            "  samples     {} with symmetric copies, {} without, of {} games",
            summary.samples, summary.originals, summary.games
        ),
    ]
}

fn outcome_row(name: &str, counts: &OutcomeCounts) -> String {
    let share = |outcome| match counts.decided() {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", 100.0 * counts.share(outcome)),
    };
    format!(
        "  {name:8} {:>10} {:>8} {:>8} {:>8} {:>7}",
        counts.total(),
        share(Outcome::Max),
        share(Outcome::Draw),
        share(Outcome::Min),
        counts.none
    )
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// Copies the intact blocks of a damaged shard and prints a summary.
pub(super) fn salvage<G: Notation>(
    path: &Path,
    out: &Path,
    json: bool,
) -> Result<(), CommandError> {
    let report = shard::salvage::<G>(path, out)?;
    if json {
        return print_json(&report);
    }
    let lost = match report.lost_samples {
        Some(samples) => format!("{samples} samples, {} bytes", report.lost_bytes),
        None => format!(
            "{} bytes, with an unknown number of samples",
            report.lost_bytes
        ),
    };
    print(format!(
        "{}: the intact blocks of {}\n  saved       {} samples with symmetric copies, {} without, of {} \
         games, in {} blocks\n  lost        {lost}",
        out.display(),
        path.display(),
        report.saved.samples,
        report.saved.originals,
        report.saved.games,
        report.whole_blocks
    ))
}
