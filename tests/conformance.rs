//! Properties that the pipeline requires of every game; one line a game at the end.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use bagheera::features::{FeatureSet, Switch};
use bagheera::game::{
    Game, GameRecord, MoveList, Notation, Outcome, Participant, Picture, Playthrough, RecordedMove,
    Side, random_line, read_games, read_rules, write_rules,
};
use bagheera::perft::perft;
use bagheera::search::{
    Evaluation, Limits, Player, Search, Switches, Techniques, TranspositionTable, reference,
};
use bagheera::seed;

/// Random games that the tests play, each of a different length.
const LINES: u32 = 300;

/// Positions of random games, some of them finished.
fn positions<G: Game>(rules: &G::Rules) -> Vec<G> {
    let start = G::start(rules);
    let mut positions = vec![start.clone()];
    for line in 0..LINES {
        let mut rng = seed::stream(&[1, line.into()]);
        let mut game = Playthrough::new(start.clone(), 100);
        for _ in 0..line % 60 {
            if game.end().is_some() {
                break;
            }
            let mv = bagheera::game::random_move(game.position(), &mut rng);
            game.play(mv);
        }
        positions.push(game.position().clone());
    }
    positions
}

/// Pruning dominated moves keeps some moves in their order, and an immediate win if
/// there is one.
fn dominated_moves_are_pruned_soundly<G: Game>(position: &G) {
    let moves = position.moves();
    let mut left = position.moves();
    position.prune_dominated_moves(&mut left);
    let left = left.as_ref();
    assert!(!left.is_empty(), "{position:?}");
    let mut all = moves.as_ref().iter();
    assert!(
        left.iter().all(|mv| all.any(|other| other == mv)),
        "{position:?}"
    );
    let win = Some(Outcome::win(position.side_to_move()));
    let wins = |moves: &[G::Move]| moves.iter().any(|mv| position.play(*mv).outcome() == win);
    assert_eq!(wins(left), wins(moves.as_ref()), "{position:?}");
}

/// Moves are legal, distinct and noisy ones first, and change the side to move.
fn moves_are_sound<G: Notation>(positions: &[G]) {
    for position in positions.iter().filter(|p| p.outcome().is_none()) {
        let moves = position.moves();
        let moves = moves.as_ref();
        assert!(!moves.is_empty(), "{position:?} goes on without a move");
        let mut indices: Vec<usize> = moves.iter().map(|mv| G::move_index(*mv)).collect();
        assert!(indices.iter().all(|index| *index < G::MOVE_INDICES));
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), moves.len(), "{position:?}");
        assert!(moves.is_sorted_by_key(|mv| !position.is_noisy(*mv)));
        let mut noisy = G::Moves::default();
        position.noisy_moves_into(&mut noisy);
        let expected = moves.iter().filter(|mv| position.is_noisy(**mv));
        let (noisy, expected) = (
            noisy.as_ref().to_vec(),
            expected.copied().collect::<Vec<_>>(),
        );
        assert!(noisy.iter().all(|mv| expected.contains(mv)) && noisy.len() == expected.len());
        dominated_moves_are_pruned_soundly(position);
        for &mv in moves {
            let after = position.play(mv);
            assert_eq!(after.side_to_move(), position.side_to_move().other());
            assert_eq!(after.rules(), position.rules());
            if position.is_irreversible(mv) {
                assert!(!after.can_return_to(position), "{position:?}");
            }
            let text = position.format_move(mv);
            assert_eq!(position.parse_move(&text).unwrap(), mv);
        }
        let mut list = position.moves();
        list.truncate(1);
        assert_eq!(list.as_ref(), &moves[..1]);
        list.clear();
        assert!(list.as_ref().is_empty());
        if let Some(passed) = position.null_move() {
            assert_eq!(passed.side_to_move(), position.side_to_move().other());
            assert_eq!(passed.null_move().as_ref(), Some(position));
        }
    }
}

/// Keys, codes and texts identify one position each.
fn names_are_sound<G: Notation>(positions: &[G]) {
    let mut by_key: HashMap<G::Key, &G> = HashMap::new();
    for position in positions {
        assert_eq!(G::decode(position.encode()).as_ref(), Ok(position));
        let text = position.format_position();
        assert_eq!(&G::parse_position(&text).unwrap(), position);
        assert!(!text.contains(['\n', '"', '#']), "{text}");
        assert!(!position.draw().is_empty());
        let other = by_key.insert(position.key(), position);
        assert!(other.is_none_or(|other| other == position));
        assert!(position.stratum() < G::STRATA.len());
        let rules = write_rules::<G>(&position.rules());
        assert_eq!(read_rules::<G>(&rules).unwrap(), position.rules());
    }
}

/// Symmetries commute with moves, have inverses and lead to one representative.
fn symmetries_are_sound<G: Game>(positions: &[G]) {
    for position in positions {
        assert_eq!(&position.transformed(0), position);
        let (canonical, symmetry) = position.canonical();
        assert_eq!(position.transformed(symmetry), canonical);
        for symmetry in 0..G::SYMMETRIES {
            let image = position.transformed(symmetry);
            assert_eq!(&image.transformed(G::inverse_symmetry(symmetry)), position);
            assert_eq!(image.canonical().0, canonical);
            assert_eq!(image.outcome(), position.outcome());
            if position.outcome().is_some() {
                continue;
            }
            let moves = image.moves();
            for &mv in position.moves().as_ref() {
                let image_move = G::transform_move(mv, symmetry);
                assert!(moves.as_ref().contains(&image_move));
                let after = position.play(mv).transformed(symmetry);
                assert_eq!(image.play(image_move), after);
            }
        }
    }
}

