//! `bagheera completions`: shell completions.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::common::print;
use super::{Arguments, CommandError, Games};

/// Print shell completions.
#[derive(Debug, Args)]
pub(super) struct CompletionsCommand {
    /// Shell.
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(&self, games: &Games) -> Result<(), CommandError> {
        let mut script = Vec::new();
        let mut command = games.accept(Arguments::command());
        clap_complete::generate(self.shell, &mut command, "bagheera", &mut script);
        print(String::from_utf8_lossy(&script).trim_end())
    }
}
