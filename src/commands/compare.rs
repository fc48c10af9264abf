//! `bagheera compare`: two runs side by side.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::CommandError;
use super::common::{print, print_json};
use crate::pipeline::{Config, records};
use crate::record::{GenerationRecord, RunPaths};
use crate::report::{Column, dash, text_table};

/// Compare two runs: different configuration keys, and the scores against the hand-written evaluation and
/// the losses of each generation.
///
/// Use match or ladder to let their networks play each other.
#[derive(Debug, Args)]
pub(super) struct CompareCommand {
    /// Directory of run A.
    first: PathBuf,
    /// Directory of run B.
    second: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl CompareCommand {
    pub fn run(&self) -> Result<(), CommandError> {
        let [a, b] = [&self.first, &self.second].map(RunPaths::new);
        let config = Config::load(&a.config())?;
        let differences = config.differences(&Config::load(&b.config())?);
        let runs = [records(&a)?, records(&b)?];
        if self.json {
            return print_json(&json!({
                "differences": differences, "first": runs[0], "second": runs[1],
            }));
        }
        for (name, run) in [("A", &a), ("B", &b)] {
            print(format!("{name}: {}", run.root().display()))?;
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

/// Formats a table with a line per generation that either run has finished.
fn table(runs: &[Vec<GenerationRecord>; 2]) -> String {
    let column = |name: &str, run: usize, width, cell: fn(&GenerationRecord) -> String| {
        let header = format!("{}{name}", ["A", "B"][run]);
        Column::new(header, width, move |index: &usize| {
            runs[run].get(*index).map_or(dash(), cell)
        })
    };
    let score = |record: &GenerationRecord| record.gate.hand_written.points_text();
    let loss = |record: &GenerationRecord| format!("{:.4}", record.training.validation.loss);
    let verdict = |record: &GenerationRecord| record.gate.verdict().to_owned();
    let columns = [
        Column::new("gen", 3, |index: &usize| (index + 1).to_string()),
        column(" vs hand-written", 0, 17, score),
        column(" vs hand-written", 1, 17, score),
        column(" loss", 0, 8, loss),
        column(" loss", 1, 8, loss),
        column("", 0, 8, verdict).left(),
        column("", 1, 8, verdict).left(),
    ];
    let generations = runs.iter().map(Vec::len).max().unwrap_or_default();
    text_table(&columns, 0..generations)
}
