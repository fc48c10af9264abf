//! Endgame tables, as a game that has them offers them.

use std::error::Error;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::game::{Exact, ExactValues, Game};
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Why tables cannot be made or used.
#[derive(Debug, Error)]
pub enum TablesError {
    /// A stop was requested.
    #[error("{0}")]
    Interrupted(String),
    /// The game's own reason.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

/// Where the tables of a game lie if nothing else is said: in the user's data directory. None if
/// there is no such directory.
#[must_use]
pub fn tables_folder(game: &str) -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.data_dir().join("bagheera").join(game))
}

/// What tables hold, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct TablesReport {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
}

/// Tables of exact values that lie in a folder. Work runs on the threads of the pool that it is
/// called in.
pub trait EndgameTables<G: Game>: ExactValues<G> + Sized + 'static {
    /// How far tables may reach beyond the least that they always hold.
    const MOST_EXTENT: u32;

    /// What making tables of an extent takes: bytes of disk and of memory.
    fn needs(extent: u32) -> (u64, u64);

    /// Makes what is not there yet.
    ///
    /// # Errors
    /// If something that is there cannot be used, something cannot be written, or a stop was
    /// requested; what is whole stays, and the same call goes on from there.
    fn build(
        folder: &Path,
        extent: u32,
        interrupt: &Interrupt,
        talk: &Reporter,
    ) -> Result<(), TablesError>;

    /// Opens the tables and checks every byte of them.
    ///
    /// # Errors
    /// If tables are missing, damaged or of another version.
    fn open(folder: &Path) -> Result<Self, TablesError>;

    /// Checks every entry against those of the positions after it, and returns how many there are.
    ///
    /// # Errors
    /// Names an entry that is wrong; or a stop was requested.
    fn verify(&self, interrupt: &Interrupt, talk: &Reporter) -> Result<u64, TablesError>;

    /// How far they reach, as [`EndgameTables::build`] takes it.
    fn extent(&self) -> u32;

    /// Names of the phases of a game.
    const STRATA: &'static [&'static str];

    /// Which of [`EndgameTables::STRATA`] a position belongs to.
    fn phase(position: &G) -> usize;

    /// A kind of positions of known value, the side to move included.
    type Cell: Copy + Send + Sync;

    /// All cells that the tables hold.
    fn cells(&self) -> Vec<Self::Cell>;

    /// A random position of a cell; it may be finished.
    fn random_position(cell: Self::Cell, rng: &mut Xoshiro256PlusPlus) -> G;

    /// Counts what they hold.
    ///
    /// # Errors
    /// If a stop was requested.
    fn statistics(&self, interrupt: &Interrupt) -> Result<TablesReport, TablesError>;
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

/// The refusal of everything that would need tables.
fn none<T>(game: &str) -> Result<T, TablesError> {
    Err(TablesError::Other(
        format!("there are no endgame tables of the game {game}").into(),
    ))
}

impl<G: Game> EndgameTables<G> for NoTables {
    const MOST_EXTENT: u32 = 0;

    fn needs(_extent: u32) -> (u64, u64) {
        (0, 0)
    }

    fn build(
        _folder: &Path,
        _extent: u32,
        _interrupt: &Interrupt,
        _talk: &Reporter,
    ) -> Result<(), TablesError> {
        none(G::NAME)
    }

    fn open(_folder: &Path) -> Result<Self, TablesError> {
        none(G::NAME)
    }

    fn verify(&self, _interrupt: &Interrupt, _talk: &Reporter) -> Result<u64, TablesError> {
        match *self {}
    }

    fn extent(&self) -> u32 {
        match *self {}
    }

    const STRATA: &'static [&'static str] = G::STRATA;

    fn phase(position: &G) -> usize {
        position.stratum()
    }

    type Cell = ();

    fn cells(&self) -> Vec<()> {
        match *self {}
    }

    fn random_position((): (), _rng: &mut Xoshiro256PlusPlus) -> G {
        G::start(&G::Rules::default())
    }

    fn statistics(&self, _interrupt: &Interrupt) -> Result<TablesReport, TablesError> {
        match *self {}
    }
}
