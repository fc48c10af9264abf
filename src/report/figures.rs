//! The figures of a run, each with what it shows in words.

use super::plot::{Axes, Curve, bars, curves, shares, with_own_names};
use super::run::{GenerationReport, RunReport};
use crate::record::{ExamRecord, MatchRecord, MetricsLine};

/// A picture and what it shows.
pub(super) struct Figure {
    pub title: &'static str,
    pub caption: String,
    pub svg: String,
}

/// All figures that the run has data for.
pub(super) fn figures(run: &RunReport) -> Vec<Figure> {
    if run.generations.is_empty() {
        return Vec::new();
    }
    let found = [
        points(run),
        elo(run),
        ladder(run),
        losses(run),
        last_training(run),
        outcomes(run),
        lengths(run),
        unique(run),
        calibration(run),
        exam(run),
        times(run),
        selfplay_rate(run),
        training_rate(run),
    ];
    let found = found.into_iter().flatten().enumerate();
    found
        .map(|(number, figure)| Figure {
            svg: with_own_names(&figure.svg, number),
            ..figure
        })
        .collect()
}

const GENERATION: &str = "generation";

fn x(generation: &GenerationReport) -> f64 {
    f64::from(generation.record.generation)
}

/// A value of every generation that has it.
fn along(run: &RunReport, value: impl Fn(&GenerationReport) -> Option<f64>) -> Vec<(f64, f64)> {
    let generations = run.generations.iter();
    generations
        .filter_map(|generation| Some((x(generation), value(generation)?)))
        .collect()
}

fn percent_with_error(record: &MatchRecord) -> Option<(f64, f64, f64)> {
    let estimate = record.estimate.as_ref()?;
    let [low, high] = estimate.score_interval.map(|points| 100.0 * points);
    let score = 100.0 * estimate.score;
    Some((score, score - low, high - score))
}

fn points(run: &RunReport) -> Option<Figure> {
    let of = |name: &str, record: fn(&GenerationReport) -> Option<&MatchRecord>| {
        let points = run.generations.iter().filter_map(|generation| {
            let (score, low, high) = percent_with_error(record(generation)?)?;
            Some((x(generation), score, low, high))
        });
        Curve::with_errors(name, points)
    };
    let mut hand_written = of("hand-written evaluation", |g| {
        Some(&g.record.gate.hand_written)
    });
    if let Some(start) = run.start {
        hand_written
            .points
            .insert(0, (0.0, 100.0 * start, 0.0, 0.0));
    }
    let best = of("best network before", |g| {
        g.record.gate.against_best.as_ref()
    });
    let random = of("random moves", |g| Some(&g.record.gate.random));
    let all: Vec<Curve> = [hand_written, best, random]
        .into_iter()
        .filter(|curve| !curve.points.is_empty())
        .collect();
    Some(Figure {
        title: "Points in matches",
        caption: "Points of each generation's network in the gate's matches against each opponent, in percent, \
                  with 95 % intervals. Above 50 % it is the stronger one; generation 0 is the network that the \
                  run began with."
            .to_owned(),
        svg: curves(
            &all,
            Axes {
                x: GENERATION,
                counts: true,
                y: "points, %",
                y_range: Some((0.0, 100.0)),
                level: Some(50.0),
            },
        ),
    })
}

fn elo(run: &RunReport) -> Option<Figure> {
    let points = run.generations.iter().filter_map(|generation| {
        let estimate = generation.record.gate.hand_written.estimate.as_ref()?;
        let half = estimate.elo_half_width?;
        Some((x(generation), estimate.elo, half, half))
    });
    let curve = Curve::with_errors("Elo", points);
    (!curve.points.is_empty()).then(|| Figure {
        title: "Elo against the hand-written evaluation",
        caption: "The same matches as a difference in Elo, with 95 % intervals: 0 is equal strength, +191 is \
                  three points of four."
            .to_owned(),
        svg: curves(
            &[curve],
            Axes {
                x: GENERATION,
                counts: true,
                y: "Elo",
                level: Some(0.0),
                ..Axes::default()
            },
        ),
    })
}

