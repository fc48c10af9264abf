//! One game of self-play and its samples.

use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::log::GameSummary;
use super::settings::{ExactUse, SelfplaySettings};
use crate::game::{
    End, ExactValues, Game, Outcome, Playthrough, game_hash, random_line, random_move,
};
use crate::search::{Player, ScoreType, SearchReport};
use crate::seed;
use crate::shard::Sample;

/// Maximum number of openings rejected for a game; where one opening in ten is undecided, almost every
/// game finds one with a tenth of it.
const MOST_REJECTED: u32 = 500;
/// Maximum number of random plies of an off-game exploration position.
const BRANCH_PLIES: u32 = 3;

/// The start positions of games.
#[derive(Clone, Debug)]
pub enum Opening<G> {
    /// The start of the game, followed by random plies.
    Start(G),
    /// One of these positions, at least one, followed by random plies.
    Book(Vec<G>),
}

impl<G> Opening<G> {
    fn positions(&self) -> &[G] {
        match self {
            Self::Start(start) => std::slice::from_ref(start),
            Self::Book(book) => book,
        }
    }
}

/// The settings of all games of a generation.
#[derive(Clone, Debug)]
pub struct GameSettings<G> {
    /// The settings of play.
    pub settings: SelfplaySettings,
    /// Where games begin.
    pub opening: Opening<G>,
    /// No-progress limit, in plies.
    pub quiet_limit: u32,
    /// The tablebase, if the settings use one.
    pub exact: Option<Arc<dyn ExactValues<G>>>,
    /// The run's seed.
    pub seed: u64,
    /// The generation.
    pub generation: u32,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<G> {
    /// The samples of the game and its exploration positions, in the order of their searches.
    pub samples: Vec<Sample<G>>,
    /// The game's entry in the log.
    pub summary: GameSummary,
}

/// An undecided opening.
struct Opened<G: Game> {
    position: G,
    /// Its distance from the start, in plies.
    plies: u32,
    report: SearchReport<G::Move>,
}

/// The beginning of a game.
struct Beginning<G: Game> {
    game: Playthrough<G>,
    /// The distance of its first position from the start, in plies.
    plies: u32,
    /// Number of rejected openings, which were decided or finished.
    rejected: u32,
    /// The search report of the first position, with the nodes of all searches for it.
    report: SearchReport<G::Move>,
}

impl<G: Game> GameSettings<G> {
    /// Plays game number `index`; its random choices derive from the run's seed, the generation and the
    /// number.
    ///
    /// Returns `None` if no undecided opening was found.
    pub fn play(&self, player: &mut dyn Player<G>, index: u32) -> Option<PlayedGame<G>> {
        let purpose = [self.seed, u64::from(self.generation), u64::from(index)];
        let mut rng = seed::stream(&purpose);
        player.new_game(seed::derive(&purpose));
        let Beginning {
            mut game,
            plies,
            rejected,
            report,
        } = self.begin(player, &mut rng)?;
        let mut report = Some(report);
        let start = game.position().clone();
        let mut samples = Vec::new();
        // Samples that get the outcome of the game.
        let mut undecided = Vec::new();
        let mut nodes = 0;
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            if let Some(outcome) = self.known(ExactUse::End, game.position()) {
                break End::Known(outcome);
            }
            let found = match report.take() {
                Some(report) => report,
                None => player.pick_move(game.position(), game.history()),
            };
            nodes += found.nodes;
            let ply = plies + game.moves().len() as u32;
            let random = rng.random_bool(self.settings.random_move);
            let mv = if random {
                random_move(game.position(), &mut rng)
            } else {
                found.mv
            };
            let sample = self.sample(game.position(), &found, ply, index);
            if sample.outcome.is_none() {
                undecided.push(samples.len());
            }
            samples.push(Sample {
                random,
                noisy: game.position().is_noisy(mv),
                ..sample
            });
            if rng.random_bool(self.settings.branches)
                && let Some((sample, spent)) = self.branch(player, &game, ply, index, &mut rng)
            {
                samples.push(sample);
                nodes += spent;
            }
            game.play(mv);
        };
        for sample in undecided {
            samples[sample].outcome = Some(end.outcome());
        }
        let summary = GameSummary {
            moves: game_hash(&start, game.moves().iter().copied()),
            end,
            plies: game.moves().len() as u32,
            samples: samples.len() as u32,
            rejected,
            nodes,
        };
        Some(PlayedGame { samples, summary })
    }

