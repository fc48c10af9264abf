//! The techniques of the search against plain minimax.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod truth;

use std::collections::HashMap;
use std::sync::Arc;

use bagheera::game::{Exact, ExactValues, Game, Notation, Outcome, Side};
use bagheera::games::bagh_chal::{ClaudeEvaluation, MaterialEvaluation, Position};
use bagheera::search::{
    CacheEntry, CacheKey, Evaluation, Limits, MAX_DEPTH, NoCache, Player, ScoreCache, Search,
    Switches, Techniques, TranspositionTable, reference,
};
use proptest::prelude::*;
use serde::Deserialize;
use truth::{Place, history, load};

type Move = <Position as Game>::Move;
type MapCache = HashMap<CacheKey<u64>, CacheEntry<Move>>;

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    previous: Vec<(u32, u32)>,
}

#[derive(Deserialize)]
struct Cases {
    positions: Vec<Case>,
    with_history: Vec<Case>,
}

/// Positions of all phases, some with a history.
fn positions() -> Vec<(Position, Vec<Position>)> {
    let cases: Cases = load("minimax");
    let all = cases.positions.iter().chain(&cases.with_history);
    all.map(|case| {
        let history = history(&case.previous, case.place.turn);
        (case.place.position(), history)
    })
    .collect()
}

/// The exact techniques, each alone and all together, with and without killers.
fn exact_techniques() -> Vec<Switches> {
    let mut all = Vec::new();
    for killers in [false, true] {
        let plain = Switches {
            killers,
            ..Switches::PLAIN
        };
        let mut together = plain;
        for name in ["history", "pvs", "aspiration"] {
            let mut alone = plain;
            *alone.by_name(name).unwrap() = true;
            *together.by_name(name).unwrap() = true;
            all.push(alone);
        }
        all.push(together);
    }
    let quiet = |on: &Switches| Switches {
        quiescence: true,
        ..*on
    };
    let plain = quiet(&Switches::PLAIN);
    let with_quiescence: Vec<_> = all.iter().map(quiet).collect();
    all.into_iter()
        .chain(with_quiescence)
        .chain([plain])
        .collect()
}

fn player<E: Evaluation<Position>, C: ScoreCache<Position> + Send>(
    evaluation: E,
    cache: C,
    depth: u32,
    on: Switches,
) -> Search<Position, E, C> {
    let techniques = Techniques::for_symmetry(evaluation.is_symmetric());
    let limits = Limits::depth(depth);
    Search::new(evaluation, cache, limits).with_techniques(Techniques { on, ..techniques })
}

/// Compares a player with plain minimax at its depth, or at the depth that proves a result.
fn assert_exact<E: Evaluation<Position>, C: ScoreCache<Position> + Send>(
    mut player: Search<Position, E, C>,
    (position, history): &(Position, Vec<Position>),
    plain: &[f32],
) {
    let report = player.pick_move(position, history);
    let score = plain[report.depth as usize - 1];
    let on = player.techniques.on;
    assert_eq!(
        report.score,
        Some(score),
        "{}, {on:?}",
        position.format_position()
    );
    assert_eq!(report.forced.is_some(), score.is_infinite());
    assert!(report.forced.is_some() || report.depth as usize == plain.len());
}

fn plain_scores<E: Evaluation<Position>>(
    mut evaluation: E,
    (position, history): &(Position, Vec<Position>),
    depth: u32,
    quiescence: bool,
) -> Vec<f32> {
    let mut evaluate = |position: &Position| evaluation.evaluate(position);
    let score = |depth| reference::minimax(position, history, depth, quiescence, &mut evaluate);
    (1..=depth).map(score).collect()
}

fn check<E: Evaluation<Position> + Copy>(evaluation: E, depth: u32, stride: usize) {
    for case in positions().iter().step_by(stride) {
        let plain = [false, true].map(|quiet| plain_scores(evaluation, case, depth, quiet));
        for on in exact_techniques() {
            let plain = &plain[usize::from(on.quiescence)];
            assert_exact(player(evaluation, NoCache, depth, on), case, plain);
            assert_exact(player(evaluation, MapCache::new(), depth, on), case, plain);
            for bits in [3, 16] {
                let table = TranspositionTable::new(bits);
                assert_exact(player(evaluation, table, depth, on), case, plain);
            }
        }
    }
}

#[test]
fn exact_techniques_leave_every_score_of_a_fine_evaluation() {
    check(ClaudeEvaluation, 3, 1);
}

