//! What a player keeps for the search: storage, limits and switches.

use std::sync::Arc;
use std::time::Instant;

use super::ScoreType;
use super::history::History;
use super::limits::Limits;
use super::ordering::Killers;
use super::path::Path;
use super::techniques::Techniques;
use crate::game::{ExactValues, Game, Outcome};

/// Nodes between two looks at the clock.
const NODES_PER_CLOCK: u64 = 256;

/// The storage of a search.
#[derive(Clone, Debug)]
pub struct SearchMemory<G: Game, C> {
    /// Scores of positions.
    pub cache: C,
    /// Moves that refuted siblings.
    pub killers: Killers<G>,
    /// How quiet moves have done.
    pub history: History<G>,
    /// The positions on the way to the node at hand.
    pub path: Path<G>,
    /// When to stop.
    pub limits: Limits,
    /// The search's switches.
    pub techniques: Techniques,
    /// What is known for certain of positions; where it says something, nothing is searched.
    pub exact: Option<Arc<dyn ExactValues<G>>>,
    /// Positions looked at since the search began.
    pub nodes: u64,
    /// How many of them had a known value.
    pub known: u64,
    /// The ply of the line's last position that a pass led to.
    pub(super) passed_at: Option<u32>,
    /// The best move that the pass at hand has found at the root, with its score.
    pub(super) best_at_root: Option<(ScoreType, G::Move)>,
    budget: Budget,
}

/// What a pass may still spend.
#[derive(Clone, Copy, Debug)]
struct Budget {
    nodes: u64,
    deadline: Option<Instant>,
    next_clock: u64,
    spent: bool,
}

impl Budget {
    const UNLIMITED: Self = Self {
        nodes: u64::MAX,
        deadline: None,
        next_clock: 0,
        spent: false,
    };
}

impl<G: Game, C> SearchMemory<G, C> {
    /// Storage around a cache.
    pub fn new(cache: C, limits: Limits, techniques: Techniques) -> Self {
        Self {
            cache,
            killers: Killers::default(),
            history: History::default(),
            path: Path::default(),
            limits,
            techniques,
            exact: None,
            nodes: 0,
            known: 0,
            passed_at: None,
            best_at_root: None,
            budget: Budget::UNLIMITED,
        }
    }

    /// The known value of a position below the root.
    pub(super) fn known_value(&mut self, position: &G) -> Option<Outcome> {
        let exact = self.exact.as_ref()?.probe(position)?;
        self.known += 1;
        Some(exact.value)
    }

    /// Whether the first pass to prove a result tells how far it is at most, too.
    pub(super) fn tells_distance(&self) -> bool {
        self.known == 0
    }

    /// Lifts all limits, as for the first ply, which every search finishes.
    pub(super) fn lift_limits(&mut self) {
        self.budget = Budget::UNLIMITED;
    }

    /// Puts the limits in force for a search that began at `start`.
    pub(super) fn apply_limits(&mut self, start: Instant) {
        self.budget = Budget {
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
            // A time beyond the clock's end is no limit.
            deadline: self.limits.time.and_then(|time| start.checked_add(time)),
            next_clock: 0,
            spent: false,
        };
    }

    /// Whether the pass has to stop.
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.budget.nodes {
            return true;
        }
        if let Some(deadline) = self.budget.deadline
            && self.nodes >= self.budget.next_clock
        {
            self.budget.next_clock = self.nodes + NODES_PER_CLOCK;
            self.budget.spent = Instant::now() >= deadline;
        }
        self.budget.spent
    }

    /// Whether another pass, which takes several times as long, could hardly finish.
    pub(super) fn mostly_spent(&self, start: Instant) -> bool {
        let nodes = self
            .limits
            .nodes
            .is_some_and(|limit| self.nodes > limit / 2);
        let time = self.limits.time;
        nodes || time.is_some_and(|limit| start.elapsed() > limit / 2)
    }
}
