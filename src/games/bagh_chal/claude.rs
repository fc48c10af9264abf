//! The hand-written evaluation, and the plain one that it has to beat.
//!
//! Every term counts points or pieces in a way that no symmetry changes, and the counts are added
//! in one order, so all images of a board evaluate to exactly the same.

use super::board::{GameBoard, TOTAL_SHEEP};
use super::geometry::{DELTAS, JUMP_SOURCES, STEP_SOURCES, shift};
use super::position::{Position, Turn};
use crate::game::Game;
use crate::search::{Evaluation, ScoreType};

/// What each count is worth to the tigers, in logits.
mod weights {
    /// By dead sheep, all sheep placed: the logits of how many sliding positions the sheep do not
    /// win under best play (they win 91, 76, 42, 14 and 3 %), pulled towards the draw, since most
    /// of the rest are draws while sheep are few.
    pub const DEAD_SLIDING: [f32; 5] = [-1.6, -0.7, 0.5, 1.9, 3.4];
    /// By dead sheep, all sheep in hand: nothing is decided before the board fills, but a dead
    /// sheep is one fewer to close it with.
    pub const DEAD_PLACING: [f32; 5] = [-0.3, 0.6, 1.5, 2.6, 3.9];
    /// By trapped tigers: the fourth ends the game, and the nearer it is, the less it takes.
    pub const TRAPPED: [f32; 5] = [0.0, -0.35, -0.9, -1.8, -3.0];
    /// Each move that the tigers have: freedom comes before captures.
    pub const MOBILITY: f32 = 0.035;
    /// Each sheep that can be captured when the tigers are to move: nearly a dead one.
    pub const HANGING_NOW: f32 = 0.55;
    /// Each sheep beyond the first that can be captured when the sheep are to move: they mend one.
    pub const HANGING_LATER: f32 = 0.30;
    /// The first sheep that can be captured when the sheep are to move: mending it costs a tempo.
    pub const HANGING_FIRST: f32 = 0.12;
    /// Each sheep that no tiger could capture wherever it stood, as sheep or the board's edge
    /// block each line over it: it needs no more guarding.
    pub const SAFE: f32 = -0.045;
    /// Each empty point that no tiger can walk to: a free move for the sheep later, when the side
    /// that runs out of waiting moves has to open the wall.
    pub const CLOSED: f32 = -0.22;
    /// Each sheep on the edge: it is jumped along one line only.
    pub const SHEEP_ON_EDGE: f32 = -0.03;
    /// Each sheep in a corner, beyond being on the edge: it is never jumped.
    pub const SHEEP_IN_CORNER: f32 = -0.03;
    /// Each tiger in a corner: three lines leave it, where the centre has eight.
    pub const TIGER_IN_CORNER: f32 = -0.08;
    /// Each tiger on one of the nine inner points: more lines to move and jump along.
    pub const TIGER_INSIDE: f32 = 0.05;
}

const CORNERS: u32 = 1 << 0 | 1 << 4 | 1 << 20 | 1 << 24;
const INSIDE: u32 = 0b0_1110 << 5 | 0b0_1110 << 10 | 0b0_1110 << 15;

/// ClaudePlayer's evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClaudeEvaluation;

impl Evaluation<Position> for ClaudeEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        let board = &position.board;
        let counts = Counts::of(board);
        let (tigers, sheep) = (board.tiger_points(), board.sheep_points());
        let placing = board.sheep_left() as f32 / TOTAL_SHEEP as f32;
        let dead = position.stratum().min(4);
        let number = |mask: u32| mask.count_ones() as f32;

        let hanging = number(counts.hanging);
        let hanging = match position.turn {
            Turn::Tiger => hanging * weights::HANGING_NOW,
            Turn::Sheep if hanging == 0.0 => 0.0,
            Turn::Sheep => weights::HANGING_FIRST + (hanging - 1.0) * weights::HANGING_LATER,
        };
        weights::DEAD_SLIDING[dead] * (1.0 - placing)
            + weights::DEAD_PLACING[dead] * placing
            + weights::TRAPPED[4 - counts.mobile.count_ones().min(4) as usize]
            + counts.moves as f32 * weights::MOBILITY
            + hanging
            + number(counts.safe) * weights::SAFE
            + number(counts.closed) * weights::CLOSED
            + number(sheep & !INSIDE) * weights::SHEEP_ON_EDGE
            + number(sheep & CORNERS) * weights::SHEEP_IN_CORNER
            + number(tigers & CORNERS) * weights::TIGER_IN_CORNER
            + number(tigers & INSIDE) * weights::TIGER_INSIDE
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// What the evaluation counts on a board.
struct Counts {
    /// Tigers that have a move.
    mobile: u32,
    /// Moves that the tigers have.
    moves: u32,
    /// Sheep that a tiger can capture.
    hanging: u32,
    /// Sheep that no tiger could capture wherever it stood.
    safe: u32,
    /// Empty points that no tiger can walk to.
    closed: u32,
}

