//! The Game of Y against figures that were computed exhaustively.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use bagheera::game::{Game, Notation, Outcome, Side};
use bagheera::games::y::{DistanceEvaluation, Habits, Moves, Position, Rules};
use bagheera::perft::perft;
use bagheera::search::{
    Evaluation, Limits, Player, Search, Switches, Techniques, TranspositionTable,
};

fn start(side: u8) -> Position {
    Position::start(&Rules::new(side).unwrap())
}

#[test]
fn perft_of_small_boards() {
    let expected: [(u8, &[u64]); 3] = [
        (3, &[6, 30, 120, 360, 720, 360]),
        (
            4,
            &[
                10, 90, 720, 5040, 30_240, 151_200, 604_800, 1_537_920, 2_522_880, 1_261_440,
            ],
        ),
        (5, &[15, 210, 2730, 32_760, 360_360, 3_603_600, 32_432_400]),
    ];
    for (side, counts) in expected {
        for (depth, nodes) in (1..).zip(counts) {
            assert_eq!(
                perft(&start(side), depth),
                *nodes,
                "side {side}, {depth} plies"
            );
        }
    }
}

/// Complete games from a position, and how many of them the first player wins.
fn games(position: &Position) -> (u64, u64) {
    if let Some(outcome) = position.outcome() {
        return (1, u64::from(outcome == Outcome::Max));
    }
    let moves = position.moves();
    let after = moves.iter().map(|mv| games(&position.play(*mv)));
    after.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

#[test]
fn complete_games_of_small_boards() {
    assert_eq!(games(&start(3)), (720, 360));
    assert_eq!(games(&start(4)), (2_891_520, 1_353_600));
}

#[test]
fn no_game_ends_before_ply_twice_the_side_less_one() {
    for side in 2..=5 {
        let before = u32::from(2 * side - 2);
        let sequences: u64 = (0..before).fold(1, |product, ply| {
            product * (u64::from(side) * u64::from(side + 1) / 2 - u64::from(ply))
        });
        assert_eq!(perft(&start(side), before), sequences, "side {side}");
    }
}

/// The positions that games reach, not finished and finished.
fn reached(side: u8) -> [HashSet<Position>; 2] {
    let mut reached = [HashSet::new(), HashSet::new()];
    let mut layer = HashSet::from([start(side)]);
    while !layer.is_empty() {
        let mut next = HashSet::new();
        for position in layer {
            if position.outcome().is_some() {
                reached[1].insert(position);
                continue;
            }
            next.extend(position.moves().iter().map(|mv| position.play(*mv)));
            reached[0].insert(position);
        }
        layer = next;
    }
    reached
}

#[test]
fn positions_of_small_boards() {
    for (side, all, up_to_symmetry) in [
        (3, [217, 40], [45, 9]),
        (4, [14_629, 1876], [2500, 327]),
        (5, [3_048_564, 289_020], [509_497, 48_410]),
    ] {
        let reached = reached(side);
        assert_eq!(reached.each_ref().map(HashSet::len), all, "side {side}");
        let images = reached.map(|positions| {
            let canonical = positions.iter().map(|position| position.canonical().0);
            canonical.collect::<HashSet<_>>().len()
        });
        assert_eq!(images, up_to_symmetry, "side {side}");
    }
}

/// Sees nothing but the end of a game; tries the moves first that distances are for.
struct Blind(DistanceEvaluation);

impl Evaluation<Position> for Blind {
    fn evaluate(&mut self, _position: &Position) -> f32 {
        0.0
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn order_moves(&self, position: &Position, moves: &mut Moves) {
        self.0.order_moves(position, moves);
    }
}

/// Searches games to their end.
struct Prover(Search<Position, Blind, TranspositionTable<Position>>);

impl Prover {
    fn new() -> Self {
        let blind = Blind(DistanceEvaluation::default());
        let player = Search::new(blind, TranspositionTable::new(20), Limits::default());
        let techniques = Techniques {
            on: Switches {
                history: true,
                ..Switches::PLAIN
            },
            ..Techniques::for_symmetry(true)
        };
        Self(player.with_techniques(techniques))
    }

    /// The winner of a position by force.
    fn winner(&mut self, position: &Position) -> Side {
        let depth = position.moves().len() as u32;
        let score = self.0.fixed_depth_score(position, &[], depth, None);
        assert!(score.is_infinite());
        if score > 0.0 { Side::Max } else { Side::Min }
    }
}

/// The cells that win for the side to move, by number.
fn winning_cells(position: &Position) -> Vec<usize> {
    let mut prover = Prover::new();
    let mut cells: Vec<usize> = position
        .moves()
        .iter()
        .filter(|mv| {
            let after = position.play(**mv);
            match after.outcome() {
                Some(outcome) => outcome == Outcome::win(position.side_to_move()),
                None => prover.winner(&after) == position.side_to_move(),
            }
        })
        .map(|mv| mv.index())
        .collect();
    cells.sort_unstable();
    cells
}

#[test]
fn winning_first_cells() {
    let expected: [(u8, &[usize]); 4] = [
        (2, &[0, 1, 2]),
        (3, &[1, 2, 4]),
        (4, &[1, 2, 3, 4, 5, 7, 8]),
        (5, &[4, 7, 8]),
    ];
    for (side, cells) in expected {
        assert_eq!(winning_cells(&start(side)), cells, "side {side}");
    }
}

#[test]
fn winning_first_cells_of_side_6() {
    let empty = start(6);
    let mut prover = Prover::new();
    // One cell of each kind up to symmetry; the others follow.
    for (cell, wins) in [
        (0, false),
        (1, false),
        (3, false),
        (4, false),
        (7, true),
        (12, true),
    ] {
        let mv = empty.parse_move(&cell.to_string()).unwrap();
        let found = prover.winner(&empty.play(mv));
        assert_eq!(found == Side::Max, wins, "cell {cell}");
    }
}

#[test]
fn the_only_winning_cell_of_a_known_position() {
    // (2,0,0) and (1,0,1) against (0,2,0) and (0,1,1).
    let position = Position::parse_position("B/B./.RR b").unwrap();
    let cells = winning_cells(&position);
    let only = position.parse_move("(0,0,2)").unwrap();
    assert_eq!(cells, [only.index()]);
}

#[test]
fn a_restricted_search_still_finds_wins_at_once() {
    let evaluation = DistanceEvaluation::with_habits(Habits {
        look_everywhere: false,
        ..Habits::default()
    });
    let table = TranspositionTable::new(16);
    let mut player = Search::new(evaluation, table, Limits::depth(4));
    let position = Position::parse_position("./B./.B./..B./.R.R. b").unwrap();
    let wins = |mv| position.play(mv).outcome().is_some();
    let report = player.pick_move(&position, &[]);
    assert_eq!(wins(report.mv), position.moves().iter().any(|mv| wins(*mv)));
}
