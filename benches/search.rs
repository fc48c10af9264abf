//! Move generation, evaluations and the search: `cargo bench --bench search`.

#![allow(
    missing_docs,
    reason = "the macros of criterion make items without docs"
)]

use std::hint::black_box;
use std::sync::Arc;

use bagheera::features::FeatureSet;
use bagheera::game::Game;
use bagheera::games::bagh_chal::{ClaudeEvaluation, MaterialEvaluation, Points, Position};
use bagheera::kit::Kit;
use bagheera::network::{
    Activation, Architecture, FeatureId, Network, NeuralEvaluation, Quantized,
};
use bagheera::perft::perft;
use bagheera::search::{Evaluation, Limits, NoCache, Player, Search, TranspositionTable};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn network(hidden: &[usize]) -> NeuralEvaluation<Position, Points> {
    let architecture = Architecture::new(
        Position::NAME,
        FeatureId::of::<Position, Points>(),
        hidden,
        Activation::ScRelu,
    );
    let Ok(network) = Network::random(architecture, 1) else {
        panic!("the architecture is a sound one");
    };
    let Ok(quantized) = Quantized::new(&network, Points::MAX_ACTIVE) else {
        panic!("the weights of a new network are small");
    };
    NeuralEvaluation::new(Arc::new(quantized))
}

fn move_generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    let positions = Position::bench_positions();
    for (name, position, depth) in [("start", positions[0], 4), ("sliding", positions[9], 6)] {
        group.throughput(Throughput::Elements(perft(&position, depth)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| perft(black_box(&position), depth));
        });
    }
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    let positions = Position::bench_positions();
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: String, evaluation: &mut dyn Evaluation<Position>| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                positions
                    .iter()
                    .map(|position| evaluation.evaluate(position))
                    .sum::<f32>()
            });
        });
    };
    bench("material".to_owned(), &mut MaterialEvaluation);
    bench("claude".to_owned(), &mut ClaudeEvaluation);
    for hidden in [&[32, 16][..], &[64, 32]] {
        bench(format!("network {hidden:?}"), &mut network(hidden));
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    let start = Position::start(&());
    let limits = Limits::depth(6);
    let mut bench = |name: &str, player: &mut dyn Player<Position>| {
        let nodes = player.pick_move(&start, &[]).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_with_input(BenchmarkId::new(name, nodes), &start, |bencher, start| {
            bencher.iter(|| {
                player.new_game(0);
                player.pick_move(start, &[])
            });
        });
    };
    let table = || TranspositionTable::new(16);
    bench(
        "material, no table",
        &mut Search::new(MaterialEvaluation, NoCache, limits),
    );
    bench(
        "material",
        &mut Search::new(MaterialEvaluation, table(), limits),
    );
    bench(
        "claude",
        &mut Search::new(ClaudeEvaluation, table(), limits),
    );
    bench(
        "network",
        &mut Search::new(network(&[32, 16]), table(), limits),
    );
    group.finish();
}

criterion_group!(benches, move_generation, evaluation, search);
criterion_main!(benches);
