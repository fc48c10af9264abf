//! Searches that are watched, stopped and divided into several lines from outside.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod truth;

use std::thread;
use std::time::{Duration, Instant};

use bagheera::game::{Game, Notation, Side};
use bagheera::games::bagh_chal::{ClaudeEvaluation, Position};
use bagheera::interrupt::Interrupt;
use bagheera::search::{
    Evaluation, Iteration, Limits, MAX_DEPTH, NoCache, Player, ScoreCache, Search, SearchControl,
    Switches, Techniques, TranspositionTable, reference,
};
use serde::Deserialize;
use truth::{Place, load};

type Move = <Position as Game>::Move;

#[derive(Deserialize)]
struct Cases {
    positions: Vec<Place>,
}

/// Positions of all phases.
fn positions() -> Vec<Position> {
    let cases: Cases = load("minimax");
    cases.positions.iter().map(Place::position).collect()
}

fn search<C: ScoreCache<Position>>(
    cache: C,
    limits: Limits,
    on: Switches,
) -> Search<Position, ClaudeEvaluation, C> {
    let techniques = Techniques::for_symmetry(true);
    Search::new(ClaudeEvaluation, cache, limits).with_techniques(Techniques { on, ..techniques })
}

/// Searches a position and returns the iterations reported.
fn watch<C: ScoreCache<Position> + Send>(
    search: &mut Search<Position, ClaudeEvaluation, C>,
    position: &Position,
    lines: usize,
) -> Vec<Iteration<Move>> {
    let mut iterations = Vec::new();
    let mut record = |iteration: &Iteration<Move>| iterations.push(iteration.clone());
    let mut control = SearchControl {
        lines,
        on_iteration: Some(&mut record),
        ..SearchControl::default()
    };
    let report = search.search(position, &[], &mut control);
    assert!(position.moves().contains(&report.mv));
    assert_eq!(
        report.nodes,
        iterations.last().unwrap().nodes.max(report.nodes)
    );
    iterations
}

#[test]
fn a_principal_variation_leads_to_the_position_that_gave_the_score() {
    let plain = [
        Switches::PLAIN,
        Switches {
            pvs: true,
            ..Switches::PLAIN
        },
    ];
    for position in positions().iter().step_by(3) {
        for on in plain {
            let mut search = search(NoCache, Limits::depth(4), on);
            for (index, iteration) in watch(&mut search, position, 1).iter().enumerate() {
                assert_eq!((iteration.depth as usize, iteration.rank), (index + 1, 1));
                let mut end = *position;
                for mv in &iteration.line {
                    assert!(end.outcome().is_none() && end.moves().contains(mv));
                    end = end.play(*mv);
                }
                let text = position.format_position();
                match end.outcome() {
                    Some(outcome) => {
                        let score = iteration.score;
                        assert_eq!(outcome.winner().is_some(), score.is_infinite(), "{text}");
                    }
                    None if iteration.line.len() as u32 == iteration.depth => {
                        assert_eq!(ClaudeEvaluation.evaluate(&end), iteration.score, "{text}");
                    }
                    // A line may end earlier only where it repeats a position.
                    None => assert_eq!(iteration.score, 0.0, "{text}"),
                }
            }
        }
    }
}

#[test]
fn with_all_techniques_lines_are_legal_and_deepen() {
    let mut long = 0;
    for position in positions() {
        let table = TranspositionTable::new(16);
        let mut search = search(table, Limits::nodes(5000), Switches::default());
        let iterations = watch(&mut search, &position, 1);
        for pair in iterations.windows(2) {
            assert_eq!(pair[1].depth, pair[0].depth + 1);
            assert!(pair[1].nodes > pair[0].nodes && pair[1].time >= pair[0].time);
        }
        for iteration in &iterations {
            let mut end = position;
            for mv in &iteration.line {
                assert!(end.outcome().is_none() && end.moves().contains(mv));
                end = end.play(*mv);
            }
            assert!(iteration.selective_depth >= iteration.depth && !iteration.line.is_empty());
            long += usize::from(iteration.depth > 2 && iteration.line.len() > 2);
        }
    }
    assert!(long > 50, "{long}");
}

#[test]
fn watching_changes_nothing() {
    for position in positions() {
        let search = || {
            search(
                TranspositionTable::new(14),
                Limits::nodes(2000),
                Switches::default(),
            )
        };
        let alone = search().pick_move(&position, &[]);
        let mut watched = search();
        let last = watch(&mut watched, &position, 1).pop().unwrap();
        assert_eq!(watched.nodes(), alone.nodes);
        assert_eq!((last.depth, last.forced), (alone.depth, alone.forced));
    }
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    for position in positions().iter().step_by(4) {
        let side = position.side_to_move();
        let depth = 3;
        let mut expected: Vec<f32> = position
            .moves()
            .iter()
            .map(|mv| {
                let child = position.play(*mv);
                match child.outcome() {
                    Some(outcome) => bagheera::search::outcome_score(outcome),
                    None => reference::minimax(&child, &[*position], depth - 1, false, &mut |p| {
                        ClaudeEvaluation.evaluate(p)
                    }),
                }
            })
            .collect();
        expected.sort_by(|a, b| match side {
            Side::Max => b.total_cmp(a),
            Side::Min => a.total_cmp(b),
        });
        let lines = expected.len().min(4);
        let mut search = search(NoCache, Limits::depth(depth), Switches::PLAIN);
        let iterations = watch(&mut search, position, 4);
        let last: Vec<_> = iterations.iter().filter(|i| i.depth == depth).collect();
        // A proven result ends the search before.
        if !last.is_empty() {
            let scores: Vec<f32> = last.iter().map(|iteration| iteration.score).collect();
            let ranks: Vec<usize> = last.iter().map(|iteration| iteration.rank).collect();
            assert_eq!(scores, expected[..lines], "{}", position.format_position());
            assert_eq!(ranks, (1..=lines).collect::<Vec<_>>());
            let mut firsts: Vec<_> = last.iter().map(|iteration| iteration.line[0]).collect();
            firsts.dedup();
            assert_eq!(firsts.len(), lines);
        }
    }
}

#[test]
fn a_stopped_search_returns_a_legal_move() {
    let position = Position::start(&());
    let stop = Interrupt::default();
    let mut search = search(
        TranspositionTable::new(16),
        Limits::default(),
        Switches::default(),
    );
    let mut control = SearchControl {
        stop: Some(stop.clone()),
        ..SearchControl::default()
    };
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        stop.request();
    });
    let report = search.search(&position, &[], &mut control);
    stopper.join().unwrap();
    assert!(position.moves().contains(&report.mv));
    assert!(report.depth < MAX_DEPTH && report.forced.is_none());
    // The flag is set already: the first ply is searched all the same.
    let report = search.search(&position, &[], &mut control);
    assert!(position.moves().contains(&report.mv) && report.depth >= 1);
    assert!(report.nodes < 10_000, "{}", report.nodes);
}

#[test]
fn time_does_not_count_while_pondering() {
    let position = Position::start(&());
    let hit = Interrupt::default();
    let limits = Limits::time(Duration::from_millis(1));
    let mut search = search(TranspositionTable::new(16), limits, Switches::default());
    let mut control = SearchControl {
        pondering: Some(hit.clone()),
        ..SearchControl::default()
    };
    let wait = Duration::from_millis(60);
    let start = Instant::now();
    let opponent = thread::spawn(move || {
        thread::sleep(wait);
        hit.request();
    });
    let report = search.search(&position, &[], &mut control);
    assert!(start.elapsed() >= wait && report.depth < MAX_DEPTH);
    opponent.join().unwrap();
}
