//! The table of generations.

use crate::game::{Notation, Outcome};
use crate::record::{ExamRecord, GenerationRecord, MatchRecord};
use crate::report::{Column, dash, percent, text_table};

/// A row: the network that the run began with and its score, or a generation.
enum Row<'a> {
    Start(f64),
    Generation(&'a GenerationRecord),
}

/// Formats a table with a line per generation: games, training, matches and verdict; after exams also how
/// often the best network kept the tablebase value in positions from games. `start` is the score of the
/// first network against the hand-written evaluation, 0 to 1.
#[must_use]
pub fn table<G: Notation>(records: &[GenerationRecord], start: Option<f64>) -> String {
    let mut columns = columns::<G>();
    if records.iter().any(|record| record.exam.is_some()) {
        let verdict = columns.len() - 1;
        columns.insert(verdict, column("value kept", 15, kept));
    }
    let start = start.map(Row::Start);
    let rows = start.into_iter().chain(records.iter().map(Row::Generation));
    text_table(&columns, rows)
}

fn columns<'a, G: Notation>() -> Vec<Column<'static, Row<'a>>> {
    let outcomes = [Outcome::Max, Outcome::Draw, Outcome::Min].map(G::outcome_name);
    vec![
        with_start("gen", 3, |_| "0".to_owned(), |r| r.generation.to_string()),
        column("games", 7, |r| {
            r.selfplay.games.outcomes.total().to_string()
        }),
        column("positions", 9, |r| r.selfplay.originals.to_string()),
        column(&outcomes.join("/"), 16, shares),
        column("plies", 5, |r| {
            format!("{:.0}", r.selfplay.games.mean_length)
        }),
        column("validation", 10, |r| {
            format!("{:.4}", r.training.validation.loss)
        }),
        with_start("vs hand-written", 15, percent, |r| {
            r.gate.hand_written.points_text()
        }),
        column("vs random", 9, |r| {
            r.gate.random.score.map_or(dash(), percent)
        }),
        column("vs best", 15, against_best),
        with_start(
            "verdict",
            0,
            |_| "the start".to_owned(),
            |r| r.gate.verdict().to_owned(),
        ),
    ]
}

/// A column that is empty for the start.
fn column<'a>(
    header: &str,
    width: usize,
    cell: fn(&GenerationRecord) -> String,
) -> Column<'static, Row<'a>> {
    with_start(header, width, |_| dash(), cell)
}

/// A column with a cell for the start.
fn with_start<'a>(
    header: &str,
    width: usize,
    start: fn(f64) -> String,
    cell: fn(&GenerationRecord) -> String,
) -> Column<'static, Row<'a>> {
    Column::new(header, width, move |row: &Row| match row {
        Row::Start(score) => start(*score),
        Row::Generation(record) => cell(record),
    })
}

/// The shares of the outcomes of self-play games in percent.
fn shares(record: &GenerationRecord) -> String {
    let outcomes = &record.selfplay.games.outcomes;
    let share = |outcome| format!("{:.0}", 100.0 * outcomes.share(outcome));
    [Outcome::Max, Outcome::Draw, Outcome::Min]
        .map(share)
        .join("/")
}

fn against_best(record: &GenerationRecord) -> String {
    let played = record.gate.against_best.as_ref();
    played.map_or(dash(), MatchRecord::points_text)
}

/// How often the first player kept the value in positions from games, with the 95 % interval.
fn kept(record: &GenerationRecord) -> String {
    let share = |exam: &ExamRecord| {
        let counts = exam.sets.first()?.players.first()?.total;
        let [low, high] = counts.kept_interval?.map(|share| 100.0 * share);
        Some(format!(
            "{:.1} [{low:.0}, {high:.0}] %",
            100.0 * counts.kept_share?
        ))
    };
    record.exam.as_ref().and_then(share).unwrap_or_else(dash)
}
