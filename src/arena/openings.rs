//! Making opening books: random positions that are undecided and that play decides both ways.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::RngExt;
use rayon::ThreadPool;
use thiserror::Error;

use crate::game::{ExactValues, Game, Key as _, Outcome, Playthrough, random_line};
use crate::interrupt::Interrupt;
use crate::kit::PlayerFactory;
use crate::search::Player;
use crate::seed;
use crate::workers::{Finish, ordered};

/// Attempts for each opening asked for, before giving up.
const ATTEMPTS_PER_OPENING: u64 = 500;

/// Why a book was not made.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The rules leave too few openings.
    #[error(
        "Only {found} of {wanted} openings were found in {attempts} attempts; allow more plies or \
         exclude fewer books."
    )]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings asked for.
        wanted: usize,
        /// Random positions tried.
        attempts: u64,
    },
    /// A person stopped it.
    #[error("Stopped after {found} of {wanted} openings; no book was written.")]
    Interrupted {
        /// Openings found.
        found: usize,
        /// Openings asked for.
        wanted: usize,
    },
}

/// What openings have to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRules<G> {
    /// The start of the game.
    pub start: G,
    /// How many there shall be.
    pub count: usize,
    /// The fewest and the most random plies from the start of the game.
    pub plies: (u32, u32),
    /// Plies without an irreversible move that draw a reference game.
    pub quiet_limit: u32,
    /// What all choices follow from.
    pub seed: u64,
}

/// Makes openings that are distinct up to symmetry, are not among `excluded` (keys of canonical
/// positions), and whose games between the two `referees` of different strength do not all end
/// alike. Positions that `exact` knows to be won are left out.
///
/// `progress` hears how many were found.
///
/// # Errors
/// If there are too few, or on an interrupt.
pub fn make_openings<G: Game>(
    rules: &OpeningRules<G>,
    referees: &[PlayerFactory<G>; 2],
    mut excluded: HashSet<G::Key>,
    exact: Option<&dyn ExactValues<G>>,
    pool: &ThreadPool,
    interrupt: &Interrupt,
    mut progress: impl FnMut(usize),
) -> Result<Vec<G>, OpeningsError> {
    let attempts = ATTEMPTS_PER_OPENING * rules.count as u64;
    let mut openings = Vec::with_capacity(rules.count);
    let finish = ordered(
        pool,
        0..attempts,
        interrupt,
        || [referees[0].player(), referees[1].player()],
        |players, attempt| {
            let mut rng = seed::stream(&[rules.seed, attempt]);
            let plies = rng.random_range(rules.plies.0..=rules.plies.1);
            let position = random_line(&rules.start, plies, &mut rng)?;
            let known = exact.and_then(|exact| exact.probe(&position));
            if known.is_some_and(|known| known.value != Outcome::Draw) {
                return None;
            }
            is_contested(&position, players, rules.quiet_limit).then_some(position)
        },
        |_, position: Option<G>| {
            if let Some(position) = position
                && excluded.insert(position.canonical().0.key())
            {
                openings.push(position);
                progress(openings.len());
            }
            if openings.len() == rules.count {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    let (found, wanted) = (openings.len(), rules.count);
    match finish {
        Finish::Broke(()) => Ok(openings),
        Finish::Completed => Err(OpeningsError::TooFew {
            found,
            wanted,
            attempts,
        }),
        Finish::Interrupted => Err(OpeningsError::Interrupted { found, wanted }),
    }
}

/// Whether neither side, if it were to move, has won already, and the games of the referees with
/// each other and with themselves do not all end alike.
fn is_contested<G: Game>(
    position: &G,
    players: &mut [Box<dyn Player<G>>; 2],
    quiet_limit: u32,
) -> bool {
    let views = [Some(position.clone()), position.null_move()];
    for view in views.into_iter().flatten() {
        begin(players, &view, 0);
        let decided = view.outcome().is_some() || players[1].pick_move(&view, &[]).forced.is_some();
        if decided {
            return false;
        }
    }
    let mut first: Option<Outcome> = None;
    for (game, (max, min)) in (1..).zip([(0, 0), (1, 0), (0, 1), (1, 1)]) {
        begin(players, position, game);
        let outcome = play(position, players, [max, min], quiet_limit);
        if *first.get_or_insert(outcome) != outcome {
            return true;
        }
    }
    false
}

/// Has the players forget what they played before, so that a position's verdict is a matter of the
/// position alone.
fn begin<G: Game>(players: &mut [Box<dyn Player<G>>; 2], position: &G, game: u64) {
    for (number, player) in (0..).zip(players) {
        player.new_game(seed::derive(&[position.key().fold(), game, number]));
    }
}

fn play<G: Game>(
    position: &G,
    players: &mut [Box<dyn Player<G>>; 2],
    sides: [usize; 2],
    quiet_limit: u32,
) -> Outcome {
    let mut game = Playthrough::new(position.clone(), quiet_limit);
    loop {
        if let Some(end) = game.end() {
            return end.outcome();
        }
        let player = &mut players[sides[game.side_to_move() as usize]];
        let mv = player.pick_move(game.position(), game.history()).mv;
        game.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Exact;
    use crate::games::bagh_chal::Position;
    use crate::kit::PlayerSpec;
    use crate::workers::pool;

    /// Knows that the sheep win one position, and its images.
    #[derive(Debug)]
    struct Lost(u64);

    impl ExactValues<Position> for Lost {
        fn probe(&self, position: &Position) -> Option<Exact> {
            let (image, _) = position.canonical();
            (image.key() == self.0).then_some(Exact::value(Outcome::Min))
        }

        fn digest(&self) -> &str {
            ""
        }
    }

    fn make(count: usize, threads: usize, excluded: &[Position]) -> Vec<Position> {
        make_by(count, threads, excluded, None)
    }

    fn make_by(
        count: usize,
        threads: usize,
        excluded: &[Position],
        exact: Option<&dyn ExactValues<Position>>,
    ) -> Vec<Position> {
        let referee = |spec: &str| {
            spec.parse::<PlayerSpec>()
                .unwrap()
                .player_factory()
                .unwrap()
        };
        let referees = [referee("claude@nodes=20"), referee("claude@nodes=60")];
        let rules = OpeningRules {
            start: Position::start(&()),
            count,
            plies: (4, 10),
            quiet_limit: 60,
            seed: 3,
        };
        let keys = excluded
            .iter()
            .map(|position| position.canonical().0.key())
            .collect();
        let pool = pool(threads).unwrap();
        let interrupt = Interrupt::default();
        make_openings(&rules, &referees, keys, exact, &pool, &interrupt, |_| {}).unwrap()
    }

    #[test]
    fn openings_are_distinct_undecided_and_the_same_on_any_number_of_threads() {
        let openings = make(12, 1, &[]);
        assert_eq!(openings, make(12, 3, &[]));
        let keys: HashSet<u64> = openings.iter().map(|p| p.canonical().0.key()).collect();
        assert_eq!(keys.len(), 12);
        assert!(openings.iter().all(|position| position.outcome().is_none()));
        let others = make(12, 2, &openings);
        assert!(
            others
                .iter()
                .all(|p| !keys.contains(&p.canonical().0.key()))
        );
    }

    #[test]
    fn openings_that_are_known_to_be_won_are_left_out() {
        let openings = make(4, 2, &[]);
        let lost = Lost(openings[1].canonical().0.key());
        let others = make_by(3, 2, &[], Some(&lost));
        assert_eq!(others, [openings[0], openings[2], openings[3]]);
    }
}