fn ladder(run: &RunReport) -> Option<Figure> {
    let ladder = run.ladder.as_ref()?;
    let players = ladder.players.iter().filter_map(|player| {
        let half = player.rating.half_width;
        Some((f64::from(player.generation?), player.rating.elo, half, half))
    });
    let mut all = vec![Curve::with_errors("generations", players)];
    let last = f64::from(run.generations.len() as u32);
    let others = ladder
        .players
        .iter()
        .filter(|player| player.generation.is_none());
    for player in others {
        let elo = player.rating.elo;
        all.push(Curve::plain(&player.name, [(0.0, elo), (last, elo)]));
    }
    (all[0].points.len() > 1).then(|| Figure {
        title: "Ladder",
        caption: format!(
            "Ratings of generations from one fit to all matches of the ladder ({} pairs a match), with 95 % \
             intervals; level lines are the other players. 0 is the mean of all players.",
            ladder.pairs
        ),
        svg: curves(
            &all,
            Axes {
                x: GENERATION,
                counts: true,
                y: "Elo",
                ..Axes::default()
            },
        ),
    })
}

fn losses(run: &RunReport) -> Option<Figure> {
    let before = along(run, |g| Some(g.record.training.validation_before.loss));
    let after = along(run, |g| Some(g.record.training.validation.loss));
    let unseen = along(run, |g| g.record.training.validation.unseen_loss);
    let all = [
        Curve::plain("validation, before training", before),
        Curve::plain("validation, after", after),
        Curve::plain("on unseen positions", unseen),
    ];
    Some(Figure {
        title: "Validation loss by generation",
        caption: "Mean loss on positions of games that were held out, before and after each training, and after \
                  it on those positions that no symmetry makes equal to one trained on. Data change from \
                  generation to generation, so a rise need not mean a weaker network."
            .to_owned(),
        svg: curves(
            &all,
            Axes {
                x: GENERATION,
                counts: true,
                y: "loss",
                ..Axes::default()
            },
        ),
    })
}

fn last_training(run: &RunReport) -> Option<Figure> {
    let last = run.generations.last()?;
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    for line in &last.metrics {
        match line {
            MetricsLine::Training { step, loss, .. } => training.push((*step as f64, *loss)),
            MetricsLine::Validation {
                step,
                validation: found,
            } => validation.push((*step as f64, found.loss)),
        }
    }
    (training.len() > 1).then(|| Figure {
        title: "The last training",
        caption: format!(
            "Loss over the steps of generation {}'s training: of the steps themselves, and on games held out. \
             The network after step {} was taken.",
            last.record.generation, last.record.training.best_step
        ),
        svg: curves(
            &[
                Curve::plain("training", training),
                Curve::plain("validation", validation),
            ],
            Axes {
                x: "step",
                y: "loss",
                ..Axes::default()
            },
        ),
    })
}

fn outcomes(run: &RunReport) -> Option<Figure> {
    let x: Vec<f64> = run.generations.iter().map(x).collect();
    let share = |count: fn(&crate::shard::OutcomeCounts) -> u64| {
        let generations = run.generations.iter();
        generations
            .map(|generation| {
                let outcomes = &generation.record.selfplay.games.outcomes;
                100.0 * count(outcomes) as f64 / outcomes.total().max(1) as f64
            })
            .collect::<Vec<f64>>()
    };
    let [max, min] = &run.sides;
    let parts = [
        (format!("{max} won"), share(|outcomes| outcomes.max)),
        ("drawn".to_owned(), share(|outcomes| outcomes.draw)),
        (format!("{min} won"), share(|outcomes| outcomes.min)),
    ];
    (x.len() > 1).then(|| Figure {
        title: "Outcomes of self-play",
        caption: "How the games of each generation ended, in percent.".to_owned(),
        svg: shares(
            &x,
            &parts,
            Axes {
                x: GENERATION,
                counts: true,
                y: "games, %",
                y_range: Some((0.0, 100.0)),
                level: None,
            },
        ),
    })
}

fn lengths(run: &RunReport) -> Option<Figure> {
    let length = along(run, |g| Some(g.record.selfplay.games.mean_length));
    Some(Figure {
        title: "Length of games",
        caption: "Plies of a game of self-play on average, its random opening aside.".to_owned(),
        svg: curves(
            &[Curve::plain("plies", length)],
            Axes {
                x: GENERATION,
                counts: true,
                y: "plies",
                ..Axes::default()
            },
        ),
    })
}

fn unique(run: &RunReport) -> Option<Figure> {
    let games = along(run, |g| {
        let games = &g.record.selfplay.games;
        let all = games.outcomes.total();
        (all > 0).then(|| 100.0 * games.unique as f64 / all as f64)
    });
    let positions = along(run, |g| {
        let selfplay = &g.record.selfplay;
        let unique = selfplay.originals.saturating_sub(selfplay.duplicates);
        (selfplay.originals > 0).then(|| 100.0 * unique as f64 / selfplay.originals as f64)
    });
    Some(Figure {
        title: "Variety of self-play",
        caption: "Games that differ from all others of their generation, and positions that no symmetry makes \
                  equal to an earlier one of their shard, in percent."
            .to_owned(),
        svg: curves(
            &[
                Curve::plain("unique games", games),
                Curve::plain("unique positions", positions),
            ],
            Axes {
                x: GENERATION,
                counts: true,
                y: "unique, %",
                y_range: Some((0.0, 100.0)),
                level: None,
            },
        ),
    })
}

