//! Making the tables, layer by layer, each from those below it.

use std::path::Path;

use super::super::board::TOTAL_SHEEP;
use super::error::TableError;
use super::file::{TableFile, TableWriter};
use super::layer::Layer;
use super::placement::sets;
use super::placing::SheepToMove;
use super::sliding::{FEWEST_SHEEP, MOST_SHEEP, SlidingLayer, solve};
use crate::files::{FileError, remove_leftovers};
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Makes the tables of the sliding phase, and of the placing phase up to so many sheep in hand,
/// that a folder does not have yet. Runs on the threads of the pool that it is called in.
///
/// # Errors
/// If a table that is there cannot be used, one cannot be written, or a stop was requested; whole
/// tables stay, and the same call goes on after them.
pub fn build(
    folder: &Path,
    in_hand: u32,
    interrupt: &Interrupt,
    talk: &Reporter,
) -> Result<(), TableError> {
    if in_hand > TOTAL_SHEEP {
        return Err(TableError::TooManyInHand {
            in_hand,
            most: TOTAL_SHEEP,
        });
    }
    std::fs::create_dir_all(folder).map_err(FileError::io("create", folder))?;
    remove_leftovers(folder).map_err(FileError::io("read", folder))?;
    let sliding = build_sliding(folder, interrupt, talk)?;
    build_placing(folder, in_hand, &sliding, interrupt, talk)
}

/// The table of a layer, if it is there.
fn existing(
    folder: &Path,
    layer: Layer,
    below: Option<&TableFile>,
) -> Result<Option<TableFile>, TableError> {
    if !folder.join(layer.file_name()).exists() {
        return Ok(None);
    }
    let table = TableFile::open(folder, layer)?;
    table.check_below(below)?;
    Ok(Some(table))
}

fn build_sliding(
    folder: &Path,
    interrupt: &Interrupt,
    talk: &Reporter,
) -> Result<Vec<TableFile>, TableError> {
    let mut tables: Vec<TableFile> = Vec::new();
    let mut last: Option<SlidingLayer> = None;
    for sheep in FEWEST_SHEEP..=MOST_SHEEP {
        let layer = Layer::Sliding(sheep);
        if let Some(table) = existing(folder, layer, tables.last())? {
            tables.push(table);
            last = None;
            continue;
        }
        let below = match (last.take(), tables.last()) {
            (None, Some(table)) => Some(SlidingLayer::of_entries(sheep - 1, table.entries())),
            (last, _) => last,
        };
        let mut bar = talk.bar(&layer.to_string(), "positions", 0, layer.bytes() as u64);
        let solved = solve(sheep, below.as_ref(), interrupt, |known| {
            bar.at(known, || "drawn ones are never reached".to_owned());
        });
        bar.finish();
        let solved = solved.ok_or(TableError::Interrupted)?;
        let mut writer = TableWriter::create(folder, layer, tables.last())?;
        writer.push(&solved.tiger)?;
        writer.push(&solved.flock)?;
        writer.finish()?;
        tables.push(TableFile::open(folder, layer)?);
        last = Some(solved);
    }
    Ok(tables)
}

fn build_placing(
    folder: &Path,
    in_hand: u32,
    sliding: &[TableFile],
    interrupt: &Interrupt,
    talk: &Reporter,
) -> Result<(), TableError> {
    let mut below: Option<TableFile> = None;
    for in_hand in 1..=in_hand {
        let layer = Layer::Placing(in_hand);
        let source = below.as_ref().or(sliding.last());
        if let Some(table) = existing(folder, layer, source)? {
            below = Some(table);
            continue;
        }
        let positions = match &below {
            Some(table) => SheepToMove::of_table(in_hand - 1, table),
            None => SheepToMove::of_sliding(|class, sheep| {
                let entries = sliding[(sheep - FEWEST_SHEEP) as usize].entries();
                let row = sets(sheep);
                &entries[entries.len() / 2 + class * row..][..row]
            }),
        };
        let writer = TableWriter::create(folder, layer, source)?;
        let classes = super::placement::CLASSES.list.len() as u64;
        let mut bar = talk.bar(&layer.to_string(), "classes", 0, classes);
        let written = positions.write_next(writer, interrupt, |done| {
            bar.at(done as u64, String::new);
        })?;
        bar.finish();
        if !written {
            return Err(TableError::Interrupted);
        }
        below = Some(TableFile::open(folder, layer)?);
    }
    Ok(())
}
