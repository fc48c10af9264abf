use std::fs;

use super::super::tests::{header, sample};
use super::*;
use crate::game::{Notation as _, Outcome};
use crate::games::bagh_chal::Position;
use crate::shard::{Augment, verify};
use crate::workers::pool;

fn of(index: usize, game: u32, ply: u16) -> Sample<Position> {
    Sample {
        game,
        ply,
        ..sample(index)
    }
}

/// Writes a shard of a generation with the games from the first to the last of the samples.
fn write(path: &Path, generation: u32, augment: Augment, samples: &[Sample<Position>]) {
    let (first, last) = (samples[0].game, samples[samples.len() - 1].game);
    let header = ShardHeader {
        generation,
        first_game: first,
        games: last - first + 1,
        ..header(augment)
    };
    let mut writer = ShardWriter::create(path, &header, Existing::Replace).unwrap();
    for sample in samples {
        writer.push(sample).unwrap();
    }
    writer.finish().unwrap();
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn shard(&self, name: &str, generation: u32, samples: &[Sample<Position>]) -> PathBuf {
        let path = self.path(name);
        write(&path, generation, Augment::Write, samples);
        path
    }

    fn merge(
        &self,
        out: &str,
        inputs: &[PathBuf],
        filter: Filter<'_, Position>,
    ) -> Result<Merged, MergeError> {
        let out = self.path(out);
        let job = MergeJob {
            inputs: open_inputs(inputs)?,
            filter,
            record: FilterRecord::default(),
            shard_originals: 4,
            out: &out,
        };
        job.run(&Interrupt::default(), &Reporter::new(true))
    }

    /// Returns generation and sample of all base samples of a valid collection.
    fn samples(&self, out: &str) -> Vec<(u32, Sample<Position>)> {
        let path = self.path(out).join(MANIFEST_FILE);
        let shards = Listing::load(&path)
            .unwrap()
            .open_shards::<Position>(&path)
            .unwrap();
        let mut all = Vec::new();
        for shard in shards {
            verify::<Position>(shard.path(), &pool(1).unwrap()).unwrap();
            let generation = shard.header().generation;
            all.extend(
                shard
                    .originals()
                    .map(|sample| (generation, sample.unwrap())),
            );
        }
        all
    }
}

#[test]
fn games_keep_their_numbers_and_repeated_samples_are_merged() {
    let folder = Folder::new();
    let old = [of(0, 3, 0), of(1, 3, 1), of(3, 9, 1)];
    let new: Vec<_> = (0..10).map(|game| of(1, game, 1)).collect();
    let (a, b) = (folder.shard("a", 1, &old), folder.shard("b", 2, &new));
    // A part of b, with one additional sample in the middle of a game.
    let mut part = new[4..6].to_vec();
    part.insert(0, of(0, 4, 0));
    let part = folder.shard("part", 2, &part);
    let inputs = [b.clone(), part.clone(), a.clone(), a.clone()];
    let merged = folder.merge("out", &inputs, Filter::default()).unwrap();
    let report = MergeReport {
        read: 19,
        repeated: 5,
        kept: 14,
        ..MergeReport::default()
    };
    assert_eq!(merged.report, report);
    let mut expected: Vec<_> = old.iter().map(|sample| (1, *sample)).collect();
    expected.extend(new.iter().map(|sample| (2, *sample)));
    expected.insert(3 + 4, (2, of(0, 4, 0)));
    assert_eq!(folder.samples("out"), expected);
    let shards: Vec<_> = merged
        .collection
        .shards
        .iter()
        .map(|shard| {
            let header = &shard.header;
            (shard.file.as_str(), header.first_game, header.games)
        })
        .collect();
    let expected = [
        ("shard-001-00000.bin", 3, 7),
        ("shard-002-00000.bin", 0, 4),
        ("shard-002-00001.bin", 4, 3),
        ("shard-002-00002.bin", 7, 3),
    ];
    assert_eq!(shards, expected);
    // Another order gives the same bytes.
    let mut inputs = inputs;
    inputs.reverse();
    folder.merge("again", &inputs, Filter::default()).unwrap();
    for file in merged
        .collection
        .shards
        .iter()
        .map(|shard| shard.file.as_str())
        .chain([MANIFEST_FILE])
    {
        let read = |out: &str| fs::read(folder.path(out).join(file)).unwrap();
        assert_eq!(read("out"), read("again"), "{file}");
    }
    // A collection can replace its shards as an input.
    let listed = [folder.path("out").join(MANIFEST_FILE)];
    folder.merge("copy", &listed, Filter::default()).unwrap();
    assert_eq!(folder.samples("copy"), folder.samples("out"));
}

