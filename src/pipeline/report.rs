//! Gathers what the report of a run shows from its directory.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::directory::{RunDirectory, times_path};
use super::error::RunError;
use super::run::records;
use super::state::{State, load_json};
use crate::files::{FileError, write_atomically};
use crate::game::{Exact, GameReader, GameRecord, Side};
use crate::kit::Kit;
use crate::record::MetricsLine;
use crate::report::{GameView, GenerationReport, RunReport, page};
use crate::training::METRICS_FILE;

/// The page in a run's directory.
const PAGE: &str = "report.html";
/// Metrics lines of one kind that the report keeps of a generation.
const MOST_METRICS: usize = 100;
/// Games of the best network that are shown.
const MOST_GAMES: usize = 4;

/// Reads what the report of the run in a directory shows; `exact` tells the exact value of a position,
/// where it is known.
///
/// # Errors
/// If there is no run, or a file of it cannot be read.
pub fn report<G: Kit>(
    root: &Path,
    exact: impl Fn(&G) -> Option<Exact>,
) -> Result<RunReport, RunError> {
    let path = RunDirectory::config_path(root);
    let config = fs::read_to_string(&path).map_err(FileError::io("read", &path))?;
    let state = State::load(&RunDirectory::state_path(root))?;
    let best = state.as_ref().map(|state| state.best.generation);
    let folder = |generation| RunDirectory::folder(root, generation);
    let remedy = "remove it, and the run makes it again";
    let start = load_json(&folder(0).join("points.json"), remedy)?;
    let ladder = load_json(
        &root.join("ladder/ladder.json"),
        "remove it, and make it again by: bagheera ladder --run DIR",
    )?;
    let generations = records(root)?.into_iter().map(|record| {
        let folder = folder(record.generation);
        GenerationReport {
            times: load_json(&times_path(&folder), "")
                .ok()
                .flatten()
                .unwrap_or_default(),
            metrics: thinned(metrics(&folder.join(METRICS_FILE))),
            record,
        }
    });
    let games = best.map_or_else(Vec::new, |best| games::<G>(&folder(best)));
    let name = root.file_name().unwrap_or(root.as_os_str());
    Ok(RunReport {
        name: name.to_string_lossy().into_owned(),
        game: G::NAME.to_owned(),
        sides: [Side::Max, Side::Min].map(|side| G::side_name(side).to_owned()),
        config,
        start,
        generations: generations.collect(),
        best,
        ladder,
        games: games
            .iter()
            .map(|game| GameView::of(game, &exact))
            .collect(),
    })
}

/// Writes the page of a run into its directory; returns where.
///
/// # Errors
/// If it cannot be written.
pub fn write_report<G: Kit>(root: &Path, report: &RunReport) -> Result<PathBuf, RunError> {
    let path = root.join(PAGE);
    let page = page::<G>(report);
    let write = |file: &mut dyn std::io::Write| file.write_all(page.as_bytes());
    write_atomically(&path, |file| write(file)).map_err(FileError::io("write", &path))?;
    Ok(path)
}

/// The lines of a file of metrics; none if it cannot be read.
fn metrics(path: &Path) -> Vec<MetricsLine> {
    let lines = File::open(path).into_iter();
    let lines = lines.flat_map(|file| BufReader::new(file).lines().map_while(Result::ok));
    lines
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect()
}

/// At most so many lines of training, evenly apart, and all of validation.
fn thinned(lines: Vec<MetricsLine>) -> Vec<MetricsLine> {
    let training = |line: &MetricsLine| matches!(line, MetricsLine::Training { .. });
    let all = lines.iter().filter(|line| training(line)).count();
    let every = all.div_ceil(MOST_METRICS).max(1);
    let mut seen = 0;
    lines
        .into_iter()
        .filter(|line| {
            if !training(line) {
                return true;
            }
            seen += 1;
            seen % every == 0
        })
        .collect()
}

/// Games of a generation's network against the hand-written evaluation: wins with either side first,
/// then what else there is.
fn games<G: Kit>(folder: &Path) -> Vec<GameRecord<G>> {
    let Ok(file) = File::open(folder.join("gate-hand-written.games")) else {
        return Vec::new();
    };
    let mut reader = GameReader::new(BufReader::new(file));
    let mut kinds: Vec<(usize, GameRecord<G>)> = Vec::new();
    let mut index = 0;
    while let Ok(Some(game)) = reader.next_game::<G>() {
        let side = if index % 2 == 0 { Side::Max } else { Side::Min };
        index += 1;
        let winner = game.end.and_then(|end| end.outcome().winner());
        let kind = match winner {
            Some(winner) if winner == side => side as usize,
            Some(_) => 2,
            None => 3,
        };
        if kinds.iter().all(|(other, _)| *other != kind) {
            kinds.push((kind, game));
        }
        if kinds.len() == MOST_GAMES {
            break;
        }
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds.into_iter().map(|(_, game)| game).collect()
}
