//! Distances while the last sheep are placed, which the tables do not hold: found by following
//! every move down to the sliding phase, whose distances they do hold.

use std::collections::HashMap;

use super::super::position::Position;
use super::tables::Tables;
use crate::game::{Exact, ExactValues as _, Game, Outcome};

/// The most sheep in hand for which a distance is looked for: with three it takes a fraction of a
/// second, and each one more takes thirty times as long.
pub(super) const MOST_IN_HAND: u32 = 3;

/// Plies to the end of a position whose value is known to be `exact`.
pub(super) fn plies(tables: &Tables, position: &Position, exact: Exact) -> Option<u32> {
    let searchable = position.board.sheep_left() <= MOST_IN_HAND && exact.value != Outcome::Draw;
    let mut search = Search {
        tables,
        winner: exact.value,
        known: HashMap::new(),
    };
    exact
        .plies
        .or_else(|| searchable.then(|| search.plies(position))?)
}

struct Search<'a> {
    tables: &'a Tables,
    winner: Outcome,
    known: HashMap<u64, u32>,
}

impl Search<'_> {
    /// Plies to the end of a position that the winner wins, and none of another one.
    fn plies(&mut self, position: &Position) -> Option<u32> {
        let exact = self.tables.probe(position)?;
        if exact.value != self.winner || exact.plies.is_some() {
            return exact.plies.filter(|_| exact.value == self.winner);
        }
        let (image, _) = position.canonical();
        if let Some(&plies) = self.known.get(&image.key()) {
            return Some(plies);
        }
        let moves = position.moves();
        let after = moves.iter().map(|mv| position.play(*mv));
        let best = if Outcome::win(position.side_to_move()) == self.winner {
            after.filter_map(|after| self.plies(&after)).min()
        } else {
            after.filter_map(|after| self.plies(&after)).max()
        };
        let plies = best? + 1;
        self.known.insert(image.key(), plies);
        Some(plies)
    }
}
