//! `bagheera report`: the report of a run as an HTML page or JSON.

use std::path::PathBuf;

use clap::Args;

use super::common::{ExactArgument, print, print_json};
use super::{CommandError, GameTask};
use crate::game::ExactValues as _;
use crate::kit::Kit;
use crate::pipeline::{Config, report, write_report};
use crate::record::RunPaths;

/// Write the report of a run, a self-contained HTML page, into the run's directory.
///
/// A run writes it after every generation. With --exact its games show tablebase values.
#[derive(Debug, Args)]
pub(super) struct ReportCommand {
    /// Directory of the run.
    dir: PathBuf,
    #[command(flatten)]
    exact: ExactArgument,
    /// Print the contents as JSON instead.
    #[arg(long)]
    json: bool,
}

impl GameTask for ReportCommand {
    fn game(&self) -> Result<String, CommandError> {
        Ok(Config::load(&RunPaths::new(&self.dir).config())?.game)
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        write::<G>(self)
    }
}

fn write<G: Kit>(command: &ReportCommand) -> Result<(), CommandError> {
    let tables = command.exact.open::<G>()?;
    let paths = RunPaths::new(&command.dir);
    let found = report::<G>(&paths, |position| tables.as_ref()?.resolve(position))?;
    if command.json {
        return print_json(&found);
    }
    let path = write_report::<G>(&paths, &found)?;
    print(format!("The report is {}", path.display()))
}
