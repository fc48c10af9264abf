//! Reads the contents of a run's report from its directory.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::error::RunError;
use super::run::records;
use super::state::{RunState, load_json};
use crate::files::{FileError, write_atomically};
use crate::game::{Exact, GameReader, GameRecord, Side};
use crate::kit::Kit;
use crate::record::{GateMatch, GenerationPaths, MetricsLine, RunPaths};
use crate::report::{GameView, GenerationReport, RunReport, page};

/// Maximum number of training lines in a generation's metrics.
const MAX_METRICS: usize = 100;
/// Maximum number of games of the best network.
const MAX_GAMES: usize = 4;

/// Reads the contents of a run's report; `exact` returns the tablebase value of a position, if known.
///
/// # Errors
/// If there is no run, or a file of it cannot be read.
pub fn report<G: Kit>(
    paths: &RunPaths,
    exact: impl Fn(&G) -> Option<Exact>,
) -> Result<RunReport, RunError> {
    let path = paths.config();
    let config = fs::read_to_string(&path).map_err(FileError::io("read", &path))?;
    let state = RunState::load(&paths.state())?;
    let best = state.as_ref().map(|state| state.best.generation);
    let remedy = "remove it, and the run makes it again";
    let start = load_json(&paths.generation(0).start_score(), remedy)?;
    let ladder = load_json(
        &paths.ladder_record(),
        "remove it and make it again with: bagheera ladder --run DIR",
    )?;
    let generations = records(paths)?.into_iter().map(|record| {
        let paths = paths.generation(record.generation);
        GenerationReport {
            times: load_json(&paths.times(), "")
                .ok()
                .flatten()
                .unwrap_or_default(),
            metrics: thinned(metrics(&paths.metrics())),
            record,
        }
    });
    let games = best.map_or_else(Vec::new, |best| games::<G>(&paths.generation(best)));
    let root = paths.root();
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

/// Writes the HTML report into the directory of a run; returns its path.
///
/// # Errors
/// If it cannot be written.
pub fn write_report<G: Kit>(paths: &RunPaths, report: &RunReport) -> Result<PathBuf, RunError> {
    let path = paths.report();
    let page = page::<G>(report);
    let write = |file: &mut dyn std::io::Write| file.write_all(page.as_bytes());
    write_atomically(&path, |file| write(file)).map_err(FileError::io("write", &path))?;
    Ok(path)
}

/// Reads the lines of a metrics file; returns none if it cannot be read.
fn metrics(path: &Path) -> Vec<MetricsLine> {
    let lines = File::open(path).into_iter();
    let lines = lines.flat_map(|file| BufReader::new(file).lines().map_while(Result::ok));
    lines
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect()
}

/// Keeps at most [`MAX_METRICS`] lines of training, evenly spaced, and all of validation.
fn thinned(lines: Vec<MetricsLine>) -> Vec<MetricsLine> {
    let training = |line: &MetricsLine| matches!(line, MetricsLine::Training { .. });
    let all = lines.iter().filter(|line| training(line)).count();
    let every = all.div_ceil(MAX_METRICS).max(1);
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

/// Reads games of a generation's network against the hand-written evaluation, one of each kind: wins as
/// either side, a loss, a draw.
fn games<G: Kit>(paths: &GenerationPaths) -> Vec<GameRecord<G>> {
    let Ok(file) = File::open(paths.games(GateMatch::HandWritten)) else {
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
        if kinds.len() == MAX_GAMES {
            break;
        }
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds.into_iter().map(|(_, game)| game).collect()
}
