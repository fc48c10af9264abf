use std::collections::HashMap;

use bagheera::game::{Game, Notation, Outcome, random_line};
use bagheera::perft::perft;
use bagheera::search::{Limits, Player, Search, TranspositionTable};
use bagheera::seed;

use super::Position;
use crate::player::Threats;

#[test]
fn perft_counts_are_the_published_ones() {
    let start = Position::start(&());
    let counts = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&start, depth), count, "depth {depth}");
    }
}

#[test]
fn texts_codes_and_mirrors_round_trip() {
    let mut rng = seed::stream(&[1]);
    for plies in 0..30 {
        let Some(position) = random_line(&Position::start(&()), plies, &mut rng) else {
            continue;
        };
        assert_eq!(
            Position::parse_position(&position.format_position()).unwrap(),
            position
        );
        assert_eq!(Position::decode(position.encode()).unwrap(), position);
        assert_eq!(position.transformed(1).transformed(1), position);
        for mv in position.moves() {
            let mirror = Position::transform_move(mv, 1);
            assert_eq!(
                position.play(mv).transformed(1),
                position.transformed(1).play(mirror)
            );
        }
    }
    let rows = |last: &str| format!("{}{last}", "......./".repeat(5));
    assert!(Position::parse_position(&rows("...Y...")).is_ok());
    for last in ["YY.....", "...R...", "......", "...y..."] {
        assert!(Position::parse_position(&rows(last)).is_err(), "{last}");
    }
    let floating = "......./......./......./......./...Y.../.......";
    assert!(Position::parse_position(floating).is_err());
}

/// The value of a position by plain alpha-beta with a table, for the side to move: 1, 0 or -1.
fn value(position: &Position, seen: &mut HashMap<u64, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return if outcome == Outcome::Draw { 0 } else { -1 };
    }
    if let Some(value) = seen.get(&position.key()) {
        return *value;
    }
    let mut best = -1;
    for mv in position.moves() {
        best = best.max(-value(&position.play(mv), seen));
        if best == 1 {
            break;
        }
    }
    seen.insert(position.key(), best);
    best
}

#[test]
fn the_search_proves_the_results_of_a_plain_solver() {
    let mut rng = seed::stream(&[2]);
    let (mut seen, mut proven) = (HashMap::new(), 0);
    for number in 0..60 {
        let Some(position) = random_line(&Position::start(&()), 22 + number % 6, &mut rng) else {
            continue;
        };
        let expected = value(&position, &mut seen);
        let table = TranspositionTable::new(18);
        let mut search = Search::new(Threats, table, Limits::depth(42));
        let report = search.pick_move(&position, &[]);
        let side = position.side_to_move();
        let found = report
            .forced
            .map_or(0, |forced| if forced.winner == side { 1 } else { -1 });
        assert_eq!(found, expected, "{}", position.format_position());
        proven += usize::from(expected != 0);
    }
    assert!(proven > 10, "{proven}");
}
