//! Moves from the start of the game to a position, for a notation that knows no other beginning.

use std::collections::HashSet;

use crate::game::Game as _;
use crate::games::bagh_chal::geometry::{POINTS, STEPS_FROM, bits};
use crate::games::bagh_chal::movement::Move;
use crate::games::bagh_chal::position::{Position, Turn};

/// Positions that are looked at before the search for the moves is given up.
const MOST_POSITIONS: usize = 200_000;

/// More steps than four tigers are ever from where they are wanted.
const FAR: u32 = 32;

/// Some legal moves that lead from the start to a position; none if none are found.
///
/// Of a position with all sheep placed it is presumed that the last one has just been.
pub(super) fn beginning(goal: &Position) -> Option<Vec<Move>> {
    let mut search = Search {
        goal,
        steps: steps(),
        tried: HashSet::new(),
        moves: Vec::new(),
    };
    search
        .reaches(&Position::start(&()))
        .then_some(search.moves)
}

/// A depth-first search for the goal that never comes back to a position.
struct Search<'a> {
    goal: &'a Position,
    /// The fewest steps between two points of an empty board.
    steps: [[u32; POINTS]; POINTS],
    tried: HashSet<Position>,
    /// The moves so far.
    moves: Vec<Move>,
}

impl Search<'_> {
    fn reaches(&mut self, position: &Position) -> bool {
        if position == self.goal {
            return true;
        }
        let sliding = position.turn == Turn::Sheep && position.board.sheep_left() == 0;
        if sliding
            || position.outcome().is_some()
            || self.tried.len() == MOST_POSITIONS
            || !self.tried.insert(*position)
        {
            return false;
        }
        let mut next: Vec<(u32, Move, Position)> = position
            .moves()
            .into_iter()
            .map(|mv| (mv, position.play(mv)))
            .filter_map(|(mv, after)| Some((self.cost(&after)?, mv, after)))
            .collect();
        next.sort_by_key(|(cost, ..)| *cost);
        for (_, mv, after) in next {
            self.moves.push(mv);
            if self.reaches(&after) {
                return true;
            }
            self.moves.pop();
        }
        false
    }

    /// How far the goal is from a position, the less the better; none if it is out of reach.
    fn cost(&self, position: &Position) -> Option<u32> {
        let (board, goal) = (&position.board, &self.goal.board);
        let to_kill = goal.dead_sheep().checked_sub(board.dead_sheep())?;
        let to_place = board.sheep_left().checked_sub(goal.sheep_left())?;
        let strange = (board.sheep_points() & !goal.sheep_points()).count_ones();
        // The sheep begin, so the tigers have as many moves left unless only one side is to move.
        let tiger_moves = (to_place + u32::from(position.turn == Turn::Tiger))
            .checked_sub(u32::from(self.goal.turn == Turn::Tiger))?;
        let distance = self.distance(board.tiger_points(), goal.tiger_points());
        // A jump is one move and leads two steps far.
        if strange > to_kill || to_kill > tiger_moves || distance > tiger_moves + to_kill {
            return None;
        }
        if to_kill == 0 {
            return Some(distance);
        }
        // Sheep that are to die come first, where a jump over them leads towards the goal.
        let jump = match position.turn {
            Turn::Sheep => None,
            Turn::Tiger => {
                let jumps = position.moves().into_iter().take_while(|mv| mv.is_jump());
                let after = jumps.map(|mv| position.play(mv).board.tiger_points());
                after
                    .map(|tigers| self.distance(tigers, goal.tiger_points()))
                    .min()
            }
        };
        Some(FAR * to_kill + jump.unwrap_or(distance + FAR / 2))
    }

    /// The fewest steps in all that lead tigers from points to points, whoever goes where.
    fn distance(&self, from: u32, to: u32) -> u32 {
        let Some(tiger) = bits(from).next() else {
            return 0;
        };
        let others = from & !(1 << tiger);
        bits(to)
            .map(|point| {
                let step = self.steps[tiger as usize][point as usize];
                step + self.distance(others, to & !(1 << point))
            })
            .min()
            .unwrap_or_default()
    }
}

/// The fewest steps between all points of an empty board.
fn steps() -> [[u32; POINTS]; POINTS] {
    let mut steps = [[0; POINTS]; POINTS];
    for (from, steps) in steps.iter_mut().enumerate() {
        let (mut seen, mut front, mut count) = (1_u32 << from, 1_u32 << from, 0);
        while front != 0 {
            for point in bits(front) {
                steps[point as usize] = count;
            }
            let near = bits(front).fold(0, |near, point| near | STEPS_FROM[point as usize]);
            (front, seen, count) = (near & !seen, seen | near, count + 1);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation as _;

    /// Whether moves are found, and are what they should be.
    fn leads(text: &str) -> bool {
        let goal = Position::parse_position(text).unwrap();
        beginning(&goal).is_some_and(|moves| {
            let mut reached = Position::start(&());
            for mv in moves {
                assert!(reached.outcome().is_none(), "{text}");
                assert!(reached.moves().contains(&mv), "{text}");
                reached = reached.play(mv);
            }
            reached == goal
        })
    }

    #[test]
    fn moves_are_found_to_openings() {
        let book = include_str!("../../../../data/openings/bagh-chal/final.txt");
        let openings = book.lines().filter(|line| !line.starts_with('#'));
        let lost: Vec<_> = openings.step_by(10).filter(|line| !leads(line)).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }

    #[test]
    fn moves_are_found_where_few_lead_there() {
        for text in ["S2T1/3TS/1T3/2T2/S1S2 s 13", "T3T/5/5/5/T3T s 16"] {
            assert!(leads(text), "{text}");
        }
    }

    #[test]
    fn nothing_leads_where_no_game_gets() {
        // The tigers have had no move, or too few.
        for text in [
            "T3T/5/5/5/T3T t 20",
            "T3T/5/2T2/5/T4 t 19",
            "4T/5/1TST1/5/4T s 19",
        ] {
            assert!(!leads(text), "{text}");
        }
    }
}
