use proptest::prelude::*;

use super::*;
use crate::features::EncodedPositions;
use crate::game::Playthrough;
use crate::games::bagh_chal::{Points, Position, Steps};
use crate::games::y;
use crate::network::reference::reference;
use crate::network::{Activation, Architecture, FeatureId, Network, NeuralEvaluation};
use crate::search::{Evaluation, Limits, Player, Search, TranspositionTable};

fn network<G: Game, F: FeatureSet<G>>(hidden: &[usize], activation: Activation) -> Network {
    let features = FeatureId::of::<G, F>();
    Network::random(Architecture::new(G::NAME, features, hidden, activation), 5).unwrap()
}

fn quantized<F: FeatureSet<Position>>(hidden: &[usize], activation: Activation) -> Arc<Quantized> {
    let network = network::<Position, F>(hidden, activation);
    Arc::new(Quantized::new(&network, F::MAX_ACTIVE).unwrap())
}

/// Scores by integers without remembering anything.
struct Fresh<F> {
    network: Arc<Quantized>,
    features: PhantomData<fn(F)>,
}

impl<G: Game, F: FeatureSet<G>> Evaluation<G> for Fresh<F> {
    fn evaluate(&mut self, position: &G) -> f32 {
        let mut encoded = EncodedPositions::with_capacity(self.network.views(), 1, F::MAX_ACTIVE);
        encoded.encode::<G, F>(position, self.network.output_buckets());
        let logit = self
            .network
            .forward(&encoded.position(0), encoded.bucket(0));
        F::perspective(position).sign() * logit
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

fn fresh<F>(network: &Arc<Quantized>) -> Fresh<F> {
    Fresh {
        network: Arc::clone(network),
        features: PhantomData,
    }
}

/// A step of a search: a move by its number, or back, and whether the position is scored.
type Step = (Option<prop::sample::Index>, bool);

fn follow<G: Game, F: FeatureSet<G>>(network: &Network, starts: &[G], steps: &[Step]) {
    let network = Arc::new(Quantized::new(network, F::MAX_ACTIVE).unwrap());
    let mut accumulator = Accumulator::<_, F>::new(Arc::clone(&network));
    let mut fresh = fresh::<F>(&network);
    for start in starts {
        let mut line = vec![start.clone()];
        for (step, scored) in steps {
            let here = line.last().unwrap().clone();
            match step {
                Some(choice) if here.outcome().is_none() => {
                    let next = here.play(*choice.get(here.moves().as_ref()));
                    accumulator.push(&here, &next);
                    line.push(next);
                }
                _ if line.len() > 1 => {
                    accumulator.pop();
                    line.pop();
                }
                _ => {}
            }
            if *scored {
                let here = line.last().unwrap();
                assert_eq!(
                    accumulator.score(here),
                    Evaluation::<G>::evaluate(&mut fresh, here)
                );
                // Off the line, and without disturbing it.
                let root = &line[0];
                assert_eq!(
                    accumulator.score(root),
                    Evaluation::<G>::evaluate(&mut fresh, root)
                );
            }
        }
        line.drain(1..).for_each(|_| accumulator.pop());
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let choice = prop::option::weighted(0.7, any::<prop::sample::Index>());
    prop::collection::vec((choice, any::<bool>()), 0..150)
}

proptest! {
    #[test]
    fn scores_along_a_line_equal_those_of_fresh_sums(steps in steps()) {
        let start = [Position::start(&())];
        let hidden = &[24, 8];
        follow::<_, Points>(&network::<Position, Points>(hidden, Activation::ScRelu), &start, &steps);
        follow::<_, Steps>(&network::<Position, Steps>(hidden, Activation::ScRelu), &start, &steps);
    }

    #[test]
    fn two_views_and_buckets_follow_a_line(
        steps in steps(),
        views in 1usize..=2,
        output_buckets in 1usize..=4,
    ) {
        let starts = [5, 4].map(|side| y::Position::start(&y::Rules::new(side).unwrap()));
        let architecture = Architecture {
            views,
            output_buckets,
            ..network::<y::Position, y::Sides>(&[24], Activation::ScRelu).architecture().clone()
        };
        let network = Network::random(architecture, 9).unwrap();
        follow::<_, y::Sides>(&network, &starts, &steps);
    }
}

/// A network with two views returns the score of the side to move.
#[test]
fn scores_of_two_views_are_turned_to_max() {
    let network = network::<y::Position, y::Sides>(&[20, 8], Activation::ScRelu);
    let quantized = Quantized::new(&network, <y::Sides as FeatureSet<y::Position>>::MAX_ACTIVE);
    let mut integer = NeuralEvaluation::<_, y::Sides>::new(Arc::new(quantized.unwrap()));
    let mut position = y::Position::start(&y::Rules::new(5).unwrap());
    while position.outcome().is_none() {
        let [own, other] = [position.side_to_move(), position.side_to_move().other()].map(|view| {
            let mut active = Vec::new();
            y::Sides::visit_active(&position, view, |feature| active.push(feature as u16));
            active
        });
        let expected = reference(&network, &[&own, &other], 0) as f32;
        let expected = position.side_to_move().sign() * expected;
        assert!((integer.evaluate(&position) - expected).abs() < 0.01);
        let moves = position.moves();
        position = position.play(moves[moves.len() / 2]);
    }
}

fn search<E: Evaluation<Position>>(evaluation: E) -> Vec<(String, u64)> {
    let table = TranspositionTable::new(12);
    let mut player = Search::new(evaluation, table, Limits::nodes(2000));
    let mut game = Playthrough::new(Position::start(&()), 40);
    let mut reports = Vec::new();
    while game.end().is_none() {
        let report = player.pick_move(game.position(), game.history());
        reports.push((format!("{:?} {:?}", report.mv, report.score), report.nodes));
        game.play(report.mv);
    }
    reports
}

#[test]
fn a_search_is_the_same_with_updated_and_with_fresh_sums() {
    let network = quantized::<Points>(&[32, 16], Activation::CRelu);
    let follows = NeuralEvaluation::<_, Points>::new(Arc::clone(&network));
    assert_eq!(search(follows), search(fresh::<Points>(&network)));
    let network = quantized::<Steps>(&[32], Activation::ScRelu);
    let follows = NeuralEvaluation::<_, Steps>::new(Arc::clone(&network));
    assert_eq!(search(follows), search(fresh::<Steps>(&network)));
}

#[test]
fn images_score_as_the_definition_says() {
    let network = network::<Position, Steps>(&[32, 16], Activation::ScRelu);
    let quantized = Arc::new(Quantized::new(&network, Steps::MAX_ACTIVE).unwrap());
    let mut integer = NeuralEvaluation::<_, Steps>::new(quantized);
    let mut position = Position::start(&());
    for ply in 0..60 {
        for symmetry in 0..Position::SYMMETRIES {
            let image = position.transformed(symmetry);
            let mut active = Vec::new();
            Steps::visit_active(&image, Side::Max, |feature| active.push(feature as u16));
            let expected = reference(&network, &[&active], 0) as f32;
            let error = (integer.evaluate(&image) - expected).abs();
            assert!(error < 0.01, "{image:?}: {error}");
        }
        let moves = position.moves();
        position = position.play(moves[ply * 7 % moves.len()]);
        if position.outcome().is_some() {
            break;
        }
    }
}
