//! Tablebase values of the moves of the root.

use std::sync::Arc;

use super::cache::ScoreCache;
use super::deepening::Root;
use super::evaluation::Evaluation;
use super::minimax::Search;
use crate::game::{Exact, ExactValues, Game, OCCURRENCES_TO_END, Outcome, Side};

/// A move, the position after it, and that position's tablebase value if it is known.
pub(super) struct Child<G: Game> {
    pub mv: G::Move,
    after: G,
    pub exact: Option<Exact>,
}

/// All moves of an unfinished position, in the order of generation, with their values.
pub(super) struct Children<G: Game> {
    values: Arc<dyn ExactValues<G>>,
    pub list: Vec<Child<G>>,
}

impl<G: Game> Children<G> {
    /// The moves of a root; `None` if the search has no source of tablebase values.
    ///
    /// A move that ends the game by repetition has the value of the repetition.
    pub fn new<E: Evaluation<G>, C: ScoreCache<G>>(
        search: &mut Search<G, E, C>,
        root: &Root<'_, G>,
    ) -> Option<Self> {
        let values = search.tablebase.clone()?;
        let moves = root.position.moves();
        let path = &mut search.path;
        path.push(root.position);
        let child = |&mv| {
            let after = root.position.play(mv);
            let era = path.child_era(root.era, root.position, mv, &after);
            let end = after.outcome().or_else(|| {
                let ends = path.occurrences(&after, era) >= OCCURRENCES_TO_END;
                ends.then(|| path.repetition_outcome(&after))
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
        path.pop();
        search.nodes += list.len() as u64;
        Some(Self { values, list })
    }

    /// Looks up distances that take longer to find, of the moves with one value or of all.
    pub fn resolve(&mut self, value: Option<Outcome>) {
        for child in &mut self.list {
            let needs_distance = |exact: &Exact| {
                let unknown = exact.plies.is_none() && exact.value.winner().is_some();
                unknown && value.is_none_or(|value| value == exact.value)
            };
            if child.exact.as_ref().is_some_and(needs_distance) {
                child.exact = self.values.resolve(&child.after).or(child.exact);
            }
        }
    }

    /// The value of the position with `side` to move; `None` if the moves do not determine it.
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

/// A root position whose value follows from the tablebase values of its moves.
pub(super) struct KnownRoot<M> {
    /// The position's value, with the distance if it is known.
    pub exact: Exact,
    /// The moves that are best by value and distance, in the order of generation.
    pub moves: Vec<M>,
}

impl<M: Copy> KnownRoot<M> {
    /// The root with `side` to move and these moves; `None` if they do not determine its value.
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
        // An unknown distance might be the best one.
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

    /// Whether no search is needed.
    pub fn is_settled(&self) -> bool {
        self.exact.plies.is_some() || self.moves.len() == 1
    }
}
