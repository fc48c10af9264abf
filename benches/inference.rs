//! Time of one evaluation by the hand-written forward passes, for the shapes in question.
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot run should stop, and its shapes are constants"
)]

use std::hint::black_box;

use std::sync::Arc;
use std::time::Duration;

use bagheera::features::FeatureSet;
use bagheera::game::{Game, random_line};
use bagheera::games::bagh_chal::{Points, Position, Steps};
use bagheera::network::{
    Accumulator, Activation, Architecture, FeatureId, Inference, Network, NeuralEvaluation,
    Quantized,
};
use bagheera::search::Evaluation;
use bagheera::seed;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Positions with 20 of `features` features active, spread as a Bagh-Chal board spreads them.
fn positions(features: usize) -> Vec<Vec<u16>> {
    (0..64)
        .map(|position| {
            let mut active: Vec<u16> = (0..20)
                .map(|piece| ((piece * 37 + position * 11) % features) as u16)
                .collect();
            active.sort_unstable();
            active
        })
        .collect()
}

fn forward(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("inference");
    for (features, hidden) in [
        (77, &[16][..]),
        (77, &[32]),
        (77, &[32, 16]),
        (77, &[64, 32]),
        (500, &[256, 32, 32]),
    ] {
        let architecture = Architecture {
            game: "bagh-chal".into(),
            features: FeatureId {
                name: "bench".into(),
                version: 1,
                size: features,
            },
            hidden: hidden.to_vec(),
            activation: Activation::ScRelu,
        };
        let network = Network::random(architecture, 1).expect("the shapes are within bounds");
        let inference = Inference::new(&network);
        let mut positions = positions(features).into_iter().cycle();
        group.bench_function(format!("{features}->{hidden:?}->1"), |bencher| {
            let position = positions.next().expect("a cycle has no end");
            bencher.iter(|| inference.forward(black_box(&position)));
        });
    }
    group.finish();
}

/// Unfinished positions of random games, each with the positions that its moves lead to.
fn families() -> Vec<(Position, Vec<Position>)> {
    let mut random = seed::stream(&[1]);
    let parents =
        (1..=60).filter_map(|plies| random_line(&Position::start(&()), plies, &mut random));
    let family = |parent: Position| {
        let moves = parent.moves();
        let children = moves.iter().map(|mv| parent.play(*mv));
        (parent, children.collect())
    };
    parents.map(family).collect()
}

/// Every child of every family by floats, by fresh integers, and by sums that follow the moves.
fn bodies<F: FeatureSet<Position>>(criterion: &mut Criterion, hidden: &[usize]) {
    let architecture = Architecture {
        game: Position::NAME.to_owned(),
        features: FeatureId::of::<Position, F>(),
        hidden: hidden.to_vec(),
        activation: Activation::ScRelu,
    };
    let network = Network::random(architecture, 1).expect("the shapes are within bounds");
    let families = families();
    let mut group = criterion.benchmark_group(format!("bodies/{}->{hidden:?}->1", F::NAME));
    group.warm_up_time(Duration::from_secs(1));
    group.measurement_time(Duration::from_secs(2));
    let children = families
        .iter()
        .map(|(_, children)| children.len())
        .sum::<usize>();
    group.throughput(Throughput::Elements(children as u64));

    let mut float = NeuralEvaluation::<_, F>::new(Arc::new(Inference::new(&network)));
    group.bench_function("float", |bencher| {
        bencher.iter(|| {
            for child in families.iter().flat_map(|(_, children)| children) {
                black_box(float.evaluate(child));
            }
        });
    });
    let quantized = Quantized::new(&network, F::MAX_ACTIVE).expect("fresh weights are small");
    for (instructions, quantized) in [
        ("best", quantized.clone()),
        ("portable", quantized.portable()),
    ] {
        let mut accumulator = Accumulator::<_, F>::new(Arc::new(quantized));
        group.bench_function(format!("integer, fresh, {instructions}"), |bencher| {
            bencher.iter(|| {
                for child in families.iter().flat_map(|(_, children)| children) {
                    black_box(accumulator.score(child));
                }
            });
        });
        group.bench_function(format!("integer, following, {instructions}"), |bencher| {
            bencher.iter(|| {
                for (parent, children) in &families {
                    for child in children {
                        accumulator.push(parent, child);
                        black_box(accumulator.score(child));
                        accumulator.pop();
                    }
                }
            });
        });
    }
    group.finish();
}

fn all_bodies(criterion: &mut Criterion) {
    for hidden in [&[32, 16], &[64, 16]] {
        bodies::<Points>(criterion, hidden);
        bodies::<Steps>(criterion, hidden);
    }
}

criterion_group!(benches, forward, all_bodies);
criterion_main!(benches);
