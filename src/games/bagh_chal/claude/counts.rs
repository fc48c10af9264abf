//! What ClaudePlayer's evaluation counts: the terms, each a small number for each position.
//!
//! No symmetry changes a count, so all images of a position have exactly the same ones.

use super::super::geometry::{DELTAS, JUMP_SOURCES, STEP_SOURCES, shift};
use super::super::position::{Position, Turn};
use crate::game::Game;

/// Number of terms.
pub const TERMS: usize = 32;

/// The terms by name, in the order of [`count`].
///
/// "Now" is with the tigers to move, "later" with the sheep to move. Points are told by their
/// place: four corners, eight beside them, four in the middle of the edges; of the inner nine
/// points four corners, four edges, which count nothing as all others are told against them, and
/// the centre.
pub const NAMES: [&str; TERMS] = [
    // The dead, one of these being 1. They stand for a constant, too.
    "no dead sheep",
    "1 dead sheep",
    "2 dead sheep",
    "3 dead sheep",
    "4 dead sheep",
    // Tigers without a move, at most one of these being 1: the fourth ends the game.
    "1 trapped tiger",
    "2 trapped tigers",
    "3 trapped tigers",
    "4 trapped tigers",
    "tigers with one move",
    "moves of the tigers",
    // 1 if the tigers are to move.
    "tigers to move",
    // Sheep that can be captured: whether there is one, and how many more.
    "hanging now",
    "more hanging now",
    "hanging later",
    "more hanging later",
    // Sheep that could be captured after one step of a tiger, and cannot yet.
    "threatened sheep",
    // Sheep that no tiger could capture wherever it stood, as sheep or the edge block each line.
    "safe sheep",
    // Empty points that no tiger can walk to: waiting moves of the sheep, for later.
    "closed points",
    // Steps that the sheep on the board have, placing or not.
    "steps of the sheep",
    "sheep in corners",
    "sheep beside corners",
    "sheep in middles of edges",
    "sheep in inner corners",
    "sheep in the centre",
    "tigers in corners",
    "tigers beside corners",
    "tigers in middles of edges",
    "tigers in inner corners",
    "tigers in the centre",
    // Pairs of neighbours along a line.
    "neighbouring tigers",
    "neighbouring sheep",
];

const CORNERS: u32 = points(2, 2);
const BESIDE_CORNERS: u32 = points(2, 1);
const MIDDLES: u32 = points(2, 0);
const INNER_CORNERS: u32 = points(1, 1);
const CENTRE: u32 = points(0, 0);

/// The points whose distances from the centre, the greater first, are `far` and `near`.
const fn points(far: u8, near: u8) -> u32 {
    let mut mask = 0;
    let mut bit = 0;
    while bit < 25 {
        let (x, y) = ((bit % 5_u8).abs_diff(2), (bit / 5).abs_diff(2));
        let (high, low) = if x > y { (x, y) } else { (y, x) };
        if high == far && low == near {
            mask |= 1 << bit;
        }
        bit += 1;
    }
    mask
}

/// The terms of a position.
#[inline(always)]
pub(super) fn count(position: &Position) -> [f32; TERMS] {
    let board = &position.board;
    let (tigers, sheep) = (board.tiger_points(), board.sheep_points());
    let empty = board.empty_points();
    let Lines {
        mobile,
        agile,
        moves,
        hanging,
        safe,
        threatened,
        steps,
        neighbours,
    } = Lines::of(tigers, sheep, empty);
    let number = |mask: u32| mask.count_ones() as f32;
    let is = |truth: bool| f32::from(u8::from(truth));
    let dead = position.stratum();
    let trapped = (tigers & !mobile).count_ones();
    let now = is(position.turn == Turn::Tiger);
    let (hangs, more) = (
        is(hanging != 0),
        hanging.count_ones().saturating_sub(1) as f32,
    );
    [
        is(dead == 0),
        is(dead == 1),
        is(dead == 2),
        is(dead == 3),
        is(dead >= 4),
        is(trapped == 1),
        is(trapped == 2),
        is(trapped == 3),
        is(trapped >= 4),
        number(mobile & !agile),
        moves as f32,
        now,
        hangs * now,
        more * now,
        hangs * (1.0 - now),
        more * (1.0 - now),
        number(threatened),
        number(safe),
        number(empty & !reach(tigers, empty)),
        steps as f32,
        number(sheep & CORNERS),
        number(sheep & BESIDE_CORNERS),
        number(sheep & MIDDLES),
        number(sheep & INNER_CORNERS),
        number(sheep & CENTRE),
        number(tigers & CORNERS),
        number(tigers & BESIDE_CORNERS),
        number(tigers & MIDDLES),
        number(tigers & INNER_CORNERS),
        number(tigers & CENTRE),
        neighbours[0] as f32,
        neighbours[1] as f32,
    ]
}