#[test]
fn exact_techniques_leave_every_score_of_a_coarse_evaluation() {
    check(MaterialEvaluation, 4, 7);
}

/// All exact techniques.
fn all() -> Switches {
    Switches {
        quiescence: true,
        history: true,
        pvs: true,
        aspiration: true,
        ..Switches::PLAIN
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn exact_techniques_are_exact_with_any_history(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..90),
    ) {
        let mut line = vec![Position::start(&())];
        for choice in choices {
            let position = line[line.len() - 1];
            let next = position.play(*choice.get(&position.moves()));
            if next.outcome().is_some() {
                break;
            }
            line.push(next);
        }
        let position = line.pop().unwrap();
        let case = (position, line);
        let plain = plain_scores(ClaudeEvaluation, &case, 3, true);
        assert_exact(player(ClaudeEvaluation, NoCache, 3, all()), &case, &plain);
        let table = TranspositionTable::new(12);
        assert_exact(player(ClaudeEvaluation, table, 3, all()), &case, &plain);
    }
}

#[test]
fn node_limits_hold_with_all_techniques() {
    for (position, history) in positions() {
        for nodes in [50, 500] {
            let table = TranspositionTable::new(14);
            let mut player = player(ClaudeEvaluation, table, 1, all());
            player.limits = Limits::nodes(nodes);
            let first = player.pick_move(&position, &history);
            assert_eq!(first, player.pick_move(&position, &history));
            // The first ply has no limits, nor have the leaves below one position.
            player.limits = Limits::depth(1);
            let least = player.pick_move(&position, &history).nodes;
            assert!(first.nodes <= nodes.max(least) + 60, "{}", first.nodes);
        }
    }
}

/// Has the value of every position that a plain search of a few plies proves.
#[derive(Debug)]
struct Proved(u32);

impl ExactValues<Position> for Proved {
    fn probe(&self, position: &Position) -> Option<Exact> {
        let mut player = player(MaterialEvaluation, NoCache, self.0, Switches::PLAIN);
        let forced = player.pick_move(position, &[]).forced?;
        Some(Exact::value(Outcome::win(forced.winner)))
    }

    fn digest(&self) -> &'static str {
        "proved"
    }
}

#[test]
fn the_best_move_of_a_stopped_iteration_is_used() {
    let mut changed = 0;
    for (position, history) in positions() {
        for nodes in [700, 3000] {
            let search = |partial| {
                let on = Switches { partial, ..all() };
                let table = TranspositionTable::new(14);
                let mut player = player(ClaudeEvaluation, table, 1, on);
                player.limits = Limits::nodes(nodes);
                player.pick_move(&position, &history)
            };
            let (whole, partial) = (search(false), search(true));
            assert!(position.moves().contains(&partial.mv));
            assert!(partial.depth >= whole.depth && partial.nodes >= whole.nodes);
            let ended = partial.forced.is_some() || partial.depth == MAX_DEPTH;
            assert!(partial.nodes >= nodes || ended);
            changed += usize::from(partial.mv != whole.mv);
        }
    }
    assert!(changed > 0);
}

#[test]
fn tablebase_values_give_the_same_scores_with_exact_techniques() {
    for (position, history) in positions().iter().step_by(5) {
        let score = |on| {
            let plain = player(ClaudeEvaluation, NoCache, 2, on);
            let mut player = plain.with_exact(Some(Arc::new(Proved(2))));
            player.pick_move(position, history).score
        };
        for quiescence in [false, true] {
            let plain = Switches {
                quiescence,
                ..Switches::PLAIN
            };
            let all = Switches {
                quiescence,
                ..all()
            };
            assert_eq!(score(plain), score(all), "{}", position.format_position());
        }
    }
}

const SELECTIVE: [&str; 5] = [
    "reductions",
    "futility",
    "reverse-futility",
    "null-move",
    "deeper",
];

/// A player with the default techniques.
fn keeper(limits: Limits) -> Search<Position, ClaudeEvaluation, TranspositionTable<Position>> {
    let table = TranspositionTable::new(14);
    let mut player = player(ClaudeEvaluation, table, 1, Switches::default());
    player.limits = limits;
    player
}

