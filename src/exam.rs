//! The exam: players tested against tablebase values in positions where a move can lose value, and
//! evaluations tested by their scores of positions with known values.

mod grade;
mod positions;
mod ranking;

pub use positions::{ExamSet, KnownPosition};

use std::ops::ControlFlow;
use std::sync::Arc;

use self::grade::grade;
use self::ranking::{calibration, ranking};
use crate::game::{ExactValues, Outcome, Side};
use crate::kit::{EndgameTables, Kit, PlayerFactory, SearchSetup};
use crate::record::{
    ExamEvaluationRecord, ExamPart, ExamPlayerRecord, ExamRecord, ExamSetRecord, Grade,
    GradeCounts, KeptDifference,
};
use crate::search::Limits;
use crate::seed;
use crate::workers::{Context, Finish, ordered};

/// Nodes per move of the games from which positions are taken.
const GOOD_NODES: u64 = 1000;

/// An exam: tables, and the sets of positions of a seed.
#[derive(Debug)]
pub struct Exam<G: Kit> {
    tables: Arc<G::Tables>,
    seed: u64,
    sets: [ExamSet<G>; 2],
}

impl<G: Kit> Exam<G> {
    /// Collects the sets: `count` critical positions from games of the hand-written evaluation, and as
    /// many random ones. Returns `None` if interrupted.
    pub fn new(tables: Arc<G::Tables>, count: usize, seed: u64, crew: &Context) -> Option<Self> {
        let setup = SearchSetup::with_limits(Limits::nodes(GOOD_NODES));
        let player = PlayerFactory::of_evaluation(G::hand_written(), setup, None);
        let sets = [
            ExamSet::from_games(&player, &*tables, count, seed, crew)?,
            ExamSet::uniform(&*tables, count, seed, crew)?,
        ];
        Some(Self { tables, seed, sets })
    }

    /// Tests players with search, and the evaluations of others without. Returns `None` if interrupted.
    ///
    /// Each position is a new game without a history. With deterministic players, the record does not
    /// depend on the number of threads.
    pub fn hold(
        &self,
        players: &[PlayerFactory<G>],
        evaluations: &[PlayerFactory<G>],
        crew: &Context,
    ) -> Option<ExamRecord> {
        let sets = self.sets.iter().map(|set| {
            Some(ExamSetRecord {
                set: set.name.to_owned(),
                critical: set.critical.len(),
                general: set.general.len(),
                players: self.examine(players, set, crew)?,
                evaluations: evaluations
                    .iter()
                    .filter_map(|evaluation| score(evaluation, &set.general))
                    .collect(),
            })
        });
        Some(ExamRecord {
            tables: self.tables.digest().to_owned(),
            seed: self.seed,
            sets: sets.collect::<Option<_>>()?,
        })
    }

    fn examine(
        &self,
        players: &[PlayerFactory<G>],
        set: &ExamSet<G>,
        crew: &Context,
    ) -> Option<Vec<ExamPlayerRecord>> {
        let mut records = Vec::new();
        let mut all: Vec<Vec<Grade>> = Vec::new();
        for player in players {
            let grades = self.grades(player, set, crew)?;
            let earlier = all.iter();
            records.push(ExamPlayerRecord {
                player: player.name.clone(),
                digest: player.digest.clone(),
                tables: player.tables.clone(),
                total: GradeCounts::of(grades.iter().copied()),
                parts: parts(&set.critical, &grades),
                against_earlier: earlier
                    .filter_map(|other| KeptDifference::of(&grades, other))
                    .collect(),
            });
            all.push(grades);
        }
        Some(records)
    }

