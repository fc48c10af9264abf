//! Grades of moves: whether a move preserves the value of a position.

use crate::game::{ExactValues, Game, Outcome};
use crate::record::Grade;

/// Grades a legal move of a position with value `before`; `None` if the value after it is unknown.
pub(super) fn grade<G: Game>(
    position: &G,
    before: Outcome,
    mv: G::Move,
    values: &dyn ExactValues<G>,
) -> Option<Grade> {
    let after = values.probe(&position.play(mv))?.value;
    let win = Outcome::win(position.side_to_move());
    Some(match (before, after) {
        (before, Outcome::Draw) if before == win => Grade::WinToDraw,
        (before, after) if before == win && after != win => Grade::WinToLoss,
        (Outcome::Draw, after) if after == Outcome::win(position.side_to_move().other()) => {
            Grade::DrawToLoss
        }
        // No move improves the exact value.
        _ => Grade::Kept,
    })
}

/// Whether the values of all moves of an unfinished position with value `value` are known and some of
/// them lose value.
pub(super) fn can_lose<G: Game>(position: &G, value: Outcome, values: &dyn ExactValues<G>) -> bool {
    if value == Outcome::win(position.side_to_move().other()) {
        return false;
    }
    let mut loses = false;
    for &mv in position.moves().as_ref() {
        let Some(after) = values.probe(&position.play(mv)) else {
            return false;
        };
        loses |= after.value != value;
    }
    loses
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::{Exact, Notation as _, Side};
    use crate::games::bagh_chal::Position;

    /// The tigers win with an even number of sheep points, else as told.
    #[derive(Debug)]
    pub struct Fake {
        /// What a position is worth before the move looked at.
        pub before: Outcome,
        /// What positions with the other side to move are worth, by the parity of their points.
        pub after: [Outcome; 2],
        /// The side to move before.
        pub side: Side,
    }

    impl ExactValues<Position> for Fake {
        fn probe(&self, position: &Position) -> Option<Exact> {
            let value = if position.side_to_move() == self.side {
                self.before
            } else {
                let points = position.board.sheep_points();
                self.after[(points.trailing_zeros() % 2) as usize]
            };
            Some(Exact::value(value))
        }

        fn digest(&self) -> &'static str {
            "fake"
        }
    }

    /// An empty board: sheep on even points go to `after[0]`, on odd ones to `after[1]`.
    pub fn start() -> Position {
        Position::parse_position("T3T/5/5/5/T3T s 20").unwrap()
    }

    #[test]
    fn moves_are_graded_by_hand_computed_values() {
        use Outcome::{Draw, Max, Min};
        let cases = [
            (Min, Min, Grade::Kept),
            (Min, Draw, Grade::WinToDraw),
            (Min, Max, Grade::WinToLoss),
            (Draw, Draw, Grade::Kept),
            (Draw, Max, Grade::DrawToLoss),
            (Max, Max, Grade::Kept),
        ];
        let position = start();
        let mv = position.moves().as_ref()[0];
        for (before, after, expected) in cases {
            let fake = Fake {
                before,
                after: [after; 2],
                side: Side::Min,
            };
            assert_eq!(grade(&position, before, mv, &fake), Some(expected));
        }
    }

    #[test]
    fn only_positions_with_something_to_lose_are_asked() {
        use Outcome::{Draw, Max, Min};
        let ask = |before, after| {
            let side = Side::Min;
            let fake = Fake {
                before,
                after,
                side,
            };
            can_lose(&start(), before, &fake)
        };
        assert!(ask(Min, [Min, Draw]));
        assert!(ask(Draw, [Max, Draw]));
        assert!(!ask(Draw, [Draw, Draw]));
        assert!(!ask(Max, [Max, Max]));
    }
}
