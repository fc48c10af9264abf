//! Time of one gradient step on the CPU, and so the positions a second of training.
#![expect(
    clippy::expect_used,
    reason = "a bench that cannot run should stop, and its shapes are constants"
)]

use bagheera::network::{Activation, Architecture, FeatureId, Weights};
use bagheera::training::{Batch, DeviceChoice, Fit, FitConfig, Loss};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

// The program's own: the system's allocator returns a step's large tensors after each use, and
// faulting their pages in again takes as long as the step itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BATCH: usize = 4096;
const FEATURES: usize = 77;

/// Positions with 20 features active, spread as a Bagh-Chal board spreads them.
fn batch() -> Batch {
    let mut batch = Batch::with_capacity(FEATURES, BATCH);
    for position in 0..BATCH {
        let active = (0..20).map(|piece| (piece * 37 + position * 11) % FEATURES);
        batch.push(active, (position % 10) as f32 / 10.0);
    }
    batch
}

fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("training_step");
    group.throughput(Throughput::Elements(BATCH as u64));
    for hidden in [&[32, 16][..], &[64, 32]] {
        let architecture = Architecture {
            game: "bagh-chal".into(),
            features: FeatureId {
                name: "bench".into(),
                version: 1,
                size: FEATURES,
            },
            hidden: hidden.to_vec(),
            activation: Activation::ScRelu,
        };
        let config = FitConfig {
            loss: Loss::CrossEntropy,
            weight_clip: Some(1.98),
            weight_decay: 0.01,
        };
        let weights = Weights::random(&architecture, 1);
        let mut fit = Fit::new(&architecture, &weights, &config, DeviceChoice::Cpu)
            .expect("the settings are within bounds");
        let batch = batch();
        group.bench_function(format!("{FEATURES}->{hidden:?}->1"), |bencher| {
            bencher.iter(|| fit.step(&batch, 1e-4).expect("the loss is finite"));
        });
    }
    group.finish();
}

criterion_group!(benches, step);
criterion_main!(benches);