#[test]
fn filtered_samples_are_excluded_and_counted() {
    let folder = Folder::new();
    let samples = [of(0, 1, 0), of(2, 2, 7), of(3, 2, 3)];
    let inputs: Vec<_> = (1..=3)
        .map(|generation| folder.shard(&generation.to_string(), generation, &samples))
        .collect();
    let start = |position: &Position| position.format_position().ends_with("s 20");
    let merged = folder
        .merge(
            "out",
            &inputs,
            Filter {
                generations: 2..=3,
                outcomes: Some(vec![Some(Outcome::Min), Some(Outcome::Draw)]),
                positions: Some(&start),
                fold: false,
            },
        )
        .unwrap();
    assert_eq!(folder.samples("out"), [(2, samples[0]), (3, samples[0])]);
    let report = MergeReport {
        read: 9,
        other_generations: 3,
        filtered: 4,
        kept: 2,
        ..MergeReport::default()
    };
    assert_eq!(merged.report, report);
    folder
        .merge(
            "none",
            &inputs,
            Filter {
                outcomes: Some(vec![None]),
                ..Filter::default()
            },
        )
        .unwrap();
    assert!(
        folder
            .samples("none")
            .iter()
            .all(|(_, sample)| sample.ply == 7)
    );
}

#[test]
fn folding_keeps_the_first_sample_of_the_newest_generation() {
    let folder = Folder::new();
    let turned = |score, game| Sample {
        position: sample(3).position.transformed(5),
        score,
        ..of(3, game, 2)
    };
    let old = folder.shard("old", 1, &[of(3, 1, 1), of(0, 2, 0)]);
    let new = folder.shard("new", 2, &[turned(0.5, 5), turned(0.75, 6), of(1, 6, 4)]);
    let filter = Filter {
        fold: true,
        ..Filter::default()
    };
    let merged = folder.merge("out", &[old, new], filter).unwrap();
    let expected = [(1, of(0, 2, 0)), (2, turned(0.5, 5)), (2, of(1, 6, 4))];
    assert_eq!(folder.samples("out"), expected);
    assert_eq!((merged.report.folded, merged.report.kept), (2, 3));
}

#[test]
fn incompatible_inputs_are_rejected_without_output() {
    let folder = Folder::new();
    let a = folder.shard("a", 1, &[of(0, 1, 0)]);
    let read = folder.path("read");
    write(&read, 1, Augment::Read, &[of(0, 1, 0)]);
    let note = folder.path("note");
    fs::write(&note, "a note").unwrap();
    let refusal = |inputs: &[PathBuf], filter| {
        let error = folder.merge("out", inputs, filter).unwrap_err().to_string();
        assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3, "{error}");
        error
    };
    let error = refusal(&[a.clone(), read.clone()], Filter::default());
    assert!(
        error.contains("symmetric copies") && error.contains("read"),
        "{error}"
    );
    let error = refusal(&[a.clone(), note], Filter::default());
    assert!(error.contains("note is neither a shard nor"), "{error}");
    let nothing = Filter {
        generations: 4..=5,
        ..Filter::default()
    };
    assert!(refusal(std::slice::from_ref(&a), nothing).contains("no sample of 1 passes"));
    let mut bytes = fs::read(&a).unwrap();
    let place = bytes.len() - 70;
    bytes[place] ^= 1;
    fs::write(&a, bytes).unwrap();
    let error = refusal(&[a], Filter::default());
    assert!(error.contains("block 0 of the shard"), "{error}");
}

#[test]
fn different_games_of_one_number_are_rejected_but_parts_of_a_game_merge() {
    let folder = Folder::new();
    // Sample 2 has a random move; the others may be off-game positions.
    let game = folder.shard("game", 1, &[of(1, 3, 4), of(3, 3, 5), of(2, 3, 6)]);
    let part = folder.shard("part", 1, &[of(0, 3, 5), of(2, 3, 6), of(1, 3, 6)]);
    folder
        .merge("parts", &[game.clone(), part], Filter::default())
        .unwrap();
    let other = Sample {
        score: 0.125,
        ..of(2, 3, 6)
    };
    let other = folder.shard("other", 1, &[other]);
    let error = folder
        .merge("both", &[game, other], Filter::default())
        .unwrap_err()
        .to_string();
    for words in ["game 3 of one run", "game", "other"] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn an_existing_folder_is_kept_and_an_interrupt_leaves_no_output() {
    let folder = Folder::new();
    let a = folder.shard("a", 1, &[of(0, 1, 0)]);
    folder
        .merge("out", std::slice::from_ref(&a), Filter::default())
        .unwrap();
    let error = folder
        .merge("out", std::slice::from_ref(&a), Filter::default())
        .unwrap_err();
    assert!(
        matches!(error, MergeError::File(FileError::Exists { .. })),
        "{error}"
    );
    assert_eq!(folder.samples("out").len(), 1);
    let interrupt = Interrupt::default();
    interrupt.request();
    let out = folder.path("stopped");
    let job = MergeJob {
        inputs: open_inputs::<Position>(&[a]).unwrap(),
        filter: Filter::default(),
        record: FilterRecord::default(),
        shard_originals: 4,
        out: &out,
    };
    let error = job.run(&interrupt, &Reporter::new(true)).unwrap_err();
    assert!(matches!(error, MergeError::Interrupted), "{error}");
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2);
}
