//! Time of an evaluation by the forward pass in integers.
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
use bagheera::network::{Accumulator, Activation, Architecture, FeatureId, Network, Quantized};
use bagheera::seed;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Positions with 20 of `features` features active, distributed as on a Bagh-Chal board.
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
        let set = FeatureId {
            name: "bench".into(),
            version: 1,
            size: features,
            views: 1,
        };
        let architecture = Architecture::new("bagh-chal", set, hidden, Activation::ScRelu);
        let network = Network::random(architecture, 1).expect("the shapes are within bounds");
        let inference = Quantized::new(&network, 20).expect("fresh weights are small");
        let mut positions = positions(features).into_iter().cycle();
        group.bench_function(format!("{features}->{hidden:?}->1"), |bencher| {
            let position = positions.next().expect("a cycle has no end");
            bencher.iter(|| inference.forward(&[black_box(&position)], 0));
        });
    }
    group.finish();
}

/// Returns unfinished positions of random games, each with its children.
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

/// Times every child of every family from scratch and with an accumulator.
fn accumulators<F: FeatureSet<Position>>(criterion: &mut Criterion, hidden: &[usize]) {
    let features = FeatureId::of::<Position, F>();
    let architecture = Architecture::new(Position::NAME, features, hidden, Activation::ScRelu);
    let network = Network::random(architecture, 1).expect("the shapes are within bounds");
    let families = families();
    let mut group = criterion.benchmark_group(format!("accumulators/{}->{hidden:?}->1", F::NAME));
    group.warm_up_time(Duration::from_secs(1));
    group.measurement_time(Duration::from_secs(2));
    let children = families
        .iter()
        .map(|(_, children)| children.len())
        .sum::<usize>();
    group.throughput(Throughput::Elements(children as u64));

    let quantized = Quantized::new(&network, F::MAX_ACTIVE).expect("fresh weights are small");
    for (instructions, quantized) in [
        ("best", quantized.clone()),
        ("portable", quantized.portable()),
    ] {
        let mut accumulator = Accumulator::<_, F>::new(Arc::new(quantized));
        group.bench_function(format!("fresh, {instructions}"), |bencher| {
            bencher.iter(|| {
                for child in families.iter().flat_map(|(_, children)| children) {
                    black_box(accumulator.score(child));
                }
            });
        });
        group.bench_function(format!("following, {instructions}"), |bencher| {
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

fn all_accumulators(criterion: &mut Criterion) {
    for hidden in [&[32, 16], &[64, 16]] {
        accumulators::<Points>(criterion, hidden);
        accumulators::<Steps>(criterion, hidden);
    }
}

criterion_group!(benches, forward, all_accumulators);
criterion_main!(benches);