/// Features are in range, each once in a view, and changes transform any position into any other.
fn features_are_sound<G: Game, F: FeatureSet<G>>(positions: &[G]) {
    let views = [Side::Max, Side::Min].into_iter().take(F::VIEWS);
    for (view, pair) in views.flat_map(|view| positions.windows(2).map(move |pair| (view, pair))) {
        let active = |position: &G| {
            let mut features = Vec::new();
            F::visit_active(position, view, |feature| features.push(feature));
            features.sort_unstable();
            features
        };
        let [before, after] = pair else { continue };
        let mut features = active(before);
        assert!(features.len() <= F::MAX_ACTIVE);
        assert!(features.iter().all(|feature| *feature < F::SIZE));
        assert!(features.windows(2).all(|pair| pair[0] < pair[1]));
        for buckets in 1..=9 {
            assert!(F::output_bucket(before, buckets) < buckets);
        }
        if F::needs_refresh(before, after, view) {
            continue;
        }
        F::visit_changes(before, after, view, |feature, switch| match switch {
            Switch::On => features.push(feature),
            Switch::Off => features.retain(|active| *active != feature),
        });
        features.sort_unstable();
        assert_eq!(features, active(after));
    }
}

/// An evaluation that leaves all moves in the order of generation.
#[derive(Default)]
struct InGenerationOrder<E>(E);

impl<G: Game, E: Evaluation<G>> Evaluation<G> for InGenerationOrder<E> {
    fn evaluate(&mut self, position: &G) -> f32 {
        self.0.evaluate(position)
    }

    fn is_symmetric(&self) -> bool {
        self.0.is_symmetric()
    }
}

/// The shared search scores as plain minimax does, with any exact techniques.
fn searches_are_sound<G: Game, E: Evaluation<G> + Default>(positions: &[G]) {
    let exact = Switches {
        history: true,
        pvs: true,
        aspiration: true,
        ..Switches::PLAIN
    };
    let unfinished = positions.iter().filter(|p| p.outcome().is_none());
    for position in unfinished.step_by(9) {
        for depth in 1..=3 {
            let mut judge = E::default();
            let expected =
                reference::minimax(position, &[], depth, false, &mut |p| judge.evaluate(p));
            for on in [Switches::PLAIN, exact] {
                let evaluation = InGenerationOrder(E::default());
                let techniques = Techniques {
                    on,
                    ..Techniques::for_symmetry(evaluation.is_symmetric())
                };
                let table = TranspositionTable::new(12);
                let mut player = Search::new(evaluation, table, Limits::depth(depth))
                    .with_techniques(techniques);
                let report = player.pick_move(position, &[]);
                // Deepening stops at the first depth that proves a result.
                assert!(report.depth == depth || report.forced.is_some());
                assert_eq!(report.score, Some(expected), "{position:?} {depth}");
                assert!(position.moves().as_ref().contains(&report.mv));
                assert!(player.nodes() > 0);
            }
        }
    }
}

/// Games that are written are read back.
fn records_are_sound<G: Notation>(rules: &G::Rules) {
    for line in 0..40 {
        let mut rng = seed::stream(&[3, line]);
        let mut game = Playthrough::new(G::start(rules), 30);
        let mut moves = Vec::new();
        while game.end().is_none() && moves.len() < 200 {
            let mv = bagheera::game::random_move(game.position(), &mut rng);
            let score = (moves.len() % 3 > 0).then_some(moves.len() as f32 / 4.0 - 2.0);
            moves.push(RecordedMove { mv, score });
            game.play(mv);
        }
        let record = GameRecord {
            round: Some(line as u32),
            seed: None,
            quiet_limit: Some(30),
            players: ["one", "another"].map(Participant::named),
            start: G::start(rules),
            moves,
            end: game.end(),
        };
        let games = read_games::<G>(record.to_string().as_bytes()).unwrap();
        assert_eq!(games, [record]);
    }
}

/// Boards and pieces are drawn, and perft agrees with itself up to symmetry.
fn pictures_and_counts_are_sound<G: Picture>(rules: &G::Rules) {
    assert!(!G::draw_board(rules).is_empty() && G::VIEW_BOX.split(' ').count() == 4);
    let start = G::start(rules);
    let mut rng = seed::stream(&[2]);
    let position = random_line(&start, 3, &mut rng).unwrap();
    let count = perft(&position, 2);
    for image in position.images() {
        assert_eq!(perft(&image, 2), count);
        assert!(!image.draw_pieces().is_empty());
    }
}

/// Tests of a game: a name, its positions, a hand-written evaluation without restrictions, its feature
/// sets, and rules to try.
macro_rules! conforms {
    ($name:ident: $game:ty, $evaluation:ty, [$($features:ty),+], $rules:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn it_is_what_the_pipeline_takes_for_granted() {
                for rules in $rules {
                    let positions = positions::<$game>(&rules);
                    moves_are_sound(&positions);
                    names_are_sound(&positions);
                    symmetries_are_sound(&positions);
                    $(features_are_sound::<$game, $features>(&positions);)+
                    searches_are_sound::<$game, $evaluation>(&positions);
                    records_are_sound::<$game>(&rules);
                    pictures_and_counts_are_sound::<$game>(&rules);
                }
            }
        }
    };
}

conforms!(bagh_chal: bagheera::games::bagh_chal::Position, bagheera::games::bagh_chal::ClaudeEvaluation,
    [bagheera::games::bagh_chal::Points, bagheera::games::bagh_chal::Steps], [()]);
conforms!(y: bagheera::games::y::Position, bagheera::games::y::DistanceEvaluation,
    [bagheera::games::y::Cells, bagheera::games::y::Rhombi, bagheera::games::y::Sides], [3, 5, 7].map(|side| bagheera::games::y::Rules::new(side).unwrap()));
