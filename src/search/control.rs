//! Controlling and watching a search from outside.

use std::fmt;
use std::time::Duration;

use super::ScoreType;
use super::player::Forced;
use crate::interrupt::Interrupt;

/// The result of a finished iteration of a search, for one of its best lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<M> {
    /// The nominal depth, in plies.
    pub depth: u32,
    /// The largest distance of a leaf from the root, in plies.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second best, and so on (multi-PV).
    pub rank: usize,
    /// The score for `Max`, in logits; ±infinity if a result is proven.
    pub score: ScoreType,
    /// The proven result, if there is one.
    pub forced: Option<Forced>,
    /// The principal variation, beginning with a move of the root; never empty.
    pub line: Vec<M>,
    /// Positions visited since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

/// Called after each iteration of a search, once for each of its lines.
pub type OnIteration<'a, M> = &'a mut dyn FnMut(&Iteration<M>);

/// How a search is controlled and watched from outside.
pub struct SearchControl<'a, M> {
    /// Stops the search when set, though never before its first ply.
    pub stop: Option<Interrupt>,
    /// Until it is set (`ponderhit`), the search ponders: its time does not count.
    pub pondering: Option<Interrupt>,
    /// How many best lines are searched (multi-PV), at least 1.
    pub lines: usize,
    /// Called after each iteration.
    pub on_iteration: Option<OnIteration<'a, M>>,
}

impl<M> Default for SearchControl<'_, M> {
    /// One line, neither controlled nor watched.
    fn default() -> Self {
        Self {
            stop: None,
            pondering: None,
            lines: 1,
            on_iteration: None,
        }
    }
}

impl<M> fmt::Debug for SearchControl<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchControl")
            .field("stop", &self.stop)
            .field("pondering", &self.pondering)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}
