//! The page of a run.

use indicatif::FormattedDuration;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;
use std::time::Duration;

use super::figures::{Figure, figures};
use super::games::GameView;
use super::run::{GenerationReport, RunReport};
use crate::game::Picture;
use crate::record::{LadderRecord, MatchRecord, StageTimes};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The report of a run of the game as one HTML page that needs nothing else.
#[must_use]
pub fn page<G: Picture>(run: &RunReport) -> String {
    let title = format!("Bagheera: {}", run.name);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(colours(G::COLOURS))) }
            }
            body {
                h1 { (title) }
                (summary(run))
                h2 { "Progress" }
                div.cards { @for figure in figures(run) { (picture(&figure)) } }
                h2 { "Generations" }
                (generations(run))
                @if let Some(ladder) = &run.ladder {
                    h2 { "Ladder" }
                    (ladder_table(ladder, &run.sides))
                }
                @if !run.games.is_empty() {
                    h2 { "Games of the best network" }
                    p.soft {
                        "The bar is the share of the point that " (run.sides[0])
                        " can expect by the score of the player to move; arrow keys step through a game."
                    }
                    div.cards { @for view in &run.games { (game(view, &run.sides, G::VIEW_BOX)) } }
                }
                h2 { "Configuration" }
                details { summary { "Every key of the run" } pre { (run.config) } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The rules of style that give the sides their colours.
fn colours([light, dark]: [[&str; 2]; 2]) -> String {
    let rule = |[max, min]: [&str; 2]| format!(":root {{ --max: {max}; --min: {min}; }}");
    let dark = rule(dark);
    format!(
        "{}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}\n",
        rule(light)
    )
}

fn summary(run: &RunReport) -> Markup {
    let finished = run.generations.len();
    let spent = run
        .generations
        .iter()
        .fold(StageTimes::default(), |sum, generation| {
            sum.plus(&generation.times)
        });
    let games: u64 = run
        .generations
        .iter()
        .map(|generation| generation.record.selfplay.games.outcomes.total())
        .sum();
    let positions: u64 = run
        .generations
        .iter()
        .map(|generation| generation.record.selfplay.originals)
        .sum();
    let best = run.best.and_then(|best| {
        let generation = run.generations.get(best.checked_sub(1)? as usize)?;
        Some((best, generation.record.gate.hand_written.points_text()))
    });
    html! {
        p {
            "A run of " (run.game) ", " (finished) " generations finished: " (games) " games, " (positions)
            " positions"
            @if spent.total() > 0.0 { ", " (time(&spent)) " by the clock" }
            "."
        }
        @match best {
            Some((best, points)) => p {
                "The best network is that of generation " (best) ": " (points)
                " of the points against the hand-written evaluation."
            },
            None => p { "The best network is still the one that the run began with." },
        }
    }
}

/// What the stages took together; a dash if nothing is known of it.
fn time(times: &StageTimes) -> String {
    match times.total() {
        0.0 => "–".to_owned(),
        total => FormattedDuration(Duration::from_secs_f64(total.round())).to_string(),
    }
}

fn picture(figure: &Figure) -> Markup {
    html! {
        figure {
            h3 { (figure.title) }
            (PreEscaped(&figure.svg))
            figcaption { (figure.caption) }
        }
    }
}

fn generations(run: &RunReport) -> Markup {
    let row = |generation: &GenerationReport| {
        let record = &generation.record;
        let gate = &record.gate;
        html! {
            tr {
                td { (record.generation) }
                td { (record.selfplay.games.outcomes.total()) }
                td { (record.selfplay.originals) }
                td { (format!("{:.0}", record.selfplay.games.mean_length)) }
                td { (format!("{:.4}", record.training.validation.loss)) }
                td { (gate.hand_written.points_text()) }
                td { (gate.against_best.as_ref().map_or("–".to_owned(), MatchRecord::points_text)) }
                td { (time(&generation.times)) }
                td.reason {
                    @if gate.promoted { "promoted" } @else { "rejected" }
                    ": it " (gate.reason)
                }
            }
        }
    };
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        th { "gen" } th { "games" } th { "positions" } th { "plies" } th { "validation" }
                        th { "vs hand-written" } th { "vs best" } th { "time" } th.reason { "verdict" }
                    }
                }
                tbody { @for generation in &run.generations { (row(generation)) } }
            }
        }
    }
}

fn ladder_table(ladder: &LadderRecord, sides: &[String; 2]) -> Markup {
    let mut players: Vec<_> = ladder.players.iter().collect();
    players.sort_by(|one, other| other.rating.elo.total_cmp(&one.rating.elo));
    let elo = |rating: &crate::statistics::Rating| {
        format!("{:+.0} ± {:.0}", rating.elo, rating.half_width)
    };
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        th { "player" } th { "Elo" }
                        @for side in sides { th { "as " (side) } }
                        th { "games" }
                    }
                }
                tbody {
                    @for player in players {
                        tr {
                            td { (player.name) }
                            td { (elo(&player.rating)) }
                            @for side in sides {
                                td { (player.by_side.get(side).map_or("–".to_owned(), elo)) }
                            }
                            td { (player.games.games()) }
                        }
                    }
                }
            }
        }
    }
}

/// A game; without scripts its last position and its moves are shown.
fn game(view: &GameView, sides: &[String; 2], view_box: &str) -> Markup {
    let plies: Vec<_> = view
        .plies
        .iter()
        .map(|ply| {
            json!({
                "mv": ply.mv, "expected": ply.expected, "score": ply.score, "exact": ply.exact,
                "pieces": ply.pieces,
            })
        })
        .collect();
    // A script element ends at the first "</", whatever it holds.
    let data = json!(plies).to_string().replace("</", "<\\/");
    let moves: Vec<&str> = view
        .plies
        .iter()
        .filter_map(|ply| ply.mv.as_deref())
        .collect();
    let last = view.plies.last().map_or("", |ply| ply.pieces.as_str());
    html! {
        section.game tabindex="0" data-result=(view.result) {
            h3 { (sides[0]) ": " (view.players[0]) ", " (sides[1]) ": " (view.players[1]) " — " (view.result) }
            svg.board viewBox=(view_box) role="img" aria-label="the board" {
                g { (PreEscaped(&view.board)) }
                g.pieces { (PreEscaped(last)) }
            }
            div.bar title="expected share of the point" { div.of-max style="width:50%" {} div.of-min {} }
            p.told {}
            div.controls {
                button.back type="button" aria-label="a move back" { "◀" }
                input type="range" min="0" max="0" value="0" aria-label="ply";
                button.on type="button" aria-label="a move on" { "▶" }
            }
            details { summary.soft { "All moves" } p.soft { (moves.join(" ")) } }
            script type="application/json" { (PreEscaped(data)) }
        }
    }
}
