//! How fast shards are written and read, in samples a second with the images counted.

#![expect(clippy::unwrap_used, reason = "a bench that fails has to stop")]

use std::hint::black_box;
use std::path::Path;

use bagheera::files::Existing;
use bagheera::game::Game;
use bagheera::games::bagh_chal::Position;
use bagheera::seed::stream;
use bagheera::shard::{
    Augment, Sample, Samples, ShardHeader, ShardReader, ShardSummary, ShardWriter, verify,
};
use bagheera::workers::pool;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use sha2::{Digest as _, Sha256};

const GAMES: u32 = 200;

/// Every position of random games.
fn samples() -> Vec<Sample<Position>> {
    let mut samples = Vec::new();
    for game in 0..GAMES {
        let mut random = stream(&[u64::from(game)]);
        let mut position = Position::start(&());
        for ply in 0..80 {
            if position.outcome().is_some() {
                break;
            }
            samples.push(Sample {
                position,
                score: random.random_range(-4.0..4.0),
                outcome: None,
                ply,
                game,
                noisy: false,
                random: true,
                original: true,
            });
            let moves = position.moves();
            position = position.play(moves[random.random_range(0..moves.len())]);
        }
    }
    samples
}

fn write(path: &Path, augment: Augment, samples: &[Sample<Position>]) -> ShardSummary {
    let header = ShardHeader {
        game: Position::NAME.to_owned(),
        seed: 1,
        generation: 1,
        network: None,
        config: String::new(),
        first_game: 0,
        games: GAMES,
        augment,
    };
    let mut writer = ShardWriter::create(path, &header, Existing::Replace).unwrap();
    for sample in samples {
        writer.push(sample).unwrap();
    }
    writer.finish().unwrap()
}

fn consume(samples: Samples<'_, Position>) {
    for sample in samples {
        black_box(sample.unwrap());
    }
}

fn bench(criterion: &mut Criterion) {
    let samples = samples();
    let folder = tempfile::tempdir().unwrap();
    let pool = pool(0).unwrap();
    for augment in [Augment::Write, Augment::Read] {
        let path = folder.path().join("bench.shard");
        let summary = write(&path, augment, &samples);
        println!(
            "{augment:?}: {} originals, {} samples, {:.2} bytes a sample",
            summary.originals,
            summary.samples,
            summary.bytes as f64 / summary.samples as f64
        );
        let mut group = criterion.benchmark_group(format!("augment on {augment:?}"));
        group.throughput(Throughput::Elements(summary.samples));
        group.sample_size(20);
        group.bench_function("write", |bencher| {
            bencher.iter(|| write(&path, augment, &samples));
        });
        group.bench_function("open", |bencher| {
            bencher.iter(|| ShardReader::<Position>::open(&path).unwrap());
        });
        let reader = ShardReader::<Position>::open(&path).unwrap();
        group.bench_function("read", |bencher| {
            bencher.iter(|| consume(reader.samples()));
        });
        group.bench_function("read originals", |bencher| {
            bencher.iter(|| consume(reader.originals()));
        });
        group.bench_function("verify", |bencher| {
            bencher.iter(|| verify::<Position>(&path, &pool).unwrap());
        });
        // What bounds it: the digest, which one thread computes.
        let bytes = std::fs::read(&path).unwrap();
        group.bench_function("digest", |bencher| {
            bencher.iter(|| black_box(Sha256::digest(&bytes)));
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
