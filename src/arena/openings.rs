//! Makes openings: random undecided positions whose games end in different ways.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::RngExt;
use thiserror::Error;

use crate::game::{ExactValues, Game, Key as _, Outcome, Playthrough, random_line};
use crate::kit::PlayerFactory;
use crate::search::Player;
use crate::seed;
use crate::workers::{Context, Finish, ordered};

/// Attempts per requested opening before giving up.
const ATTEMPTS_PER_OPENING: u64 = 500;

/// Why openings could not be made.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The settings leave too few openings.
    #[error(
        "found only {found} of {wanted} openings in {attempts} attempts; allow more plies or exclude \
         fewer books"
    )]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings asked for.
        wanted: usize,
        /// Random positions tried.
        attempts: u64,
    },
    /// A stop was requested.
    #[error("stopped after {found} of {wanted} openings; no book was written")]
    Interrupted {
        /// Openings found.
        found: usize,
        /// Openings asked for.
        wanted: usize,
    },
}

/// The openings to make.
///
/// They are distinct up to symmetry, undecided, and the games of the two judges from each of them do not
/// all have the same outcome.
#[derive(Debug)]
pub struct OpeningsJob<'a, G: Game> {
    /// The start of the game.
    pub start: G,
    /// Number of openings.
    pub count: usize,
    /// Minimum and maximum number of random plies from the start of the game.
    pub plies: (u32, u32),
    /// No-progress limit of the judges' games.
    pub quiet_limit: u32,
    /// Random seed.
    pub seed: u64,
    /// A weaker and a stronger player.
    pub judges: [PlayerFactory<G>; 2],
    /// Keys of canonical positions that must not be used.
    pub excluded: HashSet<G::Key>,
    /// Tablebase; positions that it knows to be won are left out.
    pub exact: Option<&'a dyn ExactValues<G>>,
}

impl<G: Game> OpeningsJob<'_, G> {
    /// Makes the openings.
    ///
    /// # Errors
    /// If there are too few, or on a request to stop.
    pub fn make(mut self, context: &Context) -> Result<Vec<G>, OpeningsError> {
        let wanted = self.count;
        let mut openings = Vec::with_capacity(wanted);
        let attempts = ATTEMPTS_PER_OPENING * wanted as u64;
        let mut excluded = std::mem::take(&mut self.excluded);
        let mut bar = (context.reporter).bar("openings", "found", 0, wanted as u64);
        let finish = ordered(
            context,
            0..attempts,
            || self.judges.each_ref().map(PlayerFactory::player),
            |judges, attempt| self.attempt(judges, attempt),
            |_, opening| {
                let key = |opening: &G| opening.canonical().0.key();
                if let Some(opening) = opening.filter(|opening| excluded.insert(key(opening))) {
                    openings.push(opening);
                    bar.at(openings.len() as u64, String::new);
                }
                if openings.len() == wanted {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        bar.finish();
        let found = openings.len();
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

    /// Draws a random position; returns `None` if it is decided.
    fn attempt(&self, judges: &mut Judges<G>, attempt: u64) -> Option<G> {
        let mut rng = seed::stream(&[self.seed, attempt]);
        let plies = rng.random_range(self.plies.0..=self.plies.1);
        let position = random_line(&self.start, plies, &mut rng)?;
        let known = self.exact.and_then(|exact| exact.probe(&position));
        if known.is_some_and(|known| known.value != Outcome::Draw) {
            return None;
        }
        is_contested(&position, judges, self.quiet_limit).then_some(position)
    }
}

/// The two judges of a worker.
type Judges<G> = [Box<dyn Player<G>>; 2];

/// Returns true if neither side could win at once if it were to move, and the games of the judges against
/// each other and against themselves do not all have the same outcome.
fn is_contested<G: Game>(position: &G, judges: &mut Judges<G>, quiet_limit: u32) -> bool {
    let views = [Some(position.clone()), position.null_move()];
    for view in views.into_iter().flatten() {
        begin(judges, &view, 0);
        let decided = view.outcome().is_some() || judges[1].pick_move(&view, &[]).forced.is_some();
        if decided {
            return false;
        }
    }
    let mut first: Option<Outcome> = None;
    for (number, sides) in (1..).zip([[0, 0], [1, 0], [0, 1], [1, 1]]) {
        begin(judges, position, number);
        let mut game = Playthrough::new(position.clone(), quiet_limit);
        let end = game.play_out(|game| {
            let judge = &mut judges[sides[game.side_to_move() as usize]];
            judge.pick_move(game.position(), game.history()).mv
        });
        if *first.get_or_insert(end.outcome()) != end.outcome() {
            return true;
        }
    }
    false
}

/// Resets the judges before a game, so that the verdict depends only on the position.
fn begin<G: Game>(judges: &mut Judges<G>, position: &G, game: u64) {
    for (number, judge) in (0..).zip(judges) {
        judge.new_game(seed::derive(&[position.key().fold(), game, number]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Exact;
    use crate::games::bagh_chal::Position;
    use crate::kit::PlayerSpec;
    use crate::workers::with_context;

    /// Tables that contain one position, up to symmetry: the sheep win it.
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
        let judge = |spec: &str| {
            spec.parse::<PlayerSpec>()
                .unwrap()
                .player_factory()
                .unwrap()
        };
        let job = OpeningsJob {
            start: Position::start(&()),
            count,
            plies: (4, 10),
            quiet_limit: 60,
            seed: 3,
            judges: [judge("claude@nodes=20"), judge("claude@nodes=60")],
            excluded: excluded
                .iter()
                .map(|position| position.canonical().0.key())
                .collect(),
            exact,
        };
        with_context(threads, |context| job.make(context).unwrap())
    }

    #[test]
    fn openings_are_distinct_undecided_and_independent_of_threads() {
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
    fn openings_won_by_the_tables_are_left_out() {
        let openings = make(4, 2, &[]);
        let lost = Lost(openings[1].canonical().0.key());
        let others = make_by(3, 2, &[], Some(&lost));
        assert_eq!(others, [openings[0], openings[2], openings[3]]);
    }
}
