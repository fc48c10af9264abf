use proptest::prelude::*;

use super::*;
use crate::game::Playthrough;
use crate::games::bagh_chal::{Points, Position, Steps};
use crate::network::{
    Activation, Architecture, FeatureId, Inference, IntegerEvaluation, Network, NeuralEvaluation,
};
use crate::search::{Evaluation, Limits, Player, Search, TranspositionTable};

fn network<F: FeatureSet<Position>>(hidden: &[usize], activation: Activation) -> Network {
    let architecture = Architecture {
        game: Position::NAME.into(),
        features: FeatureId::of::<Position, F>(),
        hidden: hidden.to_vec(),
        activation,
    };
    Network::random(architecture, 5).unwrap()
}

fn quantized<F: FeatureSet<Position>>(hidden: &[usize], activation: Activation) -> Arc<Quantized> {
    let network = network::<F>(hidden, activation);
    Arc::new(Quantized::new(&network, F::MAX_ACTIVE).unwrap())
}

/// Judges by integers without remembering anything.
struct Fresh<F> {
    network: Arc<Quantized>,
    sees: PhantomData<fn(F)>,
}

impl<F: FeatureSet<Position>> Evaluation<Position> for Fresh<F> {
    fn evaluate(&mut self, position: &Position) -> f32 {
        let mut active = Vec::new();
        F::visit_active(position, |feature| active.push(feature as u16));
        self.network.forward(&active)
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

fn fresh<F: FeatureSet<Position>>(network: &Arc<Quantized>) -> Fresh<F> {
    Fresh {
        network: Arc::clone(network),
        sees: PhantomData,
    }
}

/// A step of a search: a move by its number, or back, and whether a score is asked for.
type Step = (Option<prop::sample::Index>, bool);

fn follow<F: FeatureSet<Position>>(steps: &[Step]) {
    let network = quantized::<F>(&[24, 8], Activation::ScRelu);
    let mut accumulator = Accumulator::<_, F>::new(Arc::clone(&network));
    let mut fresh = fresh::<F>(&network);
    let mut line = vec![Position::start(&())];
    for (step, scored) in steps {
        let here = *line.last().unwrap();
        let moves = here.moves();
        match step {
            Some(choice) if here.outcome().is_none() => {
                let next = here.play(*choice.get(&moves));
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
            assert_eq!(accumulator.score(here), fresh.evaluate(here));
            // Off the line, and without disturbing it.
            assert_eq!(accumulator.score(&line[0]), fresh.evaluate(&line[0]));
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let choice = prop::option::weighted(0.7, any::<prop::sample::Index>());
    prop::collection::vec((choice, any::<bool>()), 0..150)
}

proptest! {
    #[test]
    fn scores_along_a_line_are_those_of_fresh_sums(steps in steps()) {
        follow::<Points>(&steps);
        follow::<Steps>(&steps);
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
fn a_search_is_the_same_with_sums_that_follow_it() {
    let network = quantized::<Points>(&[32, 16], Activation::CRelu);
    let follows = IntegerEvaluation::<_, Points>::new(Arc::clone(&network));
    assert_eq!(search(follows), search(fresh::<Points>(&network)));
    let network = quantized::<Steps>(&[32], Activation::ScRelu);
    let follows = IntegerEvaluation::<_, Steps>::new(Arc::clone(&network));
    assert_eq!(search(follows), search(fresh::<Steps>(&network)));
}

#[test]
fn integers_and_floats_agree_on_all_images() {
    let network = network::<Steps>(&[32, 16], Activation::ScRelu);
    let quantized = Arc::new(Quantized::new(&network, Steps::MAX_ACTIVE).unwrap());
    let mut integer = IntegerEvaluation::<_, Steps>::new(quantized);
    let mut float = NeuralEvaluation::<_, Steps>::new(Arc::new(Inference::new(&network)));
    let mut position = Position::start(&());
    for ply in 0..60 {
        for symmetry in 0..Position::SYMMETRIES {
            let image = position.transformed(symmetry);
            let error = (integer.evaluate(&image) - float.evaluate(&image)).abs();
            assert!(error < 0.01, "{image:?}: {error}");
        }
        let moves = position.moves();
        position = position.play(moves[ply * 7 % moves.len()]);
        if position.outcome().is_some() {
            break;
        }
    }
}
