//! The table of generations.

use crate::game::{Notation, Outcome};
use crate::record::{GenerationRecord, MatchRecord};

/// A line for each generation: games, what training reached, matches, verdict.
#[must_use]
pub fn table<G: Notation>(records: &[GenerationRecord], start: Option<f64>) -> String {
    let sides = [Outcome::Max, Outcome::Draw, Outcome::Min]
        .map(G::outcome_name)
        .join("/");
    let mut lines = vec![format!(
        "{:>3}  {:>7}  {:>9}  {:>16}  {:>5}  {:>10}  {:>15}  {:>9}  {:>15}  verdict",
        "gen",
        "games",
        "positions",
        sides,
        "plies",
        "validation",
        "vs hand-written",
        "vs random",
        "vs best",
    )];
    if let Some(score) = start {
        lines.push(format!(
            "{:>3}  {:>7}  {:>9}  {:>16}  {:>5}  {:>10}  {:>15}  {:>9}  {:>15}  the start",
            0,
            "–",
            "–",
            "–",
            "–",
            "–",
            percent(score),
            "–",
            "–",
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
            "{:>3}  {:>7}  {:>9}  {:>16}  {:>5.0}  {:>10.4}  {:>15}  {:>9}  {:>15}  {verdict}",
            record.generation,
            games.outcomes.total(),
            record.selfplay.originals,
            shares,
            games.mean_length,
            record.training.validation.loss,
            points(&gate.hand_written),
            gate.random.score.map_or("–".to_owned(), percent),
            gate.against_best.as_ref().map_or("–".to_owned(), points),
        ));
    }
    lines.join("\n")
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}

/// Points with the half-width of their 95 % interval.
fn points(record: &MatchRecord) -> String {
    let Some(estimate) = &record.estimate else {
        return "–".to_owned();
    };
    let [low, high] = estimate.score_interval;
    format!(
        "{:.1} ± {:.1} %",
        100.0 * estimate.score,
        50.0 * (high - low)
    )
}
