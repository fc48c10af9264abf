//! The rules of Bagh-Chal against exact data.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod truth;

use std::collections::{HashMap, HashSet};

use bagheera::game::{Game, Notation};
use bagheera::games::bagh_chal::{Move, Position, SYMMETRIES, Turn, bit_idx};
use bagheera::perft::perft;
use serde::Deserialize;
use truth::{Place, load};

#[derive(Deserialize)]
struct Start {
    perft: Vec<Depth>,
}

#[derive(Deserialize)]
struct Depth {
    depth: u32,
    nodes: u64,
}

#[test]
fn perft_from_the_start_to_depth_7() {
    let start: Start = load("perft_start");
    for row in start.perft.iter().filter(|row| row.depth <= 7) {
        let nodes = perft(&Position::start(&()), row.depth);
        assert_eq!(nodes, row.nodes, "depth {}", row.depth);
    }
}

#[derive(Deserialize)]
struct Positions<T> {
    positions: Vec<T>,
}

#[derive(Deserialize)]
struct PerftCase {
    name: String,
    #[serde(flatten)]
    place: Place,
    perft: Vec<u64>,
}

#[test]
fn perft_of_listed_positions() {
    let cases: Positions<PerftCase> = load("perft_positions");
    assert!(!cases.positions.is_empty());
    for case in cases.positions {
        for (depth, nodes) in (0..).zip(&case.perft) {
            let found = perft(&case.place.position(), depth);
            assert_eq!(found, *nodes, "{} at depth {depth}", case.name);
        }
    }
}

#[derive(Deserialize)]
struct Reach {
    rows: Vec<ReachRow>,
}

#[derive(Deserialize)]
struct ReachRow {
    n: u32,
    distinct: usize,
    distinct_up_to_symmetry: usize,
    finished_up_to_symmetry: usize,
    by_dead_up_to_symmetry: Vec<usize>,
}

#[test]
fn distinct_positions_to_ply_6() {
    let reach: Reach = load("reach_start");
    let mut positions = HashSet::from([Position::start(&())]);
    for row in reach.rows.iter().filter(|row| row.n <= 6) {
        assert_eq!(positions.len(), row.distinct, "ply {}", row.n);
        let classes: HashSet<Position> = positions.iter().map(|p| p.canonical().0).collect();
        assert_eq!(classes.len(), row.distinct_up_to_symmetry, "ply {}", row.n);
        let finished = classes.iter().filter(|p| p.outcome().is_some()).count();
        assert_eq!(finished, row.finished_up_to_symmetry, "ply {}", row.n);
        let mut by_dead: HashMap<u32, usize> = HashMap::new();
        for class in &classes {
            *by_dead.entry(class.board.dead_sheep()).or_default() += 1;
        }
        for (dead, count) in (0..).zip(&row.by_dead_up_to_symmetry) {
            let found = by_dead.get(&dead).copied().unwrap_or_default();
            assert_eq!(found, *count, "ply {}, {dead} dead", row.n);
        }
        positions = positions
            .iter()
            .filter(|position| position.outcome().is_none())
            .flat_map(|position| position.moves().into_iter().map(|mv| position.play(mv)))
            .collect();
    }
}

#[derive(Deserialize)]
struct RulesCase {
    #[serde(flatten)]
    place: Place,
    dead: u32,
    moves_tiger: Vec<Vec<serde_json::Value>>,
    moves_sheep: Vec<Vec<serde_json::Value>>,
    check_win_tiger: bool,
    check_win_sheep: bool,
    key_hex: String,
    canonical_hex: String,
    canonical_syms: Vec<usize>,
    distinct_transforms: usize,
    transforms: Vec<(u32, u32)>,
}

fn listed(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves
        .iter()
        .map(|mv| match *mv {
            Move::PlaceSheep { pos } => format!("P {} {}", pos.0, pos.1),
            Move::MoveSheep { from, to } => format!("S {} {} {} {}", from.0, from.1, to.0, to.1),
            Move::MoveTiger { from, to } => {
                let jump = u8::from(mv.is_jump());
                format!("T {} {} {} {} {jump}", from.0, from.1, to.0, to.1)
            }
        })
        .collect();
    texts.sort();
    texts
}

fn expected(moves: &[Vec<serde_json::Value>]) -> Vec<String> {
    let mut texts: Vec<String> = moves
        .iter()
        .map(|mv| {
            let words: Vec<String> = mv
                .iter()
                .map(|value| value.to_string().replace('"', ""))
                .collect();
            words.join(" ")
        })
        .collect();
    texts.sort();
    texts
}

#[test]
fn moves_wins_keys_and_images_of_listed_positions() {
    let cases: Positions<RulesCase> = load("positions");
    assert!(!cases.positions.is_empty());
    for case in cases.positions {
        let position = case.place.position();
        let board = position.board;
        let place = &case.place;
        assert_eq!(board.sheep_left(), place.in_hand);
        assert_eq!(board.dead_sheep(), case.dead);
        let mask = |points: &[(u8, u8)]| points.iter().map(|p| 1_u32 << bit_idx(*p)).sum::<u32>();
        assert_eq!(board.tiger_points(), mask(&place.tigers));
        assert_eq!(board.sheep_points(), mask(&place.sheep));
        for (turn, moves, won) in [
            (Turn::Tiger, &case.moves_tiger, case.check_win_tiger),
            (Turn::Sheep, &case.moves_sheep, case.check_win_sheep),
        ] {
            assert_eq!(listed(&board.get_moves(turn)), expected(moves), "{board:?}");
            assert_eq!(board.has_moves(turn), !moves.is_empty());
            assert_eq!(board.check_win(turn), won, "{board:?}");
        }
        assert_eq!(format!("{:016x}", board.key()), case.key_hex);
        let (canonical, symmetry) = board.canonical();
        assert_eq!(format!("{:016x}", canonical.key()), case.canonical_hex);
        assert!(case.canonical_syms.contains(&symmetry));
        assert_eq!(case.transforms.len(), SYMMETRIES);
        for (symmetry, (tigers, sheep)) in case.transforms.iter().enumerate() {
            let image = board.transformed(symmetry);
            assert_eq!(image.key(), u64::from(*sheep) << 32 | u64::from(*tigers));
        }
        assert_eq!(position.images().len(), case.distinct_transforms);
        if Position::checked(board, position.turn).is_ok() {
            let text = position.format_position();
            assert_eq!(Position::parse_position(&text), Ok(position));
        }
    }
}
