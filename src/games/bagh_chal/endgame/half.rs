//! The positions of a sliding layer with one side to move, while they are being solved.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::entry::DRAW;
use super::placement::CLASSES;

/// Positions of one side to move, while they are being solved.
pub(super) struct Half {
    /// Plies to the end; an even number is a loss that holds once no move is pending.
    pub plies: Vec<AtomicU8>,
    /// Moves that are not known to lose.
    pub pending: Vec<AtomicU8>,
    /// For each class, the plies at which some entry may become final.
    due: Vec<[AtomicU64; 4]>,
}

impl Half {
    pub fn new(row: usize) -> Self {
        let classes = CLASSES.list.len();
        let bytes = |value| (0..classes * row).map(move |_| AtomicU8::new(value));
        Self {
            plies: bytes(DRAW).collect(),
            pending: bytes(u8::MAX).collect(),
            due: (0..classes).map(|_| Default::default()).collect(),
        }
    }

    /// Notes that an entry ends in so many plies unless something better turns up.
    #[inline]
    pub fn schedule(&self, class: usize, entry: usize, plies: u8) {
        self.plies[entry].store(plies, Ordering::Relaxed);
        let due = &self.due[class][usize::from(plies / 64)];
        let bit = 1 << (plies % 64);
        if due.load(Ordering::Relaxed) & bit == 0 {
            due.fetch_or(bit, Ordering::Relaxed);
        }
    }

    pub fn is_due(&self, class: usize, plies: u8) -> bool {
        let due = self.due[class][usize::from(plies / 64)].load(Ordering::Relaxed);
        due >> (plies % 64) & 1 == 1
    }

    pub fn is_due_from(&self, plies: u8) -> bool {
        let mut classes = 0..self.due.len();
        classes.any(|class| (plies..DRAW).any(|later| self.is_due(class, later)))
    }

    /// Whether an entry becomes final at this ply.
    #[inline]
    pub fn is_final(&self, entry: usize, plies: u8) -> bool {
        self.plies[entry].load(Ordering::Relaxed) == plies
            && (plies & 1 == 1 || self.pending[entry].load(Ordering::Relaxed) == 0)
    }

    /// One move of an entry leads to a position that is over in `plies`.
    #[inline]
    pub fn settle(&self, class: usize, entry: usize, plies: u8) {
        if plies & 1 == 0 {
            self.wins(class, entry, plies + 1);
        } else {
            self.loses(class, entry, plies + 1);
        }
    }

    /// One move of an entry leads to a position lost for the opponent.
    #[inline]
    fn wins(&self, class: usize, entry: usize, plies: u8) {
        let known = self.plies[entry].load(Ordering::Relaxed);
        // An even number is a loss that does not hold any more.
        if known & 1 == 0 || known > plies {
            self.schedule(class, entry, plies);
        }
    }

    /// One more move of an entry leads to a position won by the opponent.
    #[inline]
    fn loses(&self, class: usize, entry: usize, plies: u8) {
        if self.pending[entry].fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        match self.plies[entry].load(Ordering::Relaxed) {
            DRAW => self.schedule(class, entry, plies),
            capture if capture & 1 == 0 => self.schedule(class, entry, capture.max(plies)),
            _ => {}
        }
    }

    pub fn finish(self) -> Vec<u8> {
        let entries = self.plies.into_iter().zip(self.pending);
        let settled = |(plies, pending): (AtomicU8, AtomicU8)| {
            let (plies, pending) = (plies.into_inner(), pending.into_inner());
            if plies & 1 == 0 && pending > 0 {
                DRAW
            } else {
                plies
            }
        };
        entries.map(settled).collect()
    }
}