    /// Whether all start positions are in the tablebase and games end there.
    pub(super) fn ends_at_start(&self) -> bool {
        let mut positions = self.opening.positions().iter();
        positions.all(|position| self.known(ExactUse::End, position).is_some())
    }

    /// The digest of the tablebase; `None` if games use none.
    pub(super) fn tables(&self) -> Option<String> {
        let used = self.settings.exact != ExactUse::Off;
        let exact = self.exact.as_ref().filter(|_| used)?;
        Some(exact.digest().to_owned())
    }

    /// The tablebase value of a position, if it is known and used for `purpose`.
    fn known(&self, purpose: ExactUse, position: &G) -> Option<Outcome> {
        let exact = self.exact.as_ref();
        let exact = exact.filter(|_| self.settings.exact == purpose)?;
        Some(exact.probe(position)?.value)
    }

    /// Searches the configured number of undecided openings and returns the most balanced one; `None`
    /// if none was found.
    fn begin(
        &self,
        player: &mut dyn Player<G>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<Beginning<G>> {
        let (mut rejected, mut found) = (0, 0);
        let mut nodes = 0;
        let mut best: Option<(ScoreType, Opened<G>)> = None;
        while found < self.settings.opening_choices && rejected < MOST_REJECTED {
            let Some(opened) = self.open(player, rng) else {
                rejected += 1;
                continue;
            };
            found += 1;
            nodes += opened.report.nodes;
            let unevenness = opened.report.score.unwrap_or(0.0).abs();
            if best.as_ref().is_none_or(|(least, _)| unevenness < *least) {
                best = Some((unevenness, opened));
            }
        }
        let (_, opened) = best?;
        Some(Beginning {
            game: Playthrough::new(opened.position, self.quiet_limit),
            plies: opened.plies,
            rejected,
            report: SearchReport {
                nodes,
                ..opened.report
            },
        })
    }

    /// Searches a random opening; returns `None` if it is finished or decided.
    fn open(&self, player: &mut dyn Player<G>, rng: &mut Xoshiro256PlusPlus) -> Option<Opened<G>> {
        let (least, most) = self.settings.opening_plies;
        let plies = rng.random_range(least..=most);
        let start = match &self.opening {
            Opening::Start(start) => start,
            Opening::Book(book) => &book[rng.random_range(0..book.len())],
        };
        let position = random_line(start, plies, rng)?;
        if self.known(ExactUse::End, &position).is_some() {
            return None;
        }
        let report = player.pick_move(&position, &[]);
        report.forced.is_none().then_some(Opened {
            position,
            plies,
            report,
        })
    }

    /// Searches a position a few random plies off the game; returns its sample and the nodes searched.
    fn branch(
        &self,
        player: &mut dyn Player<G>,
        game: &Playthrough<G>,
        ply: u32,
        index: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Sample<G>, u64)> {
        let mut line = game.clone();
        let plies = rng.random_range(1..=BRANCH_PLIES);
        for _ in 0..plies {
            line.play(random_move(line.position(), rng));
            if line.end().is_some() {
                return None;
            }
        }
        let report = player.pick_move(line.position(), line.history());
        let sample = self.sample(line.position(), &report, ply + plies, index);
        Some((sample, report.nodes))
    }

    fn sample(
        &self,
        position: &G,
        report: &SearchReport<G::Move>,
        ply: u32,
        index: u32,
    ) -> Sample<G> {
        let limit: ScoreType = self.settings.score_limit;
        Sample {
            position: position.clone(),
            score: report.score.unwrap_or(0.0).clamp(-limit, limit),
            outcome: self.known(ExactUse::Label, position),
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            game: index,
            noisy: false,
            random: false,
            original: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::bagh_chal::Position;
    use crate::kit::PlayerSpec;

    fn games(settings: SelfplaySettings) -> (GameSettings<Position>, Box<dyn Player<Position>>) {
        let game = GameSettings {
            settings,
            opening: Opening::Start(Position::start(&())),
            quiet_limit: 40,
            exact: None,
            seed: 5,
            generation: 2,
        };
        let spec: PlayerSpec = "claude@nodes=60".parse().unwrap();
        (game, spec.player_factory().unwrap().player())
    }

    fn settings() -> SelfplaySettings {
        SelfplaySettings {
            random_move: 0.1,
            branches: 0.5,
            ..SelfplaySettings::default()
        }
    }

    #[test]
    fn a_game_follows_from_its_number_alone() {
        let (game, mut player) = games(settings());
        let third = game.play(player.as_mut(), 3).unwrap();
        game.play(player.as_mut(), 4).unwrap();
        assert_eq!(game.play(player.as_mut(), 3).unwrap(), third);
        assert_ne!(
            game.play(player.as_mut(), 5).unwrap().samples,
            third.samples
        );
    }

    #[test]
    fn samples_of_the_game_have_its_outcome_and_those_beside_it_none() {
        let (game, mut player) = games(settings());
        for index in 0..5 {
            let played = game.play(player.as_mut(), index).unwrap();
            let of_game = played
                .samples
                .iter()
                .filter(|sample| sample.outcome.is_some())
                .count();
            assert_eq!(of_game, played.summary.plies as usize);
            assert!(of_game < played.samples.len());
            let outcome = played.summary.end.outcome();
            assert!(
                played
                    .samples
                    .iter()
                    .all(|s| s.outcome.is_none_or(|o| o == outcome))
            );
            let plies: Vec<u16> = played
                .samples
                .iter()
                .filter(|s| s.outcome.is_some())
                .map(|s| s.ply)
                .collect();
            assert!(plies.windows(2).all(|pair| pair[1] == pair[0] + 1));
            assert!(plies[0] >= 4);
        }
    }

    #[test]
    fn a_game_without_an_undecided_opening_is_given_up() {
        let (mut game, mut player) = games(settings());
        game.settings.opening_plies = (0, 0);
        let lost = Position::parse_position("TTTTS/SSSS1/SSSS1/5/5 s 7").unwrap();
        game.opening = Opening::Book(vec![lost]);
        assert_eq!(game.play(player.as_mut(), 0), None);
    }

    /// Games that begin from the most even of so many openings.
    fn choosing(opening_choices: u32) -> (GameSettings<Position>, Box<dyn Player<Position>>) {
        games(SelfplaySettings {
            opening_choices,
            ..settings()
        })
    }

    #[test]
    fn the_most_even_of_several_openings_is_played() {
        let unevenness = |choices| {
            let (game, mut player) = choosing(choices);
            let first = |index| {
                let played = game.play(player.as_mut(), index).unwrap();
                played.samples[0].score.abs()
            };
            (0..12).map(first).sum::<f32>()
        };
        assert!(unevenness(6) < 0.5 * unevenness(1));
    }

    #[test]
    fn the_searches_of_all_openings_count() {
        let nodes = |choices| {
            let (game, mut player) = choosing(choices);
            let mut rng = seed::stream(&[3]);
            let beginning = game.begin(player.as_mut(), &mut rng).unwrap();
            beginning.report.nodes
        };
        let one = nodes(1);
        assert!((3 * one..=5 * one).contains(&nodes(4)));
    }

    #[test]
    fn without_chance_the_teacher_plays_every_move_itself() {
        let (game, mut player) = games(SelfplaySettings {
            random_move: 0.0,
            branches: 0.0,
            ..SelfplaySettings::default()
        });
        let played = game.play(player.as_mut(), 0).unwrap();
        assert!(played.samples.iter().all(|sample| !sample.random));
        assert!(
            played
                .samples
                .iter()
                .all(|sample| sample.score.abs() <= 8.0)
        );
        player.new_game(0);
        let mut again = Playthrough::new(played.samples[0].position, 40);
        for sample in &played.samples {
            assert_eq!(*again.position(), sample.position);
            let mv = player.pick_move(again.position(), again.history()).mv;
            assert_eq!(again.position().is_noisy(mv), sample.noisy);
            again.play(mv);
        }
        assert_eq!(again.end(), Some(played.summary.end));
    }
}
