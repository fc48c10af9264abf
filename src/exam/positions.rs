//! Sets of positions with known values.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::{Rng, RngExt};

use super::grade::can_lose;
use crate::game::{ExactValues, Game, Outcome, Playthrough, QUIET_LIMIT, random_line, random_move};
use crate::kit::{EndgameTables, PlayerFactory};
use crate::search::Player;
use crate::seed;
use crate::workers::{Context, Finish, ordered};

/// Maximum number of random opening plies.
const MOST_RANDOM_PLIES: u32 = 12;
/// Probability of a random move later on, so that also games of good players contain errors.
const RANDOM_SHARE: f64 = 0.05;
/// Games or cells tried per requested position; after that, a set stays smaller.
const TASKS_PER_POSITION: u64 = 4;
/// Random positions tried per cell to find a critical one.
const DRAWS_PER_CELL: u32 = 200;

/// An unfinished position with its exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownPosition<G> {
    /// The position.
    pub position: G,
    /// Its value.
    pub value: Outcome,
}

impl<G: Game> KnownPosition<G> {
    /// Looks up a position; `None` if it is finished or unknown.
    fn new(position: G, values: &dyn ExactValues<G>) -> Option<Self> {
        if position.outcome().is_some() {
            return None;
        }
        let value = values.probe(&position)?.value;
        Some(Self { position, value })
    }

    /// Whether the values of all moves are known and some of them lose value.
    fn is_critical(&self, values: &dyn ExactValues<G>) -> bool {
        can_lose(&self.position, self.value, values)
    }
}

/// Positions that test players and evaluations, distinct within each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamSet<G> {
    /// Their source, in one word.
    pub name: &'static str,
    /// Positions in which some move loses value and all moves have known values.
    pub critical: Vec<KnownPosition<G>>,
    /// Positions with known values from the same source, independent of their moves.
    pub general: Vec<KnownPosition<G>>,
}

/// The result of one task for a set.
struct Found<G> {
    critical: Option<KnownPosition<G>>,
    general: Option<KnownPosition<G>>,
}

impl<G: Game> Found<G> {
    /// The first known position of a random order, and the first critical one.
    fn among(positions: impl Iterator<Item = G>, values: &dyn ExactValues<G>) -> Self {
        let mut found = Self {
            critical: None,
            general: None,
        };
        for known in positions.filter_map(|position| KnownPosition::new(position, values)) {
            let critical = known.is_critical(values);
            found.general.get_or_insert(known.clone());
            if critical {
                found.critical = Some(known);
                break;
            }
        }
        found
    }
}

impl<G: Game> ExamSet<G> {
    /// Takes one position of each kind from each of many games of `player` against itself, after random
    /// openings and with occasional random moves. Returns `None` if interrupted.
    ///
    /// Finds `count` critical ones, or fewer if they are too rare.
    pub fn from_games(
        player: &PlayerFactory<G>,
        values: &dyn ExactValues<G>,
        count: usize,
        seed: u64,
        crew: &Context,
    ) -> Option<Self> {
        let start = G::start(&G::Rules::default());
        let find = |player: &mut Box<dyn Player<G>>, number| {
            let mut rng = seed::stream(&[seed, 0, number]);
            let plies = rng.random_range(0..=MOST_RANDOM_PLIES);
            let start = random_line(&start, plies, &mut rng);
            let mut positions = start.map_or_else(Vec::new, |start| {
                player.new_game(seed::derive(&[seed, 0, number]));
                positions_of_game(start, player.as_mut(), &mut rng)
            });
            let in_random_order = std::iter::from_fn(|| {
                let left = positions.len();
                (left > 0).then(|| positions.swap_remove(rng.random_range(0..left)))
            });
            Found::among(in_random_order, values)
        };
        Self::collect("games", || player.player(), find, count, crew)
    }

    /// Takes random positions from all cells of the tables in turn. Returns `None` if interrupted.
    ///
    /// Cells with few critical positions have a smaller share of these.
    pub fn uniform<T: EndgameTables<G>>(
        tables: &T,
        count: usize,
        seed: u64,
        crew: &Context,
    ) -> Option<Self> {
        let cells = tables.cells();
        let find = |_: &mut (), number: u64| {
            let mut rng = seed::stream(&[seed, 1, number]);
            let cell = cells[number as usize % cells.len()];
            let draw = |_| T::random_position(cell, &mut rng);
            Found::among((0..DRAWS_PER_CELL).map(draw), tables)
        };
        Self::collect("uniform", || (), find, count, crew)
    }

    /// Collects the results of tasks in order.
    fn collect<W>(
        name: &'static str,
        make: impl Fn() -> W + Sync,
        find: impl Fn(&mut W, u64) -> Found<G> + Sync,
        count: usize,
        crew: &Context,
    ) -> Option<Self> {
        let mut set = Self {
            name,
            critical: Vec::with_capacity(count),
            general: Vec::with_capacity(count),
        };
        let (mut critical, mut general) = (HashSet::new(), HashSet::new());
        let tasks = 0..TASKS_PER_POSITION * count as u64;
        let what = format!("exam, {name}");
        let mut bar = crew.reporter.bar(&what, "positions", 0, count as u64);
        let finish = ordered(crew, tasks, make, find, |_, found| {
            let new = |known: &KnownPosition<G>| general.insert(known.position.key());
            if set.general.len() < count {
                set.general.extend(found.general.filter(new));
            }
            let new = |known: &KnownPosition<G>| critical.insert(known.position.key());
            set.critical.extend(found.critical.filter(new));
            bar.at(set.critical.len() as u64, String::new);
            if set.critical.len() == count {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        bar.finish();
        (finish != Finish::Interrupted).then_some(set)
    }
}

/// Returns the unfinished positions of a game of a player against itself.
fn positions_of_game<G: Game>(start: G, player: &mut dyn Player<G>, rng: &mut impl Rng) -> Vec<G> {
    let mut game = Playthrough::new(start, QUIET_LIMIT);
    game.play_out(|game| {
        if rng.random_bool(RANDOM_SHARE) {
            random_move(game.position(), rng)
        } else {
            player.pick_move(game.position(), game.history()).mv
        }
    });
    game.history().to_vec()
}
