//! `bagheera evaluate --exact`: the tablebase test of players and evaluations.

use std::sync::Arc;

use super::CommandError;
use super::common::{player_factory, print, print_json};
use super::evaluate::{EvaluateCommand, NO_FILE, network, player_spec};
use super::match_command::NOT_REPEATABLE;
use crate::exam::Exam;
use crate::kit::{EndgameTables as _, Kit, NetworkSource, PlayerFactory, PlayerSpec, SearchSetup};
use crate::record::{
    ExamPlayerRecord, ExamRecord, ExamSetRecord, GradeCounts, KeptDifference, Ranked,
};
use crate::search::Limits;

/// Nodes per move of players that are given without limits.
const NODES: [u64; 3] = [100, 1000, 10_000];

/// Returns the players to test. A single network is tested at several node limits, together with the
/// hand-written evaluation at the same limits; without players, only the latter.
fn specs<G: Kit>(players: &[String]) -> Result<Vec<PlayerSpec>, CommandError> {
    let mut specs: Vec<PlayerSpec> = Vec::new();
    if players.is_empty() || players.iter().any(|text| network(text).is_some()) {
        specs.extend(NODES.map(|n| PlayerSpec::hand_written::<G>(Limits::nodes(n))));
    }
    for text in players {
        let named = match network(text) {
            Some(network) => NODES
                .map(|nodes| PlayerSpec::network(network.clone(), Limits::nodes(nodes)))
                .to_vec(),
            None => vec![player_spec(text)?],
        };
        for spec in named {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
    }
    Ok(specs)
}

/// Returns the evaluations to test without search: the hand-written ones, and the players' networks.
fn evaluations<G: Kit>(specs: &[PlayerSpec]) -> Result<Vec<PlayerFactory<G>>, CommandError> {
    let mut evaluations = Vec::new();
    for evaluation in G::EVALUATIONS {
        let setup = SearchSetup::with_limits(Limits::nodes(1));
        evaluations.push(PlayerFactory::of_evaluation(evaluation, setup, None));
    }
    let mut networks: Vec<&NetworkSource> = Vec::new();
    for network in specs.iter().filter_map(PlayerSpec::network_source) {
        if !networks.contains(&network) {
            networks.push(network);
            let spec = PlayerSpec::network(network.clone(), Limits::nodes(1));
            evaluations.push(player_factory::<G>(&spec)?.named(network.word()));
        }
    }
    Ok(evaluations)
}

/// Runs the tablebase test.
pub(super) fn exam<G: Kit>(command: &EvaluateCommand) -> Result<(), CommandError> {
    let specs = specs::<G>(&command.players)?;
    let players = specs.iter().map(|spec| {
        player_factory::<G>(spec).map_err(|ended| match ended {
            CommandError::Usage(reason) if spec.network_source().is_none() => {
                CommandError::usage(format!("{reason}{NO_FILE}"))
            }
            ended => ended,
        })
    });
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let evaluations = evaluations::<G>(&specs)?;
    let tables = Arc::new(G::Tables::open(&command.tables.folder::<G>()?)?);
    let arguments = &command.arguments;
    let resources = arguments.resources()?;
    let context = resources.context();
    if players.iter().any(|player| !player.deterministic) {
        context.reporter.say(NOT_REPEATABLE);
    }
    let count = command.exam_positions as usize;
    let exam = Exam::<G>::new(tables, count, arguments.seed, &context);
    let record = exam.and_then(|exam| exam.hold(&players, &evaluations, &context));
    let record = record
        .ok_or_else(|| CommandError::Interrupted("stopped during the tablebase test".to_owned()))?;
    if arguments.output.json {
        return print_json(&record);
    }
    print(text(&record))
}

/// Formats the record as text.
fn text(record: &ExamRecord) -> String {
    let mut lines = Vec::new();
    for set in &record.sets {
        lines.push(format!(
            "{}: {} positions in which some move loses value, {} of any kind; intervals are 95 %",
            set.set, set.critical, set.general
        ));
        lines.extend(totals(set));
        lines.extend(parts(set));
        lines.extend(differences(set));
        lines.extend(evaluations_text(set));
    }
    lines.join("\n")
}

/// Formats a table with one row per player; its first column is `title` with numbers and names.
fn table(title: &str, head: &[String], rows: &[(String, Vec<String>)]) -> Vec<String> {
    let width = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let title = title.to_owned();
    let names = width(&mut rows.iter().map(|(name, _)| name).chain([&title]));
    let columns = head.iter().enumerate().map(|(column, head)| {
        let cells = rows.iter().filter_map(|(_, cells)| cells.get(column));
        width(&mut cells.chain([head]))
    });
    let columns: Vec<usize> = columns.collect();
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().zip(&columns);
        let cells = cells.map(|(cell, width)| format!("  {cell:>width$}"));
        format!("  {name:names$}{}", cells.collect::<String>())
    };
    let mut lines = vec![line(&title, head)];
    lines.extend(rows.iter().map(|(name, cells)| line(name, cells)));
    lines
}