/// What the lines of the board tell.
struct Lines {
    /// Tigers that have a move.
    mobile: u32,
    /// Tigers that have two moves or more.
    agile: u32,
    /// Moves that the tigers have.
    moves: u32,
    /// Sheep that a tiger can capture.
    hanging: u32,
    /// Sheep that no tiger could capture wherever it stood.
    safe: u32,
    /// Sheep that a tiger could capture after a step, and cannot yet.
    threatened: u32,
    /// Steps that the sheep have.
    steps: u32,
    /// Pairs of neighbouring tigers, and of sheep.
    neighbours: [u32; 2],
}

impl Lines {
    #[inline(always)]
    fn of(tigers: u32, sheep: u32, empty: u32) -> Self {
        let (mut mobile, mut agile, mut moves, mut hanging, mut open) = (0, 0, 0, 0, 0);
        let (mut stepped, mut steps, mut neighbours) = (0, 0, [0; 2]);
        for (sources, delta) in STEP_SOURCES.into_iter().zip(DELTAS) {
            stepped |= shift(tigers & sources, delta) & empty;
        }
        let mut threatened = 0;
        for (d, &delta) in DELTAS.iter().enumerate() {
            let neighbour = |from: u32| shift(from & STEP_SOURCES[d], delta);
            let jumped =
                |from: u32| shift(from & JUMP_SOURCES[d], delta) & sheep & shift(empty, -delta);
            let from_steps = shift(neighbour(tigers) & empty, -delta);
            let victims = jumped(tigers);
            let from_jumps = shift(victims, -delta);
            moves += from_steps.count_ones() + from_jumps.count_ones();
            agile |= mobile & from_steps;
            mobile |= from_steps;
            agile |= mobile & from_jumps;
            mobile |= from_jumps;
            hanging |= victims;
            threatened |= jumped(stepped);
            steps += (neighbour(sheep) & empty).count_ones();
            // Over a sheep with nothing but sheep or the edge at either end no tiger can jump.
            let behind = shift(!sheep & JUMP_SOURCES[d], delta);
            open |= behind & shift(!sheep, -delta) & sheep;
            // Each pair lies along one of two opposite directions.
            if delta > 0 {
                neighbours[0] += (neighbour(tigers) & tigers).count_ones();
                neighbours[1] += (neighbour(sheep) & sheep).count_ones();
            }
        }
        Self {
            mobile,
            agile,
            moves,
            hanging,
            safe: sheep & !open,
            threatened: threatened & !hanging,
            steps,
            neighbours,
        }
    }
}

