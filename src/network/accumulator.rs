//! The accumulator: the feature transformer's sums along the line of a search, computed on demand.

use std::marker::PhantomData;
use std::sync::Arc;

use super::quantized::{Block, Quantized};
use crate::features::{FeatureSet, Switch};
use crate::game::{Game, Side};

/// A position of the line.
#[derive(Clone, Debug)]
struct AccumulatorEntry<G> {
    position: G,
    /// Whether the sums of all views are computed.
    computed: bool,
}

/// The sums of the positions from the root of a search to the current node.
///
/// A move costs nothing until a position is scored; then its sums follow from those of the previous
/// position by the features that the move switched on and off.
#[derive(Clone, Debug)]
pub struct Accumulator<G, F> {
    network: Arc<Quantized>,
    /// The root, which is kept for the next search, and the positions made since.
    entries: Vec<AccumulatorEntry<G>>,
    /// The sums of all entries, one after the other; those of an entry by view.
    values: Vec<Block>,
    /// The sums of a position off the line.
    scratch: Vec<Block>,
    on: Vec<u16>,
    off: Vec<u16>,
    features: PhantomData<fn(F)>,
}

impl<G: Game, F: FeatureSet<G>> Accumulator<G, F> {
    const VIEWS: &'static [Side] = [Side::Max, Side::Min].split_at(F::VIEWS).0;

    /// Creates an accumulator for a network that was trained on the feature set `F`.
    #[must_use]
    pub fn new(network: Arc<Quantized>) -> Self {
        Self {
            scratch: vec![Block::default(); F::VIEWS * network.width()],
            network,
            entries: Vec::new(),
            values: Vec::new(),
            on: Vec::with_capacity(F::MAX_ACTIVE),
            off: Vec::with_capacity(F::MAX_ACTIVE),
            features: PhantomData,
        }
    }

    /// Called after the search makes a move from `before` to `after`. `before` is the last position of
    /// the line, the position after a null move there, or a new root.
    #[inline]
    pub fn push(&mut self, before: &G, after: &G) {
        let at_root = self.entries.len() <= 1;
        if at_root && self.entries.first().map(|root| &root.position) != Some(before) {
            self.entries.clear();
            self.extend(before);
        }
        debug_assert!(self.entries.last().is_some_and(|last| {
            last.position == *before || last.position.null_move().as_ref() == Some(before)
        }));
        self.extend(after);
    }

    fn extend(&mut self, position: &G) {
        self.entries.push(AccumulatorEntry {
            position: position.clone(),
            computed: false,
        });
        let blocks = self.entries.len() * self.size();
        if self.values.len() < blocks {
            self.values.resize(blocks, Block::default());
        }
    }

    /// Returns the number of blocks of an entry.
    #[inline]
    fn size(&self) -> usize {
        F::VIEWS * self.network.width()
    }

    /// Called after the search unmakes the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1, "a move was made");
        self.entries.pop();
    }

    /// Returns the network's score of a position for `Max`, in logits: fast for the last position of
    /// the line, correct for any other.
    #[inline]
    pub fn score(&mut self, position: &G) -> f32 {
        let top = self.entries.last();
        if top.is_none_or(|top| top.position != *position) {
            return self.score_off_line(position);
        }
        self.update();
        let size = self.size();
        let start = (self.entries.len() - 1) * size;
        self.forward(position, &self.values[start..start + size])
    }

    fn score_off_line(&mut self, position: &G) -> f32 {
        let width = self.network.width();
        for (&view, sums) in Self::VIEWS.iter().zip(self.scratch.chunks_mut(width)) {
            refresh::<G, F>(&self.network, position, view, &mut self.on, sums);
        }
        self.forward(position, &self.scratch)
    }

    /// Returns the score for `Max` that follows from the sums of all views.
    #[inline]
    fn forward(&self, position: &G, sums: &[Block]) -> f32 {
        let network = &self.network;
        let bucket = match network.output_buckets() {
            1 => 0,
            buckets => F::output_bucket(position, buckets),
        };
        if F::VIEWS == 1 {
            return network.score([sums, &[]], bucket);
        }
        let (max, min) = sums.split_at(network.width());
        let side = F::perspective(position);
        let (own, other) = match side {
            Side::Max => (max, min),
            Side::Min => (min, max),
        };
        let other = if network.views() == 1 { &[] } else { other };
        side.sign() * network.score([own, other], bucket)
    }

    /// Computes the sums of the last position from the nearest position before it that has its sums.
    fn update(&mut self) {
        let (width, size) = (self.network.width(), self.size());
        let computed = self.entries.iter().rposition(|entry| entry.computed);
        let computed = computed.unwrap_or_else(|| {
            let root = &mut self.entries[0];
            root.computed = true;
            for (&view, sums) in Self::VIEWS.iter().zip(self.values.chunks_mut(width)) {
                refresh::<G, F>(&self.network, &root.position, view, &mut self.on, sums);
            }
            0
        });
        for index in computed + 1..self.entries.len() {
            let [before, after] = [index - 1, index].map(|index| &self.entries[index].position);
            let (earlier, later) = self.values.split_at_mut(index * size);
            for (number, &view) in Self::VIEWS.iter().enumerate() {
                let sums = &mut later[number * width..(number + 1) * width];
                if F::needs_refresh(before, after, view) {
                    refresh::<G, F>(&self.network, after, view, &mut self.on, sums);
                    continue;
                }
                self.on.clear();
                self.off.clear();
                F::visit_changes(before, after, view, |feature, switch| match switch {
                    Switch::On => self.on.push(feature as u16),
                    Switch::Off => self.off.push(feature as u16),
                });
                let start = (index - 1) * size + number * width;
                let previous = &earlier[start..start + width];
                self.network.update(previous, sums, &self.on, &self.off);
            }
            self.entries[index].computed = true;
        }
    }
}

/// Computes the sums of a view from its active features, with `active` as memory for them.
fn refresh<G: Game, F: FeatureSet<G>>(
    network: &Quantized,
    position: &G,
    view: Side,
    active: &mut Vec<u16>,
    sums: &mut [Block],
) {
    active.clear();
    F::visit_active(position, view, |feature| active.push(feature as u16));
    network.refresh(active, sums);
}

#[cfg(test)]
mod tests;
