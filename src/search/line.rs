//! Principal variations: a triangular table of the best line from each ply.

use super::cache::ScoreCache;
use super::evaluation::Evaluation;
use super::minimax::Search;
use crate::game::Game;

/// The best line found from each ply of the current line; empty unless enabled.
#[derive(Clone, Debug)]
pub(super) struct Lines<M> {
    is_enabled: bool,
    by_ply: Vec<Vec<M>>,
    /// The largest distance of a leaf from the root, in plies.
    selective_depth: u32,
}

impl<M> Default for Lines<M> {
    fn default() -> Self {
        Self {
            is_enabled: false,
            by_ply: Vec::new(),
            selective_depth: 0,
        }
    }
}

impl<M: Copy> Lines<M> {
    /// Removes all lines and records new ones if `is_enabled`.
    pub fn restart(&mut self, is_enabled: bool) {
        self.is_enabled = is_enabled;
        self.by_ply.clear();
        self.selective_depth = 0;
    }

    /// Removes the line from `ply`.
    #[inline]
    pub fn clear(&mut self, ply: u32) {
        if self.is_enabled
            && let Some(line) = self.by_ply.get_mut(ply as usize)
        {
            line.clear();
        }
    }

    /// Records that a leaf is searched at `ply`.
    #[inline]
    pub fn reach(&mut self, ply: u32) {
        if self.is_enabled {
            self.selective_depth = self.selective_depth.max(ply);
        }
    }

    /// Makes `mv`, followed by the line from the next ply, the line from `ply`.
    #[inline]
    pub fn extend_from_child(&mut self, ply: u32, mv: M) {
        if self.is_enabled {
            self.copy_from_child(ply as usize, mv);
        }
    }

    fn copy_from_child(&mut self, ply: usize, mv: M) {
        if self.by_ply.len() < ply + 2 {
            self.by_ply.resize_with(ply + 2, Vec::new);
        }
        let (upper, lower) = self.by_ply.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The largest distance of a leaf from the root since the restart, in plies.
    pub fn selective_depth(&self) -> u32 {
        self.selective_depth
    }

    /// The line from the root.
    pub fn root(&self) -> &[M] {
        self.by_ply.first().map_or(&[], Vec::as_slice)
    }
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// The principal variation of the iteration to `depth` that chose `mv` at `root`: the recorded
    /// line, continued by the moves that the transposition table holds where a table cutoff ended it.
    pub(super) fn principal_variation(&self, root: &G, mv: G::Move, depth: u32) -> Vec<G::Move> {
        let mut line = match self.lines.root() {
            [first, ..] if *first == mv => self.lines.root().to_vec(),
            _ => vec![mv],
        };
        let mut position = root.clone();
        let mut seen = vec![position.key()];
        for &mv in &line {
            position = position.play(mv);
            seen.push(position.key());
        }
        while (line.len() as u32) < depth && position.outcome().is_none() {
            let (key, symmetry) = self.cache_key(&position, depth - line.len() as u32);
            let Some(mv) = self.cache.probe(&key).and_then(|hit| hit.entry.best) else {
                break;
            };
            let mv = G::transform_move(mv, G::inverse_symmetry(symmetry));
            if !position.moves().as_ref().contains(&mv) {
                break;
            }
            position = position.play(mv);
            if seen.contains(&position.key()) {
                break;
            }
            seen.push(position.key());
            line.push(mv);
        }
        line
    }
}
