//! Probes of the endgame tables in random order, on one core: `cargo bench --bench endgame`. The
//! tables up to one sheep in hand are built first, which takes half a CPU-minute.

#![allow(
    missing_docs,
    reason = "the macros of criterion make items without docs"
)]

use std::hint::black_box;

use bagheera::game::ExactValues as _;
use bagheera::games::bagh_chal::endgame::{Cell, Tables, build};
use bagheera::games::bagh_chal::{Position, Turn};
use bagheera::interrupt::Interrupt;
use bagheera::reporter::Reporter;
use bagheera::seed;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Positions of a kind, more than caches hold the entries of.
const POSITIONS: usize = 1 << 20;

/// Random positions of all cells that `belongs` holds for, finished ones included.
fn positions(belongs: impl Fn(&Position) -> bool) -> Vec<Position> {
    let cells = Cell::up_to(1);
    let mut rng = seed::stream(&[1]);
    let all = cells
        .iter()
        .cycle()
        .map(|cell| cell.random_position(&mut rng));
    all.filter(belongs).take(POSITIONS).collect()
}

fn probes(criterion: &mut Criterion) {
    let Ok(folder) = tempfile::tempdir() else {
        panic!("there is no folder for temporary files");
    };
    let built = build(
        folder.path(),
        1,
        &Interrupt::default(),
        &Reporter::new(true),
    );
    let Ok(tables) = built.and_then(|()| Tables::open(folder.path())) else {
        panic!("the tables cannot be built in {}", folder.path().display());
    };
    let mut group = criterion.benchmark_group("probe");
    group.sample_size(20);
    group.throughput(Throughput::Elements(POSITIONS as u64));
    let mut bench = |name: &str, in_hand: u32, turn: Turn| {
        let positions =
            positions(|position| position.board.sheep_left() == in_hand && position.turn == turn);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let known = positions.iter().filter_map(|p| tables.probe(black_box(p)));
                known.filter_map(|exact| exact.plies).sum::<u32>()
            });
        });
    };
    bench("sliding, tigers to move", 0, Turn::Tiger);
    bench("sliding, sheep to move", 0, Turn::Sheep);
    bench("one in hand, sheep to move", 1, Turn::Sheep);
    bench("one in hand, tigers to move", 1, Turn::Tiger);
    group.finish();
}

criterion_group!(benches, probes);
criterion_main!(benches);
