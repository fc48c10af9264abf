//! `bagheera compare`: two runs side by side.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::CommandError;
use super::common::{print, print_json};
use crate::pipeline::{Config, RunDirectory, records};
use crate::record::GenerationRecord;

/// Compare two runs: the keys in which they differ, and generation by generation their points against
/// the hand-written evaluation and their losses.
///
/// To have their networks play each other, see match and ladder.
#[derive(Debug, Args)]
pub(super) struct CompareCommand {
    /// The directory of the one run.
    first: PathBuf,
    /// The directory of the other.
    second: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl CompareCommand {
    pub fn run(&self) -> Result<(), CommandError> {
        let config = |root: &Path| Config::load(&RunDirectory::config_path(root));
        let (first, second) = (config(&self.first)?, config(&self.second)?);
        let differences = first.differences(&second);
        let runs = [records(&self.first)?, records(&self.second)?];
        if self.json {
            return print_json(&json!({
                "differences": differences, "first": runs[0], "second": runs[1],
            }));
        }
        for (name, root) in [("A", &self.first), ("B", &self.second)] {
            print(format!("{name}: {}", root.display()))?;
        }
        if differences.is_empty() {
            print("both were begun with the same configuration")?;
        }
        for difference in differences {
            print(format!("in A {difference} as in B"))?;
        }
        print(table(&runs))
    }
}

/// A line for each generation that a run has finished.
fn table(runs: &[Vec<GenerationRecord>; 2]) -> String {
    let mut lines = vec![format!(
        "{:>3}  {:>17}  {:>17}  {:>8}  {:>8}  {:8}  {:8}",
        "gen", "A vs hand-written", "B vs hand-written", "A loss", "B loss", "A", "B"
    )];
    let generations = runs.iter().map(Vec::len).max().unwrap_or_default();
    for index in 0..generations {
        let cell = |run: usize, cell: &dyn Fn(&GenerationRecord) -> String| {
            runs[run].get(index).map_or("–".to_owned(), cell)
        };
        let score = |record: &GenerationRecord| record.gate.hand_written.points_text();
        let loss = |record: &GenerationRecord| format!("{:.4}", record.training.validation.loss);
        let verdict = |record: &GenerationRecord| match record.gate.promoted {
            true => "promoted".to_owned(),
            false => "rejected".to_owned(),
        };
        let line = format!(
            "{:>3}  {:>17}  {:>17}  {:>8}  {:>8}  {:8}  {:8}",
            index + 1,
            cell(0, &score),
            cell(1, &score),
            cell(0, &loss),
            cell(1, &loss),
            cell(0, &verdict),
            cell(1, &verdict),
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}
