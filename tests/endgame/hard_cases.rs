//! The hard cases in `data/`: what the tables, and players with them, make of each.

use std::sync::Arc;

use bagheera::game::{ExactValues, Game as _, Notation as _, Outcome};
use bagheera::games::bagh_chal::endgame::{Tables, statistics};
use bagheera::games::bagh_chal::{ClaudeEvaluation, Position};
use bagheera::interrupt::Interrupt;
use bagheera::search::{Limits, Player, Search, Switches, Techniques, TranspositionTable};
use serde::Deserialize;

use crate::tables;

type Move = <Position as bagheera::game::Game>::Move;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    kind: String,
    name: String,
    position: String,
    value: String,
    plies: Option<u32>,
    #[serde(default)]
    tiger: Vec<String>,
    #[serde(default)]
    draw: Vec<String>,
    #[serde(default)]
    sheep: Vec<String>,
}

impl Case {
    fn position(&self) -> Position {
        Position::parse_position(&self.position).unwrap()
    }

    fn value(&self) -> Outcome {
        let outcomes = [Outcome::Max, Outcome::Draw, Outcome::Min];
        let named = |outcome: &Outcome| Position::outcome_name(*outcome) == self.value;
        outcomes.into_iter().find(named).unwrap()
    }

    /// All moves with the value of the position after them.
    fn moves(&self) -> Vec<(Move, Outcome)> {
        let position = self.position();
        let kinds = [
            (&self.tiger, Outcome::Max),
            (&self.draw, Outcome::Draw),
            (&self.sheep, Outcome::Min),
        ];
        let moves = kinds.iter().flat_map(|(moves, value)| {
            let parsed = moves.iter().map(|mv| position.parse_move(mv).unwrap());
            parsed.map(|mv| (mv, *value))
        });
        moves.collect()
    }

    fn keeps(&self) -> Vec<Move> {
        let moves = self.moves().into_iter();
        let kept = moves.filter(|(_, value)| *value == self.value());
        kept.map(|(mv, _)| mv).collect()
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/hard-cases/bagh-chal.toml"
    );
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file.case
}

/// A player that knows what the tables hold.
fn exact_player(limits: Limits) -> impl Player<Position> {
    let exact = Tables::open(tables().folder()).unwrap();
    let table = TranspositionTable::<Position>::new(18);
    Search::new(ClaudeEvaluation, table, limits).with_exact(Some(Arc::new(exact)))
}

#[test]
fn every_case_lists_all_moves_and_is_of_its_kind() {
    let rows = statistics(tables(), &Interrupt::default()).unwrap();
    let mut kinds = std::collections::BTreeMap::new();
    for case in cases() {
        let (position, name) = (case.position(), &case.name);
        let mut moves: Vec<Move> = case.moves().into_iter().map(|(mv, _)| mv).collect();
        let mut legal: Vec<Move> = position.moves().into_iter().collect();
        moves.sort_by_key(|mv| position.format_move(*mv));
        legal.sort_by_key(|mv| position.format_move(*mv));
        assert_eq!(moves, legal, "{name}");
        let side = Outcome::win(position.side_to_move());
        match case.kind.as_str() {
            "only move" => assert_eq!(case.keeps().len(), 1, "{name}"),
            "capture" => {
                let throws = |(mv, value): &(Move, Outcome)| {
                    position.is_noisy(*mv) && *value != case.value()
                };
                assert_eq!(case.value(), side, "{name}");
                assert!(case.moves().iter().any(throws), "{name}");
            }
            "longest win" => {
                let of_side = rows.iter().filter(|row| row.turn == position.turn);
                let of_side = of_side.flat_map(|row| match case.value() {
                    Outcome::Max => &row.longest_tiger_win,
                    _ => &row.longest_sheep_win,
                });
                let most = of_side.map(|win| win.plies).max();
                assert_eq!(case.plies, most, "{name}");
            }
            "zugzwang" => {
                let turn = position.turn.next_turn();
                let other = Position { turn, ..position };
                assert_ne!(case.value(), side, "{name}");
                let exact = tables().probe(&other).unwrap();
                assert_eq!(exact.value, side, "{name}");
            }
            "sheep win while placing" => {
                assert_eq!((side, case.value()), (Outcome::Min, Outcome::Min), "{name}");
                assert!(position.board.sheep_left() > 0, "{name}");
            }
            other => panic!("{name}: {other}"),
        }
        *kinds.entry(case.kind).or_insert(0) += 1;
    }
    assert_eq!(kinds.len(), 5);
    assert!(kinds.values().all(|count| *count >= 4), "{kinds:?}");
}

