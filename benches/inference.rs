//! Time of one evaluation by the hand-written forward pass, for the shapes in question.
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot run should stop, and its shapes are constants"
)]

use std::hint::black_box;

use bagheera::network::{Activation, Architecture, FeatureId, Inference, Network};
use criterion::{Criterion, criterion_group, criterion_main};

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

criterion_group!(benches, forward);
criterion_main!(benches);