fn calibration(run: &RunReport) -> Option<Figure> {
    let last = run.generations.last()?;
    let groups: Vec<(String, Vec<f64>)> = last
        .record
        .training
        .validation
        .calibration
        .iter()
        .filter_map(|row| {
            let values = [row.predicted?, row.outcome?];
            Some((
                row.stratum.clone(),
                values.map(|points| 100.0 * points).to_vec(),
            ))
        })
        .collect();
    (!groups.is_empty()).then(|| Figure {
        title: "Calibration",
        caption: format!(
            "What the last network expects {} to get of the point in positions of each kind that it was not \
             trained on, and what it got, in percent.",
            run.sides[0]
        ),
        svg: bars(
            &["expected", "got"],
            &groups,
            false,
            Axes {
                x: "kind of position",
                y: "points, %",
                y_range: Some((0.0, 100.0)),
                level: None,
                counts: false,
            },
        ),
    })
}

fn exam(run: &RunReport) -> Option<Figure> {
    let kept = |set: usize| {
        let points = run.generations.iter().filter_map(move |generation| {
            let exam: &ExamRecord = generation.record.exam.as_ref()?;
            let counts = exam.sets.get(set)?.players.first()?.total;
            let share = 100.0 * counts.kept_share?;
            let [low, high] = counts.kept_interval?.map(|share| 100.0 * share);
            Some((x(generation), share, share - low, high - share))
        });
        let name = ["positions from games", "random positions"][set];
        Curve::with_errors(name, points)
    };
    let all = [kept(0), kept(1)];
    (!all[0].points.is_empty()).then(|| Figure {
        title: "Against exact play",
        caption: "How often the best network's move keeps the exact value in positions in which some move loses \
                  it, in percent with 95 % intervals, by a search as long as the gate's."
            .to_owned(),
        svg: curves(
            &all,
            Axes {
                x: GENERATION,
                counts: true,
                y: "value kept, %",
                ..Axes::default()
            },
        ),
    })
}

fn times(run: &RunReport) -> Option<Figure> {
    let totals = run.generations.iter().map(|g| g.times.total());
    let longest = totals.fold(0.0, f64::max);
    let (unit, length) = match longest {
        0.0..120.0 => ("seconds", 1.0),
        120.0..7200.0 => ("minutes", 60.0),
        _ => ("hours", 3600.0),
    };
    let groups: Vec<(String, Vec<f64>)> = run
        .generations
        .iter()
        .map(|generation| {
            let stages = generation.times.stages();
            let times = stages.iter().map(|(_, seconds)| seconds / length);
            (generation.record.generation.to_string(), times.collect())
        })
        .collect();
    let names = ["self-play", "training", "gate", "exam"];
    (longest > 0.0).then(|| Figure {
        title: "Time by stage",
        caption: format!(
            "How long the stages of each generation took by the clock, in {unit}, breaks aside."
        ),
        svg: bars(
            &names,
            &groups,
            true,
            Axes {
                x: GENERATION,
                counts: true,
                y: unit,
                ..Axes::default()
            },
        ),
    })
}

fn selfplay_rate(run: &RunReport) -> Option<Figure> {
    let rate = along(run, |g| {
        per_second(g.record.selfplay.originals, g.times.selfplay)
    });
    let caption = "Positions a second, in thousands, that self-play searched, images aside.";
    rate_figure("Rate of self-play", caption, rate)
}

fn training_rate(run: &RunReport) -> Option<Figure> {
    let rate = along(run, |g| {
        per_second(g.record.training.positions_seen, g.times.training)
    });
    let caption = "Positions a second, in thousands, that training saw, images among them.";
    rate_figure("Rate of training", caption, rate)
}

/// Thousands a second; none where the time is not known.
fn per_second(positions: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| positions as f64 / seconds / 1000.0)
}

fn rate_figure(title: &'static str, caption: &str, rate: Vec<(f64, f64)>) -> Option<Figure> {
    let highest = rate.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    (highest > 0.0).then(|| Figure {
        title,
        caption: caption.to_owned(),
        svg: curves(
            &[Curve::plain(title, rate)],
            Axes {
                x: GENERATION,
                counts: true,
                y: "thousand positions/s",
                y_range: Some((0.0, 1.1 * highest)),
                ..Axes::default()
            },
        ),
    })
}