#[test]
fn the_tables_know_every_case_within_their_reach() {
    let mut known = 0;
    for case in cases() {
        let (position, name) = (case.position(), &case.name);
        let Some(exact) = tables().resolve(&position) else {
            assert!(position.board.sheep_left() > tables().in_hand(), "{name}");
            continue;
        };
        assert_eq!(
            (exact.value, exact.plies),
            (case.value(), case.plies),
            "{name}"
        );
        for (mv, value) in case.moves() {
            let after = tables().probe(&position.play(mv)).unwrap();
            assert_eq!(after.value, value, "{name}");
        }
        known += 1;
    }
    assert!(known >= 24, "{known}");
}

#[test]
fn searches_that_end_in_the_tables_solve_the_cases_beyond() {
    let mut solved = 0;
    for case in cases() {
        let (position, name) = (case.position(), &case.name);
        let in_hand = position.board.sheep_left();
        if in_hand <= tables().in_hand() {
            continue;
        }
        // After so many plies every line has reached the tables.
        let depth = 2 * (in_hand - tables().in_hand()) + 2;
        let mut player = exact_player(Limits::depth(depth));
        let analysis = player.analyse(&position, &[]).unwrap();
        let moves = case.moves();
        for row in analysis.moves {
            let (_, value) = moves.iter().find(|(mv, _)| *mv == row.mv).unwrap();
            let score = match value {
                Outcome::Max => f32::INFINITY,
                Outcome::Draw => 0.0,
                Outcome::Min => f32::NEG_INFINITY,
            };
            assert_eq!(row.score, score, "{name}: {}", position.format_move(row.mv));
        }
        solved += 1;
    }
    assert!(solved >= 5, "{solved}");
}

#[test]
fn players_with_exact_values_keep_every_value() {
    for case in cases() {
        let position = case.position();
        let depth = 2 * position.board.sheep_left() + 1;
        let report = exact_player(Limits::depth(depth)).pick_move(&position, &[]);
        assert!(case.keeps().contains(&report.mv), "{}", case.name);
        let winner = report.forced.map(|forced| forced.winner);
        assert_eq!(winner, case.value().winner(), "{}", case.name);
    }
}

#[test]
fn short_wins_are_found_without_tables_at_their_distance() {
    let mut found = 0;
    for case in cases() {
        let Some(plies) = case.plies.filter(|plies| *plies <= 10) else {
            continue;
        };
        let position = case.position();
        let search = |depth| {
            let table = TranspositionTable::<Position>::new(18);
            let limits = Limits::depth(depth);
            let techniques = Techniques {
                on: Switches::PLAIN,
                ..Techniques::for_symmetry(true)
            };
            let player = Search::new(ClaudeEvaluation, table, limits);
            let report = player.with_techniques(techniques).pick_move(&position, &[]);
            report.forced
        };
        assert_eq!(search(plies - 1), None, "{}", case.name);
        let forced = search(plies).unwrap();
        assert_eq!(Some(forced.winner), case.value().winner(), "{}", case.name);
        assert_eq!(forced.plies, Some(plies), "{}", case.name);
        found += 1;
    }
    assert!(found >= 3, "{found}");
}
