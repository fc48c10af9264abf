//! The endgame tables of Bagh-Chal for the program.

use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use crate::game::Notation as _;
use crate::games::bagh_chal::endgame::{
    Cell, Layer, LayerStatistics, TableError, Tables, ValueCounts, build, statistics, verify,
};
use crate::games::bagh_chal::{Position, TOTAL_SHEEP};
use crate::interrupt::Interrupt;
use crate::kit::{EndgameTables, TablesError, TablesReport};
use crate::reporter::Reporter;

/// Message of an interrupted build.
const RESUMABLE: &str = "stopped; the same command resumes after the last finished table";
/// Message of an interrupted check or count.
const INCOMPLETE: &str = "stopped before the end; the rest is unchecked";

/// Converts an error of the tables; `interrupted` is the message if a stop was requested.
fn convert(interrupted: &'static str) -> impl FnOnce(TableError) -> TablesError {
    move |error| match error {
        TableError::Interrupted => TablesError::Interrupted(interrupted.to_owned()),
        error => TablesError::Other(error.into()),
    }
}

impl EndgameTables<Position> for Tables {
    const MOST_EXTENT: u32 = TOTAL_SHEEP;

    fn needs(extent: u32) -> (u64, u64) {
        let layers = Layer::up_to(extent.min(TOTAL_SHEEP));
        let disk = layers.map(|layer| layer.bytes() as u64).sum();
        (disk, Layer::working_memory(extent))
    }

    fn build(
        folder: &Path,
        extent: u32,
        interrupt: &Interrupt,
        talk: &Reporter,
    ) -> Result<(), TablesError> {
        build(folder, extent, interrupt, talk).map_err(convert(RESUMABLE))
    }

    fn open(folder: &Path) -> Result<Self, TablesError> {
        Self::open(folder).map_err(convert(RESUMABLE))
    }

    fn verify(&self, interrupt: &Interrupt, talk: &Reporter) -> Result<u64, TablesError> {
        let layers = Layer::up_to(self.in_hand());
        verify(self, layers, interrupt, talk).map_err(convert(INCOMPLETE))
    }

    fn extent(&self) -> u32 {
        self.in_hand()
    }

    const PHASES: &'static [&'static str] = &["placing", "sliding"];

    fn phase(position: &Position) -> usize {
        usize::from(position.board.sheep_left() == 0)
    }

    type Cell = Cell;

    fn cells(&self) -> Vec<Cell> {
        Cell::up_to(self.in_hand())
    }

    fn random_position(cell: Cell, rng: &mut Xoshiro256PlusPlus) -> Position {
        cell.random_position(rng)
    }

    fn statistics(&self, interrupt: &Interrupt) -> Result<TablesReport, TablesError> {
        let rows = statistics(self, interrupt)
            .ok_or(TableError::Interrupted)
            .map_err(convert(INCOMPLETE))?;
        Ok(TablesReport {
            text: text(&rows),
            json: json!(rows),
        })
    }
}

/// Formats the table of layers.
fn text(rows: &[LayerStatistics]) -> String {
    let counts =
        |counts: &ValueCounts| format!("{}/{}/{}", counts.tiger, counts.draw, counts.sheep);
    let plies = |row: &LayerStatistics| match (&row.longest_tiger_win, &row.longest_sheep_win) {
        (Some(tiger), Some(sheep)) => format!("{}/{}", tiger.plies, sheep.plies),
        _ => "–".to_owned(),
    };
    let mut lines = vec![format!(
        "{:>7} {:>5} {:6} {:>36} {:>34} {:>8}",
        "in hand", "sheep", "moves", "tiger/draw/sheep win", "up to symmetry", "longest"
    )];
    for row in rows {
        lines.push(format!(
            "{:>7} {:>5} {:6} {:>36} {:>34} {:>8}",
            row.in_hand,
            row.sheep,
            Position::side_name(row.turn.into()),
            counts(&row.all),
            counts(&row.up_to_symmetry),
            plies(row)
        ));
    }
    lines.join("\n")
}
