//! How many stones a side needs to connect the three edges if the other one never moves.

use arrayvec::ArrayVec;

use super::super::geometry::{Board, MOST_CELLS, Mask};
use super::super::position::Position;
use super::Habits;
use crate::game::Side;

/// The cells that cost at most 0, 1, 2, … stones to reach from an edge, which are all in the end.
type Layers = ArrayVec<Mask, { MOST_CELLS + 1 }>;

/// The layers around the cells of `seed`: a step onto an empty cell costs a stone, one onto a cell of
/// `own` nothing.
fn layers(board: &Board, seed: Mask, own: Mask, empty: Mask) -> Layers {
    let mut layers = Layers::new();
    let mut reached = board.flood(seed & own, own);
    let mut next = (seed | board.neighbours(reached)) & empty;
    layers.push(reached);
    while next != 0 {
        reached |= next;
        reached |= board.flood(board.neighbours(next) & own, own);
        layers.push(reached);
        next = board.neighbours(reached) & empty & !reached;
    }
    layers
}

/// The layer of a cost; the last one holds for all beyond.
fn layer(layers: &Layers, cost: usize) -> Mask {
    layers[cost.min(layers.len() - 1)]
}

/// The cells at which ways to the three edges meet that cost at most `cost` together.
fn meeting(edges: &[Layers; 3], cost: usize) -> Mask {
    let [first, second, third] = edges;
    let mut cells = 0;
    for of_third in 0..=cost.min(third.len() - 1) {
        let rest = cost - of_third;
        let mut pairs = 0;
        for of_second in 0..=rest.min(second.len() - 1) {
            pairs |= layer(first, rest - of_second) & layer(second, of_second);
        }
        cells |= pairs & third[of_third];
    }
    cells
}

/// The least number of stones with which `player` connects the three edges, if no stone of the other's
/// is added; more than there are cells if habits see no way.
///
/// Three ways to the edges meet at a stone, or at an empty cell, which counts in all three and costs one
/// stone.
pub(super) fn stones_needed(position: &Position, player: Side, habits: Habits) -> usize {
    let (board, own, empty) = (position.board(), position.stones(player), position.empty());
    if !habits.use_all_stones {
        return needed_by_one_chain(board, own, empty);
    }
    let edges = board.edges.map(|edge| layers(board, edge, own, empty));
    // No cell costs more than all layers together.
    let costs = 0..=edges.iter().map(|layers| layers.len()).sum();
    let at_stones = costs.clone().find(|cost| meeting(&edges, *cost) & own != 0);
    let anywhere = || {
        costs
            .clone()
            .find(|cost| meeting(&edges, cost + 2) & empty != 0)
    };
    let least = if habits.meet_anywhere {
        at_stones.into_iter().chain(anywhere()).min()
    } else {
        at_stones.or_else(anywhere)
    };
    least.unwrap_or(MOST_CELLS + 1)
}

/// The sum of a chain's distances from the edges, at the chain where it is least, stones of other chains
/// being no better than empty cells.
fn needed_by_one_chain(board: &Board, own: Mask, empty: Mask) -> usize {
    let mut left = own;
    let mut least = MOST_CELLS + 1;
    while left != 0 {
        let chain = board.flood(left & left.wrapping_neg(), own);
        left &= !chain;
        let ground = (own | empty) & !chain;
        let sum = board.edges.map(|edge| steps(board, chain, ground, edge));
        if let [Some(x), Some(y), Some(z)] = sum {
            least = least.min(x + y + z);
        }
    }
    least
}