#[test]
fn a_kept_table_deepens_searches_and_is_cleared_for_a_new_game() {
    let mut depths = [0, 0];
    for (start, history) in positions().into_iter().step_by(5) {
        let mut kept = keeper(Limits::nodes(2000));
        let first = kept.pick_move(&start, &history);
        let mut line = history.clone();
        let mut position = start;
        for _ in 0..6 {
            let mut fresh = keeper(Limits::nodes(2000));
            let alone = fresh.pick_move(&position, &line);
            let mv = kept.pick_move(&position, &line);
            if alone.forced.is_none() && mv.forced.is_none() {
                depths[0] += alone.depth;
                depths[1] += mv.depth;
            }
            line.push(position);
            position = position.play(mv.mv);
            if position.outcome().is_some() {
                break;
            }
        }
        kept.new_game(0);
        assert_eq!(kept.pick_move(&start, &history), first);
    }
    assert!(depths[1] > depths[0], "{depths:?}");
}

#[derive(Deserialize)]
struct ExactCase {
    #[serde(flatten)]
    place: Place,
    value: String,
    plies: Option<u32>,
}

#[derive(Deserialize)]
struct ExactCases {
    positions: Vec<ExactCase>,
}

#[test]
fn proofs_by_selective_techniques_are_true() {
    let mut sets = Vec::new();
    for basis in [Switches::PLAIN, all()] {
        let mut together = basis;
        for name in SELECTIVE {
            let mut alone = basis;
            *alone.by_name(name).unwrap() = true;
            *together.by_name(name).unwrap() = true;
            sets.push(alone);
        }
        sets.push(together);
    }
    let files = ["tablebase_sample", "in_hand_1_3", "in_hand_4_up"];
    let cases = files.map(|name| load::<ExactCases>(name).positions);
    let mut proved = 0;
    for case in cases.iter().flatten().step_by(4) {
        let position = case.place.position();
        if position.outcome().is_some() {
            continue;
        }
        for &on in &sets {
            let table = TranspositionTable::new(14);
            let report = player(ClaudeEvaluation, table, 5, on).pick_move(&position, &[]);
            if let Some(forced) = report.forced {
                let winner = match forced.winner {
                    Side::Max => "tiger",
                    Side::Min => "sheep",
                };
                let text = position.format_position();
                assert_eq!(winner, case.value, "{text}, {on:?}");
                assert!(
                    forced.plies >= case.plies,
                    "{text}, {on:?}: {:?}",
                    forced.plies
                );
                proved += 1;
            }
        }
    }
    assert!(proved > 500, "{proved}");
}

#[test]
fn proofs_with_a_kept_table_are_true() {
    let files = ["tablebase_sample", "in_hand_1_3", "in_hand_4_up"];
    let cases = files.map(|name| load::<ExactCases>(name).positions);
    let mut proved = 0;
    for case in cases.iter().flatten().step_by(4) {
        let last = case.place.position();
        if last.outcome().is_some() {
            continue;
        }
        // Neighbouring positions are searched first, as in a game.
        let mut player = keeper(Limits::depth(6));
        for mv in last.moves().into_iter().take(4) {
            let child = last.play(mv);
            if child.outcome().is_none() {
                player.pick_move(&child, &[]);
            }
        }
        if let Some(forced) = player.pick_move(&last, &[]).forced {
            let winner = match forced.winner {
                Side::Max => "tiger",
                Side::Min => "sheep",
            };
            let text = last.format_position();
            assert_eq!(winner, case.value, "{text}");
            assert!(forced.plies >= case.plies, "{text}: {:?}", forced.plies);
            proved += 1;
        }
    }
    assert!(proved > 50, "{proved}");
}

#[test]
fn no_null_move_is_tried_where_positions_can_come_back() {
    let mut passes = 0;
    for (position, history) in positions() {
        let nodes = |null_move| {
            let on = Switches {
                null_move,
                killers: false,
                ..all()
            };
            let table = TranspositionTable::new(14);
            player(ClaudeEvaluation, table, 5, on)
                .pick_move(&position, &history)
                .nodes
        };
        if position.can_repeat() {
            assert_eq!(nodes(false), nodes(true), "{}", position.format_position());
        } else {
            passes += usize::from(nodes(false) != nodes(true));
        }
    }
    assert!(passes > 0, "somebody passes where nothing can come back");
}

#[test]
fn each_selective_technique_saves_nodes() {
    let nodes = |on| -> u64 {
        let reports = positions().into_iter().map(|(position, history)| {
            let table = TranspositionTable::new(14);
            player(ClaudeEvaluation, table, 5, on)
                .pick_move(&position, &history)
                .nodes
        });
        reports.sum()
    };
    let plain = nodes(Switches::PLAIN);
    for name in SELECTIVE {
        let mut on = Switches::PLAIN;
        *on.by_name(name).unwrap() = true;
        let selective = nodes(on);
        assert!(selective < plain, "{name}: {selective} of {plain}");
    }
}