/// The empty points that tigers can walk to without capturing, and the tigers' own.
#[inline(always)]
fn reach(tigers: u32, empty: u32) -> u32 {
    let mut reached = tigers;
    loop {
        let mut wider = reached;
        for (sources, delta) in STEP_SOURCES.into_iter().zip(DELTAS) {
            wider |= shift(reached & sources, delta) & empty;
        }
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::geometry::{BOARD, bits};
    use super::super::super::position::tests::positions;
    use super::*;
    use crate::game::Notation;

    fn board(text: &str) -> (Position, Lines) {
        let position = Position::parse_position(text).unwrap();
        let board = position.board;
        let (tigers, sheep) = (board.tiger_points(), board.sheep_points());
        (position, Lines::of(tigers, sheep, board.empty_points()))
    }

    fn term(position: &Position, name: &str) -> f32 {
        let place = NAMES.iter().position(|other| *other == name).unwrap();
        count(position)[place]
    }

    #[test]
    fn every_point_is_in_one_place() {
        let inner_edges = points(1, 0);
        let places = [CORNERS, BESIDE_CORNERS, MIDDLES, INNER_CORNERS, CENTRE];
        let all = places.iter().fold(inner_edges, |all, place| all | place);
        let sizes: Vec<u32> = places.iter().map(|place| place.count_ones()).collect();
        assert_eq!((all, sizes), (BOARD, vec![4, 8, 4, 4, 1]));
    }

    #[test]
    fn at_the_start_three_steps_lead_from_each_corner() {
        let (start, lines) = board("T3T/5/5/5/T3T s 20");
        assert_eq!((lines.mobile.count_ones(), lines.moves), (4, 12));
        assert_eq!((lines.hanging, lines.safe, lines.threatened), (0, 0, 0));
        for (name, count) in [
            ("no dead sheep", 1.0),
            ("1 trapped tiger", 0.0),
            ("tigers to move", 0.0),
            ("closed points", 0.0),
            ("tigers in corners", 4.0),
            ("neighbouring tigers", 0.0),
        ] {
            assert_eq!(term(&start, name), count, "{name}");
        }
    }

    #[test]
    fn corner_sheep_and_blocked_edges_are_safe() {
        let (position, lines) = board("SSS2/5/5/TT3/TT3 s 17");
        assert_eq!(bits(lines.safe).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(term(&position, "neighbouring sheep"), 2.0);
        // Six sides and diagonals of a square of four, one of which is no line of the board.
        assert_eq!(term(&position, "neighbouring tigers"), 5.0);
    }

    #[test]
    fn points_behind_a_wall_are_closed() {
        let (position, _) = board("2S2/SSSSS/SSSSS/1T1T1/1T1T1 t 9");
        assert_eq!(term(&position, "closed points"), 4.0);
        assert_eq!(term(&position, "tigers to move"), 1.0);
    }

    #[test]
    fn a_tiger_that_can_only_jump_is_mobile() {
        let (position, lines) = board("SS.SS/SSSSS/TSSSS/SSSSS/SSTTT t 0");
        assert_eq!((lines.mobile, lines.moves), (1 << 10, 1));
        assert_eq!(lines.hanging, 1 << 6);
        assert_eq!(term(&position, "3 trapped tigers"), 1.0);
        assert_eq!(term(&position, "tigers with one move"), 1.0);
        assert_eq!(term(&position, "hanging now"), 1.0);
        assert_eq!(term(&position, "steps of the sheep"), 5.0);
    }

    #[test]
    fn a_sheep_that_a_step_brings_into_danger_is_threatened() {
        let (position, lines) = board("T4/5/2S2/5/T2TT s 19");
        assert_eq!((lines.hanging, lines.threatened), (0, 1 << 12));
        assert_eq!(term(&position, "threatened sheep"), 1.0);
    }

    proptest! {
        #[test]
        fn counts_agree_with_the_moves(position in positions()) {
            let board = position.board;
            let (tigers, sheep) = (board.tiger_points(), board.sheep_points());
            let lines = Lines::of(tigers, sheep, board.empty_points());
            let moves = board.get_moves(Turn::Tiger);
            prop_assert_eq!(lines.moves as usize, moves.len());
            let mut movers = std::collections::HashMap::new();
            let (mut victims, mut later) = (0, 0);
            for mv in &moves {
                let after = board.after_move_unchecked(*mv);
                *movers.entry(tigers & !after.tiger_points()).or_insert(0) += 1;
                if mv.is_jump() {
                    victims |= sheep & !after.sheep_points();
                    continue;
                }
                for next in after.get_moves(Turn::Tiger).iter().filter(|mv| mv.is_jump()) {
                    let last = after.after_move_unchecked(*next);
                    // Only captures by the tiger that stepped.
                    if last.tiger_points() & after.tiger_points() & !tigers == 0 {
                        later |= sheep & !last.sheep_points();
                    }
                }
            }
            prop_assert_eq!(lines.hanging, victims);
            let single = movers.values().filter(|moves| **moves == 1).count();
            prop_assert_eq!((lines.mobile & !lines.agile).count_ones() as usize, single);
            // A jump back over where the tiger came from lands where it had stood.
            prop_assert_eq!(lines.threatened & !later, 0);
        }
    }
}