/// The steps over `ground` that lead from a set to an edge, if any do.
fn steps(board: &Board, from: Mask, ground: Mask, edge: Mask) -> Option<usize> {
    let mut reached = from;
    let mut steps = 0;
    while reached & edge == 0 {
        let next = reached | board.neighbours(reached) & ground;
        if next == reached {
            return None;
        }
        reached = next;
        steps += 1;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::geometry::{bits, connects};
    use super::super::super::position::tests::positions;
    use super::*;
    use crate::game::{Game as _, Notation as _};

    /// The least number of stones by trying all sets of empty cells.
    fn by_trying_all(position: &Position, player: Side) -> Option<usize> {
        let (own, empty) = (position.stones(player), position.empty());
        let mut added: Mask = 0;
        let mut least = None;
        loop {
            if connects(own | added, position.side()) {
                let stones = added.count_ones() as usize;
                least = Some(least.map_or(stones, |least: usize| least.min(stones)));
            }
            added = added.wrapping_sub(empty) & empty;
            if added == 0 {
                return least;
            }
        }
    }

    /// The cost of each cell from an edge by relaxing until nothing changes.
    fn by_relaxing(position: &Position, player: Side, edge: Mask) -> Vec<Option<usize>> {
        let board = position.board();
        let (own, empty) = (position.stones(player), position.empty());
        let cost = |bit: u32| usize::from(empty >> bit & 1 != 0);
        let mut costs = vec![None; 64];
        for bit in bits(edge & (own | empty)) {
            costs[bit as usize] = Some(cost(bit));
        }
        loop {
            let before = costs.clone();
            for bit in bits(own | empty) {
                for from in bits(board.neighbours(1 << bit)) {
                    if let Some(through) = before[from as usize] {
                        let through = through + cost(bit);
                        let known = &mut costs[bit as usize];
                        *known = Some(known.map_or(through, |least: usize| least.min(through)));
                    }
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    const ANYWHERE: Habits = Habits {
        meet_anywhere: true,
        use_all_stones: true,
        look_everywhere: true,
    };

    #[test]
    fn weaker_habits_see_less() {
        let chains = Habits::default();
        let one_chain = Habits {
            use_all_stones: false,
            ..chains
        };
        let needed = |text: &str, habits| {
            let position = Position::parse_position(text).unwrap();
            stones_needed(&position, Side::Max, habits)
        };
        assert_eq!(needed("./../.../.... b", ANYWHERE), 4);
        assert_eq!(needed("./../.../.... b", chains), 4);
        assert_eq!(needed("./../.../.... b", one_chain), MOST_CELLS + 1);
        // The one stone is hemmed in: the edges are nearer without it.
        let apart = "./R./BR./R.../..... b";
        assert_eq!((needed(apart, chains), needed(apart, ANYWHERE)), (5, 4));
        // Corner, corner and the middle of the way.
        let row = "./../.../B..B b";
        assert_eq!((needed(row, chains), needed(row, one_chain)), (2, 3));
    }

    proptest! {
        #[test]
        fn it_is_the_least_of_all_sets_of_stones(position in positions()) {
            if position.empty().count_ones() > 12 {
                return Ok(());
            }
            for player in [Side::Max, Side::Min] {
                let needed = stones_needed(&position, player, ANYWHERE);
                let by_chains = stones_needed(&position, player, Habits::default());
                prop_assert!(needed <= by_chains);
                let expected = by_trying_all(&position, player).unwrap_or(MOST_CELLS + 1);
                prop_assert_eq!(needed, expected, "{:?} {:?}", position, player);
            }
        }

        #[test]
        fn layers_are_the_cheapest_ways(position in positions()) {
            let board = position.board();
            for player in [Side::Max, Side::Min] {
                for edge in board.edges {
                    let (own, empty) = (position.stones(player), position.empty());
                    let layers = layers(board, edge, own, empty);
                    let expected = by_relaxing(&position, player, edge);
                    for bit in bits(board.cells) {
                        let cost = layers.iter().position(|layer| layer >> bit & 1 != 0);
                        prop_assert_eq!(cost, expected[bit as usize]);
                    }
                }
            }
        }

        #[test]
        fn a_side_that_needs_one_stone_can_win_at_once(position in positions()) {
            if position.outcome().is_none() {
                let mover = position.side_to_move();
                let wins = position.moves().iter().any(|mv| position.play(*mv).outcome().is_some());
                prop_assert_eq!(stones_needed(&position, mover, ANYWHERE) == 1, wins);
            }
        }
    }
}
