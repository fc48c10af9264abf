//! Endgame tables: the part of a game's kit that the program builds, opens and queries them by.

use std::error::Error;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::game::{Exact, ExactValues, Game};
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Why tables cannot be built or used.
#[derive(Debug, Error)]
pub enum TablesError {
    /// A stop was requested.
    #[error("{0}")]
    Interrupted(String),
    /// The game's own reason.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

/// Returns the default folder of a game's tables, in the user's data directory; `None` if there is no
/// such directory.
#[must_use]
pub fn tables_folder(game: &str) -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.data_dir().join("bagheera").join(game))
}

/// The counted content of tables.
#[derive(Clone, Debug, PartialEq)]
pub struct TablesReport {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
}

/// Tables of exact values in a folder. Work runs on the threads of the pool that calls it.
///
/// The provided items describe a game without tables: they refuse to build or open any.
pub trait EndgameTables<G: Game>: ExactValues<G> + Sized + 'static {
    /// A class of positions with known values, the side to move included.
    type Cell: Copy + Send + Sync;

    /// The largest extent: how far tables can reach beyond what they always contain.
    const MOST_EXTENT: u32 = 0;

    /// Names of the phases of a game.
    const PHASES: &'static [&'static str] = G::STRATA;

    /// Returns the bytes on disk and in memory that tables of an extent take to build.
    #[must_use]
    fn needs(_extent: u32) -> (u64, u64) {
        (0, 0)
    }

    /// Builds the missing tables.
    ///
    /// # Errors
    /// If an existing file cannot be used, a file cannot be written, or a stop was
    /// requested. Finished tables are kept, and the same call resumes.
    fn build(
        _folder: &Path,
        _extent: u32,
        _interrupt: &Interrupt,
        _talk: &Reporter,
    ) -> Result<(), TablesError> {
        no_tables::<G, _>()
    }

    /// Opens the tables and checks every byte of them.
    ///
    /// # Errors
    /// If tables are missing, damaged or of another version.
    fn open(_folder: &Path) -> Result<Self, TablesError> {
        no_tables::<G, _>()
    }

    /// Checks every entry against those of the positions after it, and returns the number of entries.
    ///
    /// # Errors
    /// If an entry is wrong, which the error names, or a stop was requested.
    fn verify(&self, _interrupt: &Interrupt, _talk: &Reporter) -> Result<u64, TablesError> {
        no_tables::<G, _>()
    }

    /// The extent of these tables, as [`EndgameTables::build`] takes it.
    fn extent(&self) -> u32 {
        0
    }

    /// Returns the index of a position's phase in [`EndgameTables::PHASES`].
    fn phase(position: &G) -> usize {
        position.stratum()
    }

    /// Returns all cells of the tables.
    fn cells(&self) -> Vec<Self::Cell> {
        Vec::new()
    }

    /// Returns a random position of a cell, which may be finished.
    fn random_position(_cell: Self::Cell, _rng: &mut Xoshiro256PlusPlus) -> G {
        G::start(&G::Rules::default())
    }

    /// Counts the content.
    ///
    /// # Errors
    /// If a stop was requested.
    fn statistics(&self, _interrupt: &Interrupt) -> Result<TablesReport, TablesError> {
        no_tables::<G, _>()
    }
}

fn no_tables<G: Game, T>() -> Result<T, TablesError> {
    Err(TablesError::Other(
        format!("there are no endgame tables of the game {}", G::NAME).into(),
    ))
}

/// The tables of a game that has none.
#[derive(Debug)]
pub enum NoTables {}

impl<G: Game> ExactValues<G> for NoTables {
    fn probe(&self, _position: &G) -> Option<Exact> {
        match *self {}
    }

    fn digest(&self) -> &str {
        match *self {}
    }
}

impl<G: Game> EndgameTables<G> for NoTables {
    type Cell = ();
}
