//! `bagheera report`: a run as a page, or as JSON.

use std::path::PathBuf;

use clap::Args;

use super::common::{ExactArgument, print, print_json};
use super::{CommandError, GameTask};
use crate::game::ExactValues as _;
use crate::kit::Kit;
use crate::pipeline::{Config, RunDirectory, report, write_report};

/// Write the report of a run: one HTML page that needs no network, in the run's directory.
///
/// A run writes it after every generation by itself. With --exact the games in it show what positions
/// are worth.
#[derive(Debug, Args)]
pub(super) struct ReportCommand {
    /// The run's directory.
    dir: PathBuf,
    #[command(flatten)]
    exact: ExactArgument,
    /// Print what the page shows as JSON instead.
    #[arg(long)]
    json: bool,
}

impl GameTask for ReportCommand {
    fn game(&self) -> Result<String, CommandError> {
        Ok(Config::load(&RunDirectory::config_path(&self.dir))?.game)
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        write::<G>(self)
    }
}

fn write<G: Kit>(command: &ReportCommand) -> Result<(), CommandError> {
    let tables = command.exact.open::<G>()?;
    let found = report::<G>(&command.dir, |position| tables.as_ref()?.resolve(position))?;
    if command.json {
        return print_json(&found);
    }
    let path = write_report::<G>(&command.dir, &found)?;
    print(format!("The report is {}", path.display()))
}