fn row(
    number: usize,
    player: &ExamPlayerRecord,
    cells: impl Iterator<Item = String>,
) -> (String, Vec<String>) {
    let name = format!("{} {}", number + 1, player.player);
    (name, cells.collect())
}

fn totals(set: &ExamSetRecord) -> Vec<String> {
    let head = ["kept %", "win to draw", "draw to loss", "win to loss"].map(str::to_owned);
    let rows = set.players.iter().enumerate().map(|(number, player)| {
        let counts = &player.total;
        let lost = [counts.win_to_draw, counts.draw_to_loss, counts.win_to_loss];
        let lost = lost.into_iter().map(|count| count.to_string());
        row(number, player, std::iter::once(kept(counts)).chain(lost))
    });
    table("all", &head, &rows.collect::<Vec<_>>())
}

/// Formats the value-preserving rate by kind of position, one column per kind.
fn parts(set: &ExamSetRecord) -> Vec<String> {
    let parts = set.players.first().map_or(&[][..], |first| &first.parts);
    let head = parts
        .iter()
        .map(|part| format!("{} ({})", part.part, part.counts.positions));
    let rows = set.players.iter().enumerate().map(|(number, player)| {
        let shares = player.parts.iter().map(|part| kept_briefly(&part.counts));
        row(number, player, shares)
    });
    let (head, rows) = (head.collect::<Vec<_>>(), rows.collect::<Vec<_>>());
    table("kept %, by kind", &head, &rows)
}

/// Formats the difference of the value-preserving rate between each player and the players before it.
fn differences(set: &ExamSetRecord) -> Vec<String> {
    if set.players.len() < 2 {
        return Vec::new();
    }
    let head = (1..set.players.len()).map(|number| format!("than {number}"));
    let rows = set.players.iter().enumerate().skip(1);
    let rows = rows.map(|(number, player)| {
        let differences = player.against_earlier.iter();
        row(number, player, differences.map(difference_text))
    });
    let (head, rows) = (head.collect::<Vec<_>>(), rows.collect::<Vec<_>>());
    table("kept %, more often", &head, &rows)
}

/// Formats the test of evaluations without search.
fn evaluations_text(set: &ExamSetRecord) -> Vec<String> {
    let percent =
        |share: Option<f64>| share.map_or("–".to_owned(), |s| format!("{:.0}", 100.0 * s));
    let mut lines = Vec::new();
    for scored in &set.evaluations {
        let ranking = &scored.ranking;
        lines.push(format!(
            "  {} without search, ranked right: won over drawn {} %, drawn over lost {} %, won over \
             lost {} %",
            scored.evaluation,
            ranked(ranking.win_over_draw),
            ranked(ranking.draw_over_loss),
            ranked(ranking.win_over_loss)
        ));
        let bins = || scored.calibration.iter().filter(|bin| bin.positions > 0);
        let head = bins().map(|bin| percent(bin.predicted)).collect::<Vec<_>>();
        let exact = bins().map(|bin| percent(bin.exact)).collect();
        let positions = bins().map(|bin| bin.positions.to_string()).collect();
        let rows = [
            ("  exact points, %".to_owned(), exact),
            ("  positions".to_owned(), positions),
        ];
        lines.extend(table("  predicted points, %", &head, &rows));
    }
    lines
}

/// Formats the value-preserving rate in percent with its 95 % interval.
fn kept(counts: &GradeCounts) -> String {
    match (counts.kept_share, counts.kept_interval) {
        (Some(share), Some(interval)) => with_interval(share, interval),
        _ => "–".to_owned(),
    }
}

/// As above, with the interval rounded to fit many columns.
fn kept_briefly(counts: &GradeCounts) -> String {
    match (counts.kept_share, counts.kept_interval) {
        (Some(share), Some([low, high])) => {
            let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
            format!("{share:.1} [{low:.0}, {high:.0}]")
        }
        _ => "–".to_owned(),
    }
}

fn ranked(ranked: Option<Ranked>) -> String {
    ranked.map_or_else(
        || "–".to_owned(),
        |ranked| with_interval(ranked.share, ranked.interval),
    )
}

fn with_interval(share: f64, [low, high]: [f64; 2]) -> String {
    let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
    format!("{share:.1} [{low:.1}, {high:.1}]")
}

fn difference_text(found: &KeptDifference) -> String {
    let [low, high] = found.interval.map(|end| 100.0 * end);
    format!("{:+.1} [{low:+.1}, {high:+.1}]", 100.0 * found.difference)
}
