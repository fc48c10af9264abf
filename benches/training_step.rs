//! Time of one gradient step on the CPU, and so the positions a second of training.
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot run should stop, and its shapes are constants"
)]

use bagheera::features::EncodedPositions;
use bagheera::network::{Activation, Architecture, FeatureId, Weights};
use bagheera::training::{Batch, DeviceChoice, GradientDescent, GradientDescentSettings, Loss};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

// The allocator of the program: the system's returns a step's large tensors after each use, and
// page faults then take as long as the step.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BATCH: usize = 4096;
const FEATURES: usize = 77;

/// Positions with 20 features active, distributed as on a Bagh-Chal board.
fn batch() -> Batch {
    let mut positions = EncodedPositions::with_capacity(1, BATCH, 20);
    let mut targets = Vec::new();
    for position in 0..BATCH {
        let active = (0..20).map(|piece| ((piece * 37 + position * 11) % FEATURES) as u16);
        positions.push(&[&active.collect::<Vec<_>>()], 0);
        targets.push((position % 10) as f32 / 10.0);
    }
    Batch::new(FEATURES, positions, targets)
}

fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("training_step");
    group.throughput(Throughput::Elements(BATCH as u64));
    for hidden in [&[32, 16][..], &[64, 32]] {
        let features = FeatureId {
            name: "bench".into(),
            version: 1,
            size: FEATURES,
            views: 1,
        };
        let architecture = Architecture::new("bagh-chal", features, hidden, Activation::ScRelu);
        let settings = GradientDescentSettings {
            loss: Loss::CrossEntropy,
            weight_clip: Some(1.98),
            weight_decay: 0.01,
        };
        let weights = Weights::random(&architecture, 1);
        let mut descent =
            GradientDescent::new(&architecture, &weights, &settings, DeviceChoice::Cpu)
                .expect("the weights fit the architecture");
        let batch = batch();
        group.bench_function(format!("{FEATURES}->{hidden:?}->1"), |bencher| {
            bencher.iter(|| descent.step(&batch, 1e-4).expect("the loss is finite"));
        });
    }
    group.finish();
}

criterion_group!(benches, step);
criterion_main!(benches);
