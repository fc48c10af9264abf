//! Export of samples as NumPy arrays.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html> describes it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::kind::Kind;
use super::shards_only;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::files::{AtomicFile, Existing, write_atomically};
use crate::game::{Game, Side};
use crate::kit::{FeatureEncoder, Kit, encoder};
use crate::shard::{Sample, ShardReader, read_header};

/// Padding of the features of a position that has fewer than the maximum.
const PADDING: i32 = -1;

/// An array that is being written: little-endian values, row by row.
struct Array(AtomicFile);

impl Array {
    /// Creates `name.npy` with `rows` rows, each of `columns` values or one value.
    fn create(
        folder: &Path,
        name: &str,
        kind: &str,
        rows: u64,
        columns: Option<usize>,
    ) -> io::Result<Self> {
        let mut file = AtomicFile::create(&folder.join(format!("{name}.npy")), Existing::Replace)?;
        let columns = columns.map_or(String::new(), |columns| format!(" {columns}"));
        let record =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows},{columns}), }}");
        // Magic, version and length take ten bytes, the line end one; values are aligned.
        let length = (10 + record.len() + 1).next_multiple_of(64) - 10;
        file.write_all(b"\x93NUMPY\x01\x00")?;
        file.write_all(&(length as u16).to_le_bytes())?;
        writeln!(file, "{record:<width$}", width = length - 1)?;
        Ok(Self(file))
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }
}

/// All arrays of an export.
struct Arrays {
    features: Array,
    side: Array,
    score: Array,
    outcome: Array,
    ply: Array,
    game: Array,
    original: Array,
}

impl Arrays {
    fn create<G>(folder: &Path, features: &FeatureEncoder<G>, rows: u64) -> io::Result<Self> {
        let column = |name, kind| Array::create(folder, name, kind, rows, None);
        let most = Some(features.id.views * features.max_active);
        Ok(Self {
            features: Array::create(folder, "features", "<i4", rows, most)?,
            side: column("side", "|i1")?,
            score: column("score", "<f4")?,
            outcome: column("outcome", "<f4")?,
            ply: column("ply", "<u2")?,
            game: column("game", "<u4")?,
            original: column("original", "|b1")?,
        })
    }

    /// Appends a sample with the active features of each view, each padded to `most`.
    fn push<G: Game>(
        &mut self,
        sample: &Sample<G>,
        views: &[&[u16]],
        most: usize,
    ) -> io::Result<()> {
        for active in views {
            let active = active.iter().map(|&feature| i32::from(feature));
            for feature in active.chain(std::iter::repeat(PADDING)).take(most) {
                self.features.push(&feature.to_le_bytes())?;
            }
        }
        let side = match sample.position.side_to_move() {
            Side::Max => 1_i8,
            Side::Min => -1,
        };
        let points = |outcome: crate::game::Outcome| outcome.points(Side::Max);
        let outcome = sample.outcome.map_or(f32::NAN, points);
        self.side.push(&side.to_le_bytes())?;
        self.score.push(&sample.score.to_le_bytes())?;
        self.outcome.push(&outcome.to_le_bytes())?;
        self.ply.push(&sample.ply.to_le_bytes())?;
        self.game.push(&sample.game.to_le_bytes())?;
        self.original.push(&[u8::from(sample.original)])
    }

    fn commit(self) -> io::Result<()> {
        let Self {
            features,
            side,
            score,
            outcome,
            ply,
            game,
            original,
        } = self;
        [features, side, score, outcome, ply, game, original]
            .into_iter()
            .try_for_each(|array| array.0.commit())
    }
}

/// Returns the game of the shards, which must be the same for all.
pub(super) fn game_of(files: &[PathBuf]) -> Result<String, CommandError> {
    let mut game: Option<String> = None;
    for file in files {
        shards_only(file, Kind::of(file)?, "--npy")?;
        let found = read_header(file)?.game;
        match &game {
            Some(game) if *game != found => {
                return Err(CommandError::usage(format!(
                    "{} belongs to the game {found}, the shards before it to {game}; export each game \
                     separately",
                    file.display()
                )));
            }
            _ => game = Some(found),
        }
    }
    Ok(game.unwrap_or_default())
}

/// Writes all samples of the shards, symmetric copies included, in order, to arrays in `folder`.
pub(super) fn export<G: Kit>(
    files: &[PathBuf],
    folder: &Path,
    features: &str,
    json: bool,
) -> Result<(), CommandError> {
    let features = encoder::<G>(features).map_err(CommandError::usage)?;
    let mut readers = Vec::new();
    for file in files {
        readers.push(ShardReader::<G>::open(file)?);
    }
    let rows = readers.iter().map(|reader| reader.summary().samples).sum();
    let unwritable = |error: io::Error| {
        CommandError::failure(format!(
            "cannot write the arrays to {}: {error}",
            folder.display()
        ))
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let mut arrays = Arrays::create(folder, &features, rows).map_err(unwritable)?;
    let mut encoded = features.list(1);
    for sample in readers.iter().flat_map(ShardReader::samples) {
        let sample = sample?;
        encoded.clear();
        features.encode(&sample.position, &mut encoded);
        arrays
            .push(&sample, &encoded.position(0), features.max_active)
            .map_err(unwritable)?;
    }
    let description_path = folder.join("samples.json");
    // The description of an earlier export must not stay beside new arrays.
    match fs::remove_file(&description_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(error)),
        _ => {}
    }
    arrays.commit().map_err(unwritable)?;
    let description = json!({
        "game": G::NAME, "features": features.id, "max_active": features.max_active,
        "padding": PADDING, "samples": rows,
        "shards": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    });
    let text = format!("{}\n", serde_json::to_string(&description)?);
    write_atomically(&description_path, |file| file.write_all(text.as_bytes()))
        .map_err(unwritable)?;
    if json {
        return print_json(&description);
    }
    print(format!(
        "{}: {rows} samples of {} {} as arrays, with the features {} ({} of them, at most {} \
         active)",
        folder.display(),
        files.len(),
        match files.len() {
            1 => Kind::Shard.name(),
            _ => "shards",
        },
        features.id.name,
        features.id.size,
        features.max_active
    ))
}
