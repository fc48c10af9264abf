//! The positions on the way to a node, for draws by repetition.

use crate::game::{Game, Outcome};

/// The earlier positions of the game followed by those of the current line.
#[derive(Clone, Debug)]
pub(super) struct Path<G: Game> {
    keys: Vec<G::Key>,
    /// Their repetition marks, if the game has any.
    marks: Vec<u32>,
    /// How many of them come before the root.
    before: usize,
}

impl<G: Game> Default for Path<G> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            marks: Vec::new(),
            before: 0,
        }
    }
}

impl<G: Game> Path<G> {
    /// Starts at `position` with the game's earlier positions, oldest first; returns its era.
    ///
    /// A position's *era* is the index in the path of the oldest position that it can return to,
    /// the one after the last irreversible move.
    pub fn restart(&mut self, position: &G, history: &[G]) -> usize {
        self.keys.clear();
        self.marks.clear();
        for earlier in history {
            self.push(earlier);
        }
        self.before = history.len();
        let returnable = history
            .iter()
            .rev()
            .take_while(|earlier| position.can_return_to(earlier));
        history.len() - returnable.count()
    }

    /// The era of `child`, to which `mv` leads from the position pushed last, of era `era`.
    pub fn child_era(&self, era: usize, parent: &G, mv: G::Move, child: &G) -> usize {
        if !child.can_repeat() || parent.is_irreversible(mv) {
            self.new_era()
        } else {
            era
        }
    }

    /// The era of a position after which no earlier one can come back.
    pub fn new_era(&self) -> usize {
        self.keys.len()
    }

    /// The distance of the current position from the root, in plies.
    pub fn ply(&self) -> u32 {
        (self.keys.len() - self.before) as u32
    }

    /// Adds a position to the line.
    pub fn push(&mut self, position: &G) {
        self.keys.push(position.key());
        if G::HAS_REPETITION_MARKS {
            self.marks.push(position.repetition_mark());
        }
    }

    /// Removes the position pushed last.
    pub fn pop(&mut self) {
        self.keys.pop();
        if G::HAS_REPETITION_MARKS {
            self.marks.pop();
        }
    }

    /// Whether `position`, of era `era`, occurred before with the same side to move.
    pub fn repeats(&self, position: &G, era: usize) -> bool {
        let reachable = &self.keys[era..];
        if reachable.len() < 2 {
            return false;
        }
        let key = position.key();
        reachable.iter().rev().skip(1).step_by(2).any(|k| *k == key)
    }

    /// The verdict on `position`, which repeats one of the path.
    pub fn repetition_outcome(&mut self, position: &G) -> Outcome {
        if !G::HAS_REPETITION_MARKS {
            return position.repetition_outcome(&[]);
        }
        let key = position.key();
        let earlier = self.keys.iter().rposition(|k| *k == key);
        let since = earlier.map_or(self.marks.len(), |index| index + 1);
        self.marks.push(position.repetition_mark());
        let outcome = position.repetition_outcome(&self.marks[since..]);
        self.marks.pop();
        outcome
    }

    /// How often `position`, of era `era`, has occurred, the current time included.
    pub fn occurrences(&self, position: &G, era: usize) -> usize {
        let key = position.key();
        1 + self.keys[era..].iter().filter(|k| **k == key).count()
    }
}