    /// Grades a player's moves, in the order of the critical positions.
    fn grades(
        &self,
        player: &PlayerFactory<G>,
        set: &ExamSet<G>,
        crew: &Context,
    ) -> Option<Vec<Grade>> {
        let count = set.critical.len();
        let mut grades = Vec::with_capacity(count);
        let what = format!("{} on {}", player.name, set.name);
        let mut bar = crew.reporter.bar(&what, "positions", 0, count as u64);
        let finish = ordered(
            crew,
            0..count as u64,
            || player.player(),
            |player, number| {
                let known = &set.critical[number as usize];
                player.new_game(seed::derive(&[self.seed, number]));
                let mv = player.pick_move(&known.position, &[]).mv;
                grade(&known.position, known.value, mv, &*self.tables)
            },
            |_, grade| {
                // All moves of critical positions have known values.
                grades.extend(grade);
                bar.at(grades.len() as u64, String::new);
                ControlFlow::<()>::Continue(())
            },
        );
        bar.finish();
        (finish == Finish::Completed).then_some(grades)
    }
}

/// Counts the grades by phase, side and stratum, without empty kinds.
fn parts<G: Kit>(positions: &[KnownPosition<G>], grades: &[Grade]) -> Vec<ExamPart> {
    let part = |by: &str, name: &str, belongs: &dyn Fn(&G) -> bool| {
        let here = positions.iter().zip(grades);
        let here = here.filter(|(known, _)| belongs(&known.position));
        let counts = GradeCounts::of(here.map(|(_, grade)| *grade));
        (counts.positions > 0).then(|| ExamPart {
            by: by.to_owned(),
            part: name.to_owned(),
            counts,
        })
    };
    let phases = G::Tables::PHASES.iter().enumerate().map(|(phase, name)| {
        let belongs = |position: &G| G::Tables::phase(position) == phase;
        part("phase", name, &belongs)
    });
    let sides = [Side::Max, Side::Min].into_iter().map(|side| {
        let belongs = |position: &G| position.side_to_move() == side;
        part("side", G::side_name(side), &belongs)
    });
    let strata = G::STRATA.iter().enumerate().map(|(stratum, name)| {
        let belongs = |position: &G| position.stratum() == stratum;
        part("stratum", name, &belongs)
    });
    phases.chain(sides).chain(strata).flatten().collect()
}

/// Tests a player's scores without search; `None` from players that do not score.
fn score<G: Kit>(
    player: &PlayerFactory<G>,
    positions: &[KnownPosition<G>],
) -> Option<ExamEvaluationRecord> {
    let mut scorer = player.player();
    let scored = positions
        .iter()
        .map(|known| Some((scorer.static_score(&known.position)?, known.value)))
        .collect::<Option<Vec<(f32, Outcome)>>>()?;
    Some(ExamEvaluationRecord {
        evaluation: player.name.clone(),
        ranking: ranking(&scored),
        calibration: calibration(&scored),
    })
}

#[cfg(test)]
mod tests {
    use super::grade::tests::Fake;
    use super::*;
    use crate::game::Game as _;
    use crate::games::bagh_chal::Position;
    use crate::kit::PlayerSpec;
    use crate::workers::with_context;

    fn player_factory(spec: &str) -> PlayerFactory<Position> {
        spec.parse::<PlayerSpec>()
            .unwrap()
            .player_factory()
            .unwrap()
    }

    #[test]
    fn sets_do_not_depend_on_threads_and_hold_what_they_say() {
        let fake = Fake {
            before: Outcome::Min,
            after: [Outcome::Min, Outcome::Draw],
            side: Side::Min,
        };
        let collect = |threads| {
            let good = player_factory("claude@nodes=20");
            with_context(threads, |context| {
                ExamSet::from_games(&good, &fake, 12, 5, context).unwrap()
            })
        };
        let set = collect(1);
        assert_eq!(set.critical.len(), 12);
        assert!((1..=12).contains(&set.general.len()));
        // The sheep to move win and may leave it at a draw, the tigers draw and may lose.
        for KnownPosition { position, value } in &set.critical {
            let sheep = position.side_to_move() == Side::Min;
            assert_eq!(*value, if sheep { Outcome::Min } else { Outcome::Draw });
        }
        assert!(set.general.iter().any(|known| known.value == Outcome::Draw));
        assert_eq!(collect(3), set);
        assert!(score(&player_factory("claude"), &set.general).is_some());
        assert!(score(&player_factory("random"), &set.general).is_none());
    }
}
