//! The endgame tables of a run, if it has any.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::config::Config;
use super::error::RunError;
use crate::exam::Exam;
use crate::game::ExactValues;
use crate::kit::{Kit, PlayerFactory};
use crate::record::ExamRecord;
use crate::selfplay::ExactUse;
use crate::workers::Context;

/// The tables of a run, and its exam once it was needed.
pub(super) struct RunTables<G: Kit> {
    tables: Option<Arc<G::Tables>>,
    exam: OnceCell<Exam<G>>,
}

impl<G: Kit> RunTables<G> {
    pub fn new(tables: Option<Arc<G::Tables>>) -> Self {
        Self {
            tables,
            exam: OnceCell::new(),
        }
    }

    /// The tables as a source of exact values.
    pub fn source(&self) -> Option<Arc<dyn ExactValues<G>>> {
        let tables = self.tables.clone()?;
        Some(tables)
    }

    pub fn digest(&self) -> Option<String> {
        Some(self.tables.as_ref()?.digest().to_owned())
    }

    /// Refuses tables whose digest differs from `begun`, that of the run in `directory`.
    pub fn check_unchanged(
        &self,
        begun: &Option<String>,
        directory: &Path,
    ) -> Result<(), RunError> {
        let now = self.digest();
        if *begun == now {
            return Ok(());
        }
        let name = |digest: &Option<String>| match digest {
            Some(digest) => format!("the tables with digest {digest}"),
            None => "no tables".to_owned(),
        };
        Err(RunError::OtherTables {
            directory: directory.to_owned(),
            begun: name(begun),
            now: name(&now),
        })
    }

    /// Returns the digest of everything that self-play games depend on: the configuration, and the tables
    /// if games use them.
    pub fn selfplay_digest(&self, config: &Config) -> String {
        let digest = config.digest();
        match self.digest() {
            Some(tables) if config.selfplay.exact != ExactUse::Off => {
                hex::encode(Sha256::digest(format!("{digest} {tables}")))
            }
            _ => digest,
        }
    }

    /// Examines a network with search and without; returns `None` without tables.
    pub fn examine(
        &self,
        player: PlayerFactory<G>,
        config: &Config,
        context: &Context,
    ) -> Result<Option<ExamRecord>, RunError> {
        let Some(tables) = self.tables.clone() else {
            return Ok(None);
        };
        let exam = match self.exam.get() {
            Some(exam) => exam,
            None => {
                let positions = config.exam.positions as usize;
                let exam = Exam::new(tables, positions, config.seed, context);
                let exam = exam.ok_or(RunError::Interrupted)?;
                self.exam.get_or_init(|| exam)
            }
        };
        let players = [player];
        let record = exam.hold(&players, &players, context);
        record.map(Some).ok_or(RunError::Interrupted)
    }
}