impl Counts {
    fn of(board: &GameBoard) -> Self {
        let (tigers, sheep, empty) = (
            board.tiger_points(),
            board.sheep_points(),
            board.empty_points(),
        );
        let (mut mobile, mut moves, mut hanging, mut open) = (0, 0, 0, 0);
        for (d, &delta) in DELTAS.iter().enumerate() {
            let (steps, jumps) = board.tiger_targets(d);
            moves += steps.count_ones() + jumps.count_ones();
            mobile |= shift(steps, -delta) | shift(jumps, -2 * delta);
            hanging |= shift(jumps, -delta);
            // Over a sheep with nothing but sheep or the edge at either end no tiger can jump.
            let behind = shift(!sheep & JUMP_SOURCES[d], delta);
            let landing = shift(!sheep, -delta);
            open |= behind & landing & sheep;
        }
        Self {
            mobile,
            moves,
            hanging,
            safe: sheep & !open,
            closed: empty & !reach(tigers, empty),
        }
    }
}

/// The empty points that tigers can walk to without capturing, and the tigers' own.
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

/// The plain evaluation: dead sheep, and a tenth of that for each trapped tiger.
///
/// It is no judge of chances, so its unit is as arbitrary as that of most such evaluations.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialEvaluation;

impl Evaluation<Position> for MaterialEvaluation {
    fn evaluate(&mut self, position: &Position) -> ScoreType {
        let board = &position.board;
        let mut mobile = 0;
        for (d, delta) in DELTAS.into_iter().enumerate() {
            let (steps, jumps) = board.tiger_targets(d);
            mobile |= shift(steps, -delta) | shift(jumps, -2 * delta);
        }
        let trapped = (board.tiger_points() & !mobile).count_ones();
        10.0 * board.dead_sheep() as f32 - trapped as f32
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::geometry::bits;
    use super::super::position::tests::positions;
    use super::*;
    use crate::game::Notation;

    fn counts(text: &str) -> Counts {
        Counts::of(&Position::parse_position(text).unwrap().board)
    }

    #[test]
    fn at_the_start_three_steps_lead_from_each_corner() {
        let counts = counts("T3T/5/5/5/T3T s 20");
        assert_eq!((counts.mobile.count_ones(), counts.moves), (4, 12));
        assert_eq!((counts.hanging, counts.safe, counts.closed), (0, 0, 0));
    }

    #[test]
    fn corner_sheep_and_blocked_edges_are_safe() {
        let counts = counts("SSS2/5/5/TT3/TT3 s 17");
        assert_eq!(bits(counts.safe).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn points_behind_a_wall_are_closed() {
        let counts = counts("2S2/SSSSS/SSSSS/1T1T1/1T1T1 t 9");
        assert_eq!(bits(counts.closed).collect::<Vec<_>>(), [0, 1, 3, 4]);
    }

    #[test]
    fn a_tiger_that_can_only_jump_is_mobile() {
        let counts = counts("SS.SS/SSSSS/TSSSS/SSSSS/SSTTT t 0");
        assert_eq!((counts.mobile, counts.moves), (1 << 10, 1));
        assert_eq!(counts.hanging, 1 << 6);
    }

    proptest! {
        #[test]
        fn images_evaluate_to_exactly_the_same(position in positions(), sym in 0_usize..8) {
            let image = position.transformed(sym);
            let (mut claude, mut material) = (ClaudeEvaluation, MaterialEvaluation);
            prop_assert_eq!(
                claude.evaluate(&position).to_bits(),
                claude.evaluate(&image).to_bits()
            );
            prop_assert_eq!(material.evaluate(&position), material.evaluate(&image));
            prop_assert!(claude.evaluate(&position).abs() < 12.0);
        }

        #[test]
        fn counts_agree_with_the_moves(position in positions()) {
            let moves = position.board.get_moves(Turn::Tiger);
            let counts = Counts::of(&position.board);
            prop_assert_eq!(counts.moves as usize, moves.len());
            let after = |mv| position.board.after_move_unchecked(mv);
            let mut victims = 0;
            for mv in moves.iter().filter(|mv| mv.is_jump()) {
                victims |= position.board.sheep_points() & !after(*mv).sheep_points();
            }
            prop_assert_eq!(counts.hanging, victims);
        }
    }
}
