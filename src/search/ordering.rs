//! The order in which moves are tried: hint, noisy moves, killers, the rest.

use crate::game::Game;

/// Quiet moves that caused a cutoff, the last two for each place: a remaining depth, or a
/// distance from the root where siblings may differ in depth.
#[derive(Clone, Debug)]
pub struct Killers<G: Game> {
    moves: Vec<[Option<G::Move>; 2]>,
}

impl<G: Game> Default for Killers<G> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<G: Game> Killers<G> {
    /// Forgets all killers and makes room for places up to `depth`.
    pub fn clear(&mut self, depth: u32) {
        self.moves.clear();
        self.moves.resize(depth as usize + 1, [None; 2]);
    }

    /// The killers of a place, latest first.
    #[must_use]
    pub fn at(&self, depth: u32) -> [Option<G::Move>; 2] {
        self.moves.get(depth as usize).copied().unwrap_or_default()
    }

    /// Puts a killer in front, unless it is there already.
    pub fn add(&mut self, depth: u32, mv: G::Move) {
        if let Some(killers) = self.moves.get_mut(depth as usize)
            && killers[0] != Some(mv)
        {
            killers[1] = killers[0].replace(mv);
        }
    }
}

/// Brings `hint` and `killers` forward in a list of `position`'s moves that has the noisy ones
/// first; returns how many moves come before those left as generated.
///
/// Rotates instead of sorting: nearly every cutoff comes on one of the first moves.
pub(super) fn order<G: Game>(
    position: &G,
    moves: &mut [G::Move],
    hint: Option<G::Move>,
    killers: [Option<G::Move>; 2],
) -> usize {
    let mut front = 0;
    if let Some(hint) = hint {
        front += usize::from(bring_forward(moves, hint));
    }
    let noisy = moves[front..]
        .iter()
        .take_while(|mv| position.is_noisy(**mv));
    front += noisy.count();
    for killer in killers.into_iter().flatten() {
        front += usize::from(bring_forward(&mut moves[front..], killer));
    }
    front
}

/// Moves `mv` to the front of `moves`; whether it was there.
fn bring_forward<M: Copy + PartialEq>(moves: &mut [M], mv: M) -> bool {
    match moves.iter().position(|other| *other == mv) {
        Some(index) => {
            moves[..=index].rotate_right(1);
            true
        }
        None => false,
    }
}
