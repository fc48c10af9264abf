//! The first layer's sums along the line that a search is on, computed when they are asked for.

use std::marker::PhantomData;
use std::sync::Arc;

use super::quantized::{Block, Quantized};
use crate::features::{FeatureSet, Switch};
use crate::game::Game;

/// A position of the line.
#[derive(Clone, Debug)]
struct Level<G> {
    position: G,
    /// Whether its sums are there.
    summed: bool,
}

/// The sums of the positions from the root of a search to the node at hand.
///
/// A move costs nothing until a position is to be scored; then its sums follow from those of the
/// position before by the features that the move switched on and off.
#[derive(Clone, Debug)]
pub struct Accumulator<G, F> {
    network: Arc<Quantized>,
    /// The root, which stays for the next search, and what was made since.
    levels: Vec<Level<G>>,
    /// The sums of all levels, one after the other.
    sums: Vec<Block>,
    /// The sums of a position that is off the line.
    apart: Vec<Block>,
    on: Vec<u16>,
    off: Vec<u16>,
    sees: PhantomData<fn(F)>,
}

impl<G: Game, F: FeatureSet<G>> Accumulator<G, F> {
    /// An accumulator for a network that was trained on the feature set `F`.
    #[must_use]
    pub fn new(network: Arc<Quantized>) -> Self {
        Self {
            apart: vec![Block::default(); network.width()],
            network,
            levels: Vec::new(),
            sums: Vec::new(),
            on: Vec::with_capacity(F::MAX_ACTIVE),
            off: Vec::with_capacity(F::MAX_ACTIVE),
            sees: PhantomData,
        }
    }

    /// Goes on by a move from `before` to `after`: from the last position of the line, from what a
    /// pass there led to, or from a new root.
    #[inline]
    pub fn push(&mut self, before: &G, after: &G) {
        let at_root = self.levels.len() <= 1;
        if at_root && self.levels.first().map(|root| &root.position) != Some(before) {
            self.levels.clear();
            self.extend(before);
        }
        debug_assert!(self.levels.last().is_some_and(|last| {
            last.position == *before || last.position.null_move().as_ref() == Some(before)
        }));
        self.extend(after);
    }

    fn extend(&mut self, position: &G) {
        self.levels.push(Level {
            position: position.clone(),
            summed: false,
        });
        let blocks = self.levels.len() * self.network.width();
        if self.sums.len() < blocks {
            self.sums.resize(blocks, Block::default());
        }
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.levels.len() > 1, "a move was made");
        self.levels.pop();
    }

    /// The network's score of a position, in logits: quick for the last one of the line, right for
    /// any other.
    #[inline]
    pub fn score(&mut self, position: &G) -> f32 {
        let top = self.levels.last();
        if top.is_none_or(|top| top.position != *position) {
            return self.score_apart(position);
        }
        self.catch_up();
        let width = self.network.width();
        let start = (self.levels.len() - 1) * width;
        self.network.score(&self.sums[start..start + width])
    }

    fn score_apart(&mut self, position: &G) -> f32 {
        self.on.clear();
        F::visit_active(position, |feature| self.on.push(feature as u16));
        self.network.refresh(&self.on, &mut self.apart);
        self.network.score(&self.apart)
    }

    /// Sums up to the last position, from the nearest one before that has its sums.
    fn catch_up(&mut self) {
        let width = self.network.width();
        let summed = self.levels.iter().rposition(|level| level.summed);
        let summed = summed.unwrap_or_else(|| {
            let root = &mut self.levels[0];
            root.summed = true;
            self.on.clear();
            F::visit_active(&root.position, |feature| self.on.push(feature as u16));
            self.network.refresh(&self.on, &mut self.sums[..width]);
            0
        });
        for index in summed + 1..self.levels.len() {
            self.on.clear();
            self.off.clear();
            let (before, after) = (&self.levels[index - 1], &self.levels[index]);
            F::visit_changes(
                &before.position,
                &after.position,
                |feature, switch| match switch {
                    Switch::On => self.on.push(feature as u16),
                    Switch::Off => self.off.push(feature as u16),
                },
            );
            let (before, after) = self.sums.split_at_mut(index * width);
            let before = &before[(index - 1) * width..];
            self.network
                .update(before, &mut after[..width], &self.on, &self.off);
            self.levels[index].summed = true;
        }
    }
}

#[cfg(test)]
mod tests;
