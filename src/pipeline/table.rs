//! The table of generations.

use crate::game::{Notation, Outcome};
use crate::record::{ExamRecord, GenerationRecord, MatchRecord};

/// A line for each generation: games, what training reached, matches, verdict; where there were
/// exams, how often the best network kept the exact value in positions from games.
#[must_use]
pub fn table<G: Notation>(records: &[GenerationRecord], start: Option<f64>) -> String {
    let sides = [Outcome::Max, Outcome::Draw, Outcome::Min]
        .map(G::outcome_name)
        .join("/");
    let examined = records.iter().any(|record| record.exam.is_some());
    let exam_cell = |cell: String| {
        if examined {
            format!("  {cell:>15}")
        } else {
            String::new()
        }
    };
    let mut lines = vec![format!(
        "{:>3}  {:>7}  {:>9}  {:>16}  {:>5}  {:>10}  {:>15}  {:>9}  {:>15}{}  verdict",
        "gen",
        "games",
        "positions",
        sides,
        "plies",
        "validation",
        "vs hand-written",
        "vs random",
        "vs best",
        exam_cell("value kept".to_owned()),
    )];
    if let Some(score) = start {
        lines.push(format!(
            "{:>3}  {:>7}  {:>9}  {:>16}  {:>5}  {:>10}  {:>15}  {:>9}  {:>15}{}  the start",
            0,
            "–",
            "–",
            "–",
            "–",
            "–",
            percent(score),
            "–",
            "–",
            exam_cell("–".to_owned()),
        ));
    }
    for record in records {
        let games = &record.selfplay.games;
        let share = |outcome| format!("{:.0}", 100.0 * games.outcomes.share(outcome));
        let shares = [Outcome::Max, Outcome::Draw, Outcome::Min]
            .map(share)
            .join("/");
        let gate = &record.gate;
        let verdict = if gate.promoted {
            "promoted"
        } else {
            "rejected"
        };
        lines.push(format!(
            "{:>3}  {:>7}  {:>9}  {:>16}  {:>5.0}  {:>10.4}  {:>15}  {:>9}  {:>15}{}  {verdict}",
            record.generation,
            games.outcomes.total(),
            record.selfplay.originals,
            shares,
            games.mean_length,
            record.training.validation.loss,
            gate.hand_written.points_text(),
            gate.random.score.map_or("–".to_owned(), percent),
            gate.against_best
                .as_ref()
                .map_or("–".to_owned(), MatchRecord::points_text),
            exam_cell(record.exam.as_ref().map_or("–".to_owned(), kept)),
        ));
    }
    lines.join("\n")
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}

/// How often the first player kept the value in positions from games, with the 95 % interval.
fn kept(record: &ExamRecord) -> String {
    let counts = record.sets.first().and_then(|set| set.players.first());
    let counts = counts.map(|player| player.total);
    match counts.and_then(|counts| counts.kept_share.zip(counts.kept_interval)) {
        Some((share, [low, high])) => {
            let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
            format!("{share:.1} [{low:.0}, {high:.0}] %")
        }
        None => "–".to_owned(),
    }
}
