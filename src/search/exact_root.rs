//! What exact values say of the moves of the position that a search begins at.

use std::sync::Arc;

use super::memory::SearchMemory;
use crate::game::{Exact, ExactValues, Game, OCCURRENCES_TO_END, Outcome, Side};

/// A move, the position after it, and that position's exact value where it is known.
pub(super) struct Child<G: Game> {
    pub mv: G::Move,
    after: G,
    pub exact: Option<Exact>,
}

/// All moves of a position that is not finished, in the order of generation, with their values.
pub(super) struct Children<G: Game> {
    values: Arc<dyn ExactValues<G>>,
    pub list: Vec<Child<G>>,
}

impl<G: Game> Children<G> {
    /// The moves of a position of era `era`; none if the search has no source of exact values.
    ///
    /// A move that ends the game by repetition is worth what the repetition is.
    pub fn new<C>(memory: &mut SearchMemory<G, C>, position: &G, era: usize) -> Option<Self> {
        let values = memory.exact.clone()?;
        let moves = position.moves();
        memory.path.push(position);
        let child = |&mv| {
            let after = position.play(mv);
            let era = memory.path.child_era(era, position, mv, &after);
            let end = after.outcome().or_else(|| {
                let ends = memory.path.occurrences(&after, era) >= OCCURRENCES_TO_END;
                ends.then(|| after.repetition_outcome(&[]))
            });
            let exact = match end {
                Some(value) => Some(Exact {
                    value,
                    plies: value.winner().map(|_| 0),
                }),
                None => values.probe(&after),
            };
            Child { mv, after, exact }
        };
        let list: Vec<_> = moves.as_ref().iter().map(child).collect();
        memory.path.pop();
        memory.nodes += list.len() as u64;
        Some(Self { values, list })
    }

    /// Finds distances that take longer: of the moves with one value, or of all.
    pub fn resolve(&mut self, value: Option<Outcome>) {
        for child in &mut self.list {
            let wanted = |exact: &Exact| {
                let unknown = exact.plies.is_none() && exact.value.winner().is_some();
                unknown && value.is_none_or(|value| value == exact.value)
            };
            if child.exact.as_ref().is_some_and(wanted) {
                child.exact = self.values.resolve(&child.after).or(child.exact);
            }
        }
    }

    /// The value of the position for `side`, which moves; none if the moves leave it open.
    fn value(&self, side: Side) -> Option<Outcome> {
        let win = Outcome::win(side);
        let values = || self.list.iter().map(|child| Some(child.exact?.value));
        if values().any(|value| value == Some(win)) {
            return Some(win);
        }
        let all: Option<Vec<Outcome>> = values().collect();
        all?.into_iter()
            .max_by(|a, b| a.points(side).total_cmp(&b.points(side)))
    }
}

/// A position whose moves exact values tell enough of.
pub(super) struct KnownRoot<M> {
    /// The position's value, with the distance if it is known.
    pub exact: Exact,
    /// The moves that are best by value and distance, in the order of generation.
    pub moves: Vec<M>,
}

impl<M: Copy> KnownRoot<M> {
    /// The position that `side` has these moves in; none if their values leave open what it is
    /// worth.
    pub fn new<G: Game<Move = M>>(children: &mut Children<G>, side: Side) -> Option<Self> {
        let value = children.value(side)?;
        children.resolve(Some(value));
        let list = &children.list;
        let kept = || {
            let known = list
                .iter()
                .filter_map(|child| Some((child.mv, child.exact?)));
            known.filter(|(_, exact)| exact.value == value)
        };
        let worth = kept().map(|(_, exact)| exact.worth(side)).max()?;
        let best = || kept().filter(|(_, exact)| exact.worth(side) == worth);
        // A distance that is not known might be the best one.
        let all_known = list.iter().all(|child| child.exact.is_some())
            && kept().all(|(_, exact)| exact.plies.is_some());
        let nearest = best().find_map(|(_, exact)| exact.plies);
        Some(Self {
            exact: Exact {
                value,
                plies: nearest.filter(|_| all_known).map(|plies| plies + 1),
            },
            moves: best().map(|(mv, _)| mv).collect(),
        })
    }

    /// Whether nothing is left for a search to say.
    pub fn is_settled(&self) -> bool {
        self.exact.plies.is_some() || self.moves.len() == 1
    }
}
