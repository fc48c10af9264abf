//! What a running search may still spend.

use std::time::{Duration, Instant};

use super::control::SearchControl;
use super::limits::Limits;
use crate::interrupt::Interrupt;

/// Nodes between two looks at the clock and the flags.
const NODES_PER_POLL: u64 = 256;

/// The limits in force, and whether they are used up.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    nodes: u64,
    deadline: Option<Instant>,
    stop: Option<Interrupt>,
    /// While the opponent's move is only expected, time does not count.
    pondering: Option<Interrupt>,
    /// The time that the search may take once it no longer ponders.
    hard_time: Option<Duration>,
    next_poll: u64,
    is_spent: bool,
}

impl Budget {
    pub const UNLIMITED: Self = Self {
        nodes: u64::MAX,
        deadline: None,
        stop: None,
        pondering: None,
        hard_time: None,
        next_poll: u64::MAX,
        is_spent: false,
    };

    /// The limits of a search that began at `start`.
    pub fn new<M>(limits: &Limits, control: &SearchControl<'_, M>, start: Instant) -> Self {
        let pondering = control.pondering.clone().filter(|flag| !flag.requested());
        let hard_time = limits.hard_time();
        let counts = pondering.is_none();
        // A time beyond the clock's end is no limit.
        let deadline = hard_time
            .filter(|_| counts)
            .and_then(|time| start.checked_add(time));
        let polls = deadline.is_some() || pondering.is_some() || control.stop.is_some();
        Self {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            deadline,
            stop: control.stop.clone(),
            pondering,
            hard_time,
            next_poll: if polls { 0 } else { u64::MAX },
            is_spent: false,
        }
    }

    /// Whether the search has to stop after so many nodes.
    #[inline]
    pub fn must_stop(&mut self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        if nodes >= self.next_poll {
            self.poll(nodes);
        }
        self.is_spent
    }

    #[cold]
    fn poll(&mut self, nodes: u64) {
        self.next_poll = nodes + NODES_PER_POLL;
        let now = Instant::now();
        if self.pondering.as_ref().is_some_and(Interrupt::requested) {
            self.pondering = None;
            self.deadline = self.hard_time.and_then(|time| now.checked_add(time));
        }
        let is_late = self.deadline.is_some_and(|deadline| now >= deadline);
        let is_stopped = self.stop.as_ref().is_some_and(Interrupt::requested);
        self.is_spent = self.is_spent || is_late || is_stopped;
    }

    /// Whether the time of the search does not count yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering
            .as_ref()
            .is_some_and(|flag| !flag.requested())
    }
}
