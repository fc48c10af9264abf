//! The positions on the way to a node, for draws by repetition.

use crate::game::Game;

/// The earlier positions of the game followed by those of the current line.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    keys: Vec<G::Key>,
    /// How many of them come before the root.
    before: usize,
}

impl<G: Game> Default for Path<G> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            before: 0,
        }
    }
}

impl<G: Game> Path<G> {
    /// Starts at `position` with the game's earlier positions, oldest first; returns its era.
    ///
    /// A position's *era* is the place in the path of the oldest position that it can return to.
    pub fn restart(&mut self, position: &G, history: &[G]) -> usize {
        self.keys.clear();
        self.keys.extend(history.iter().map(Game::key));
        self.before = history.len();
        let returnable = history
            .iter()
            .rev()
            .take_while(|earlier| position.can_return_to(earlier));
        history.len() - returnable.count()
    }

    /// The era of `child`, which `mv` leads to from the position pushed last, of era `era`.
    pub fn child_era(&self, era: usize, parent: &G, mv: G::Move, child: &G) -> usize {
        if !child.can_repeat() || parent.is_irreversible(mv) {
            self.new_era()
        } else {
            era
        }
    }

    /// The era of a position that no earlier one can come back after.
    pub fn new_era(&self) -> usize {
        self.keys.len()
    }

    /// How many plies the position at hand is from the root.
    pub fn ply(&self) -> u32 {
        (self.keys.len() - self.before) as u32
    }

    /// Enters a line through `position`.
    pub fn push(&mut self, position: &G) {
        self.keys.push(position.key());
    }

    /// Leaves the line through the position pushed last.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether `position`, of era `era`, came up before with the same side to move.
    pub fn repeats(&self, position: &G, era: usize) -> bool {
        let reachable = &self.keys[era..];
        if reachable.len() < 2 {
            return false;
        }
        let key = position.key();
        reachable.iter().rev().skip(1).step_by(2).any(|k| *k == key)
    }

    /// How often `position`, of era `era`, has come up, now included.
    pub fn occurrences(&self, position: &G, era: usize) -> usize {
        let key = position.key();
        1 + self.keys[era..].iter().filter(|k| **k == key).count()
    }
}
