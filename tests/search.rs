//! The shared search against plain minimax and exact play.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod truth;

use std::collections::HashMap;

use bagheera::game::{Game, Notation, Side};
use bagheera::games::bagh_chal::{GameBoard, MaterialEvaluation, Position};
use bagheera::search::{
    CacheEntry, CacheKey, Evaluation, Limits, NoCache, Player, ScoreCache, Search, SearchReport,
    Sharing, Switches, Techniques, TranspositionTable, reference,
};
use serde::Deserialize;
use truth::{ExamCase, Place, Positions, Sample, history, load};

type Move = <Position as Game>::Move;
type MapCache = HashMap<CacheKey<u64>, CacheEntry<Move>>;

/// A player whose scores are those of plain minimax.
fn plain_player<E: Evaluation<Position>, C: ScoreCache<Position> + Send>(
    evaluation: E,
    cache: C,
    limits: Limits,
) -> Search<Position, E, C> {
    let techniques = Techniques {
        on: Switches::PLAIN,
        ..Techniques::for_symmetry(evaluation.is_symmetric())
    };
    Search::new(evaluation, cache, limits).with_techniques(techniques)
}

/// The number of dead sheep, E1 in the data.
#[derive(Clone, Copy)]
struct Dead;

impl Evaluation<Position> for Dead {
    fn evaluate(&mut self, position: &Position) -> f32 {
        position.board.dead_sheep() as f32
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
    let values: Vec<serde_json::Value> = Vec::deserialize(deserializer)?;
    let numbers = values.iter().map(|value| match value.as_str() {
        Some("inf" | "+inf" | "Infinity") => f32::INFINITY,
        Some("-inf" | "-Infinity") => f32::NEG_INFINITY,
        Some(other) => panic!("no number: {other}"),
        None => value
            .as_f64()
            .unwrap_or_else(|| panic!("no number: {value}")) as f32,
    });
    Ok(numbers.collect())
}

#[derive(Deserialize)]
struct MinimaxCase {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    previous: Vec<(u32, u32)>,
    #[serde(rename = "E1", deserialize_with = "number")]
    dead: Vec<f32>,
    #[serde(rename = "E2", deserialize_with = "number")]
    material: Vec<f32>,
}

#[derive(Deserialize)]
struct MinimaxCases {
    positions: Vec<MinimaxCase>,
    with_history: Vec<MinimaxCase>,
}

/// The score of a search of exactly one depth, from an empty table.
fn fixed_depth<E: Evaluation<Position>, C: ScoreCache<Position>>(
    player: &mut Search<Position, E, C>,
    position: &Position,
    history: &[Position],
    depth: u32,
    hash_move: Option<Move>,
) -> f32 {
    player.cache.clear();
    player.fixed_depth_score(position, history, depth, hash_move)
}

fn check_all_depths<E: Evaluation<Position>, C: ScoreCache<Position> + Send>(
    mut player: Search<Position, E, C>,
    case: &MinimaxCase,
    scores: &[f32],
    what: &str,
) {
    let position = case.place.position();
    let history = history(&case.previous, case.place.turn);
    for (depth, score) in (1..).zip(scores) {
        let finished = position.outcome().is_some();
        assert!(!finished, "the data hold positions that go on");
        let found = fixed_depth(&mut player, &position, &history, depth, None);
        assert_eq!(
            found,
            *score,
            "{what} at depth {depth}: {}",
            position.format_position()
        );
        player.limits = Limits::depth(depth);
        let report = player.pick_move(&position, &history);
        let proved_earlier = report.depth < depth;
        assert!(
            proved_earlier || report.score == Some(*score),
            "{what}, deepened to {depth}"
        );
        if proved_earlier {
            assert!(report.forced.is_some() && report.score == Some(*score));
        }
    }
}

fn check_every_player<E: Evaluation<Position> + Copy>(
    evaluation: E,
    case: &MinimaxCase,
    scores: &[f32],
) {
    let limits = Limits::depth(1);
    for killers in [false, true] {
        for sharing in [Sharing::Off, Sharing::Unrepeatable] {
            let on = Switches {
                killers,
                ..Switches::PLAIN
            };
            let techniques = Techniques { sharing, on };
            let what = |cache: &str| format!("{cache}, {techniques:?}");
            let no_cache = plain_player(evaluation, NoCache, limits);
            check_all_depths(
                no_cache.with_techniques(techniques),
                case,
                scores,
                &what("none"),
            );
            let map = plain_player(evaluation, MapCache::new(), limits);
            check_all_depths(map.with_techniques(techniques), case, scores, &what("map"));
            for bits in [3, 16] {
                let table = TranspositionTable::new(bits);
                let player = plain_player(evaluation, table, limits);
                check_all_depths(
                    player.with_techniques(techniques),
                    case,
                    scores,
                    &what("table"),
                );
            }
        }
    }
}

#[test]
fn scores_equal_plain_minimax_with_every_cache() {
    let cases: MinimaxCases = load("minimax");
    assert!(!cases.positions.is_empty() && !cases.with_history.is_empty());
    for case in cases.positions.iter().chain(&cases.with_history) {
        check_every_player(Dead, case, &case.dead);
        check_every_player(MaterialEvaluation, case, &case.material);
    }
}

#[test]
fn the_reference_agrees_with_the_data() {
    let cases: MinimaxCases = load("minimax");
    for case in cases.positions.iter().chain(&cases.with_history) {
        let position = case.place.position();
        let history = history(&case.previous, case.place.turn);
        for (depth, score) in (1..).zip(&case.material) {
            let mut evaluate = |p: &Position| MaterialEvaluation.evaluate(p);
            let found = reference::minimax(&position, &history, depth, false, &mut evaluate);
            assert_eq!(found, *score, "{}", position.format_position());
        }
    }
}

#[test]
fn any_hash_move_gives_the_same_score() {
    let cases: MinimaxCases = load("minimax");
    for case in &cases.positions {
        let position = case.place.position();
        for mv in position.moves() {
            let table = TranspositionTable::new(14);
            let mut player = plain_player(MaterialEvaluation, table, Limits::depth(3));
            let found = fixed_depth(&mut player, &position, &[], 3, Some(mv));
            assert_eq!(found, case.material[2]);
        }
    }
}

#[derive(Deserialize)]
struct HazardPosition {
    #[serde(flatten)]
    place: Place,
    previous: Vec<(u32, u32)>,
    cases: Vec<HazardCase>,
}

#[derive(Deserialize)]
struct HazardCase {
    depth: u32,
    eval: String,
    plain: serde_json::Value,
}

#[derive(Deserialize)]
struct Hazards {
    positions: Vec<HazardPosition>,
}

#[test]
fn symmetric_positions_share_entries_without_a_wrong_score() {
    let hazards: Hazards = load("symmetric_cache_hazard");
    let mut shared_scores_that_differ = 0;
    for hazard in &hazards.positions {
        let position = hazard.place.position();
        let history = history(&hazard.previous, hazard.place.turn);
        for case in &hazard.cases {
            let plain = match case.plain.as_str() {
                Some("inf") => f32::INFINITY,
                Some("-inf") => f32::NEG_INFINITY,
                _ => case.plain.as_f64().unwrap() as f32,
            };
            let score = |sharing| {
                let techniques = Techniques {
                    sharing,
                    on: Switches::PLAIN,
                };
                let (cache, limits) = (MapCache::new(), Limits::depth(case.depth));
                let report: SearchReport<Move> = if case.eval == "E1" {
                    plain_player(Dead, cache, limits)
                        .with_techniques(techniques)
                        .pick_move(&position, &history)
                } else {
                    plain_player(MaterialEvaluation, cache, limits)
                        .with_techniques(techniques)
                        .pick_move(&position, &history)
                };
                report.score.unwrap()
            };
            assert_eq!(
                score(Sharing::Unrepeatable),
                plain,
                "{}",
                position.format_position()
            );
            assert_eq!(score(Sharing::Off), plain, "{}", position.format_position());
            shared_scores_that_differ += u32::from(score(Sharing::All) != plain);
        }
    }
    assert!(
        shared_scores_that_differ > 0,
        "sharing everything has its hazard"
    );
}

/// A position with its exact value.
struct Exact {
    position: Position,
    winner: Option<Side>,
    plies: Option<u32>,
}

fn exact_positions() -> Vec<Exact> {
    let mut all = Vec::new();
    for name in ["tablebase_sample", "in_hand_1_3"] {
        let samples: Positions<Sample> = load(name);
        all.extend(samples.positions.iter().map(|case| Exact {
            position: case.place.position(),
            winner: case.exact().value.winner(),
            plies: case.plies,
        }));
    }
    let exam: Positions<ExamCase> = load("exam");
    all.extend(exam.positions.iter().map(|case| Exact {
        position: case.position(),
        winner: case.exact().value.winner(),
        plies: case.plies,
    }));
    all
}

/// Distances up to which a search without a cache is quick.
const QUICK_WITHOUT_CACHE: u32 = 7;
/// Distances up to which a search with a cache is quick.
const QUICK_WITH_CACHE: u32 = 11;

#[test]
fn without_a_cache_wins_are_found_at_their_distance_and_not_before() {
    let mut decided = 0;
    for exact in exact_positions() {
        let Exact {
            position,
            winner,
            plies,
        } = exact;
        if plies == Some(0) {
            assert_eq!(position.outcome().and_then(|o| o.winner()), winner);
            continue;
        }
        let depth = plies.unwrap_or(4).min(QUICK_WITHOUT_CACHE);
        let limits = Limits::depth(depth);
        let report = plain_player(Dead, NoCache, limits).pick_move(&position, &[]);
        let text = position.format_position();
        match (plies, report.forced) {
            (Some(plies), Some(forced)) => {
                assert_eq!(Some(forced.winner), winner, "{text}");
                assert_eq!(forced.plies, Some(plies), "{text}");
                assert_keeps_the_distance(&position, report.mv, winner, plies);
                decided += 1;
            }
            (Some(plies), None) => assert!(plies > depth, "{text}: {plies}"),
            (None, found) => assert_eq!(found, None, "{text}"),
        }
    }
    assert!(decided > 300, "{decided}");
}

/// The position after the move is decided one ply sooner.
fn assert_keeps_the_distance(position: &Position, mv: Move, winner: Option<Side>, plies: u32) {
    let after = position.play(mv);
    let text = position.format_position();
    if plies == 1 {
        assert_eq!(after.outcome().and_then(|o| o.winner()), winner, "{text}");
        return;
    }
    let limits = Limits::depth(plies - 1);
    let report = plain_player(Dead, NoCache, limits).pick_move(&after, &[]);
    let forced = report
        .forced
        .unwrap_or_else(|| panic!("{text} after {mv:?}"));
    assert_eq!(
        (Some(forced.winner), forced.plies),
        (winner, Some(plies - 1)),
        "{text}"
    );
}

#[test]
fn with_a_cache_no_win_is_found_too_early_or_for_the_wrong_side() {
    let (mut on_time, mut late) = (0, 0);
    for exact in exact_positions() {
        let Exact {
            position,
            winner,
            plies,
        } = exact;
        if plies == Some(0) {
            continue;
        }
        let depth = plies.unwrap_or(8).min(QUICK_WITH_CACHE);
        let table = TranspositionTable::new(18);
        let mut player = plain_player(MaterialEvaluation, table, Limits::depth(depth));
        let report = player.pick_move(&position, &[]);
        let text = position.format_position();
        if let Some(forced) = report.forced {
            assert_eq!(Some(forced.winner), winner, "{text}");
            assert!(
                plies.is_some_and(|plies| forced.plies >= Some(plies)),
                "{text}"
            );
        }
        if plies.is_some_and(|plies| plies <= depth) {
            match report.forced {
                Some(_) => on_time += 1,
                None => {
                    println!("late: {text}, {plies:?} plies");
                    late += 1;
                }
            }
        }
    }
    // Late ones come from draws by repetition that the table carries to other paths.
    assert!(on_time > 500, "{on_time} on time, {late} late");
    assert!(late * 100 <= on_time, "{on_time} on time, {late} late");
}

#[test]
fn quick_wins_with_sheep_in_hand_are_never_for_the_wrong_side() {
    let cases: Positions<Sample> = load("in_hand_4_up");
    assert!(!cases.positions.is_empty());
    for case in &cases.positions {
        let position = case.place.position();
        let table = TranspositionTable::new(18);
        let mut player = plain_player(MaterialEvaluation, table, Limits::depth(7));
        if position.outcome().is_none()
            && let Some(forced) = player.pick_move(&position, &[]).forced
        {
            assert_eq!(
                Some(forced.winner),
                case.exact().value.winner(),
                "{}",
                position.format_position()
            );
        }
    }
}

#[test]
fn every_move_of_the_exam_is_scored_by_its_exact_value() {
    let exam: Positions<ExamCase> = load("exam");
    for case in &exam.positions {
        let position = case.position();
        let mut player = plain_player(Dead, NoCache, Limits::depth(5));
        let analysis = player.analyse(&position, &[]).unwrap();
        assert_eq!(analysis.moves.len(), case.moves.len());
        for mv in &case.moves {
            let parsed = position.parse_move(&mv.text).unwrap();
            let scored = analysis
                .moves
                .iter()
                .find(|score| score.mv == parsed)
                .unwrap();
            match (mv.plies, scored.forced) {
                (Some(plies), Some(forced)) => {
                    assert_eq!(Some(forced.winner), mv.exact().value.winner());
                    assert_eq!(forced.plies, Some(plies + 1));
                }
                (Some(plies), None) => assert!(plies + 1 > 5),
                (None, forced) => assert_eq!(forced, None),
            }
        }
        let best = analysis.best();
        let best = position.format_move(best.mv);
        let exact = case.moves.iter().find(|mv| mv.text == best).unwrap();
        if case.plies.is_some_and(|plies| plies <= 5) {
            assert_eq!(exact.value, case.value);
        }
    }
}

#[test]
fn a_search_without_time_still_moves_and_stores_nothing_of_the_stopped_iteration() {
    let position = Position::start(&());
    let limits = Limits::nodes(2);
    let mut player = plain_player(Dead, MapCache::new(), limits);
    let report = player.pick_move(&position, &[]);
    assert_eq!(report.depth, 1);
    assert!(position.moves().contains(&report.mv));
    assert!(
        player.cache.is_empty(),
        "an iteration of one ply has no inner nodes"
    );
}

#[test]
fn node_limits_hold_and_repeat_exactly() {
    let position = Position::start(&());
    for nodes in [50, 500, 5000] {
        let mut player = plain_player(Dead, TranspositionTable::new(14), Limits::nodes(nodes));
        let first = player.pick_move(&position, &[]);
        let again = player.pick_move(&position, &[]);
        assert_eq!(first, again);
        assert!(first.nodes <= nodes + 60, "{} of {nodes}", first.nodes);
    }
}

#[test]
fn a_time_limit_is_kept() {
    let position = Position::start(&());
    let limits = Limits::time(std::time::Duration::from_millis(20));
    let mut player = plain_player(Dead, TranspositionTable::new(14), limits);
    let start = std::time::Instant::now();
    let report = player.pick_move(&position, &[]);
    assert!(report.depth >= 1);
    assert!(
        start.elapsed().as_secs() < 5,
        "far beyond any noise of the machine"
    );
}

#[test]
fn a_position_without_pieces_is_not_mistaken_for_an_empty_slot() {
    assert_eq!(GameBoard::EMPTY.key(), 0);
}
