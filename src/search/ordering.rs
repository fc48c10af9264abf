//! Move ordering: hash move, noisy moves, killers, quiet moves, losing exchanges.

use std::cmp::Reverse;
use std::ops::Range;

use crate::game::Game;

/// Killer moves: quiet moves that caused a cutoff, the last two for each slot, which is a remaining
/// depth, or a distance from the root where siblings may differ in depth.
#[derive(Clone, Debug)]
pub(super) struct Killers<G: Game> {
    moves: Vec<[Option<G::Move>; 2]>,
}

impl<G: Game> Default for Killers<G> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<G: Game> Killers<G> {
    /// Removes all killers and makes room for slots up to `last`.
    pub fn clear(&mut self, last: u32) {
        self.moves.clear();
        self.moves.resize(last as usize + 1, [None; 2]);
    }

    /// The killers of a slot, latest first.
    #[must_use]
    pub fn at(&self, slot: u32) -> [Option<G::Move>; 2] {
        self.moves.get(slot as usize).copied().unwrap_or_default()
    }

    /// Puts a killer in front, unless it is there already.
    pub fn add(&mut self, slot: u32, mv: G::Move) {
        if let Some(killers) = self.moves.get_mut(slot as usize)
            && killers[0] != Some(mv)
        {
            killers[1] = killers[0].replace(mv);
        }
    }
}

/// How a list of moves is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// How many moves come before the quiet ones that are still in the order of generation.
    pub front: usize,
    /// How many losing exchanges come last.
    pub losing: usize,
}

impl Order {
    /// The places of the quiet moves that are still in the order of generation.
    pub fn quiet(self, moves: usize) -> Range<usize> {
        self.front..moves - self.losing
    }
}

/// Orders the moves of `position`, which have the noisy ones first.
///
/// Rotates instead of sorting: nearly every cutoff comes on one of the first moves.
pub(super) fn order<G: Game>(
    position: &G,
    moves: &mut [G::Move],
    hash_move: Option<G::Move>,
    killers: [Option<G::Move>; 2],
) -> Order {
    let mut front = 0;
    if let Some(mv) = hash_move {
        front += usize::from(bring_forward(moves, mv));
    }
    let noisy = moves[front..]
        .iter()
        .take_while(|mv| position.is_noisy(**mv));
    let noisy = noisy.count();
    sort_noisy(position, &mut moves[front..front + noisy]);
    let losing = if G::HAS_EXCHANGES {
        move_losing_back(position, &mut moves[front..], noisy)
    } else {
        0
    };
    front += noisy - losing;
    let quiet_end = moves.len() - losing;
    for mv in killers.into_iter().flatten() {
        front += usize::from(bring_forward(&mut moves[front..quiet_end], mv));
    }
    Order { front, losing }
}

/// Sorts noisy moves as the game orders them.
pub(super) fn sort_noisy<G: Game>(position: &G, moves: &mut [G::Move]) {
    if G::ORDERS_NOISY_MOVES {
        moves.sort_by_key(|mv| Reverse(position.noisy_order(*mv)));
    }
}

/// Moves the losing exchanges among the first `noisy` moves to the end; returns their number.
fn move_losing_back<G: Game>(position: &G, moves: &mut [G::Move], noisy: usize) -> usize {
    let mut losing = 0;
    for _ in 0..noisy {
        let index = noisy - 1 - losing;
        let from = (0..=index)
            .rev()
            .find(|i| !position.exchange_reaches(moves[*i], 0));
        let Some(from) = from else { break };
        // The last losing one goes last, so that they keep their order.
        let end = moves.len() - losing;
        moves[from..end].rotate_left(1);
        losing += 1;
    }
    losing
}

/// Moves `mv` to the front of `moves`; returns whether it was there.
fn bring_forward<M: Copy + PartialEq>(moves: &mut [M], mv: M) -> bool {
    match moves.iter().position(|other| *other == mv) {
        Some(index) => {
            moves[..=index].rotate_right(1);
            true
        }
        None => false,
    }
}
