//! Tests of manifests.

use std::fs;

use std::path::PathBuf;

use proptest::prelude::*;

use super::super::tests::{header, sample, write_shard};
use super::*;
use crate::games::bagh_chal::Position;

proptest! {
    #[test]
    fn any_counts_are_rejected_or_round_trip(
        counts in prop::collection::vec(prop_oneof![0_u64..20, any::<u64>()], 9),
        games in prop_oneof![0_u32..20, any::<u32>()],
    ) {
        let (_folder, path, mut manifest) = generation();
        let outcomes = &mut manifest.games.outcomes;
        [outcomes.max, outcomes.draw, outcomes.min, outcomes.none] =
            [counts[0], counts[1], counts[2], counts[3] % 2];
        (manifest.games.unique, manifest.duplicates) = (counts[4], counts[5]);
        let mut other = manifest.shards[0].clone();
        other.file = "b.shard".to_owned();
        other.first_game += other.games;
        (other.games, other.samples) = (games, counts[6]);
        (other.originals, other.bytes) = (counts[7], counts[8]);
        manifest.shards.push(other);
        if manifest.save(&path).is_ok() {
            prop_assert!(manifest.originals() <= manifest.samples());
            prop_assert_eq!(Manifest::load(&path).unwrap(), manifest);
        }
    }
}

#[test]
fn overflowing_counts_are_rejected_or_saturate() {
    let (_folder, path, mut manifest) = generation();
    manifest.games.outcomes.max = u64::MAX;
    assert!(manifest.save(&path).is_err());
    let (_folder, path, mut manifest) = generation();
    let mut other = ShardEntry {
        file: "b.shard".to_owned(),
        first_game: 17,
        games: 0,
        ..manifest.shards[0].clone()
    };
    (other.samples, other.originals, other.bytes) = (u64::MAX, u64::MAX, u64::MAX);
    manifest.shards.push(other);
    manifest.save(&path).unwrap();
    let read = Manifest::load(&path).unwrap();
    assert_eq!((read.samples(), read.bytes()), (u64::MAX, u64::MAX));
}

/// Creates a folder with a shard, and its manifest, not yet saved.
fn generation() -> (tempfile::TempDir, PathBuf, Manifest) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    let header = header(Augment::Write);
    let summary = write_shard(
        &folder.path().join("a.shard"),
        Augment::Write,
        8,
        &[sample(1), sample(3)],
    );
    let manifest = Manifest {
        shards: vec![ShardEntry::new("a.shard".to_owned(), &header, &summary)],
        games: GameCounts {
            outcomes: OutcomeCounts {
                max: 4,
                draw: 3,
                min: 3,
                none: 0,
            },
            unique: 9,
            cap_hits: 2,
            mean_length: 61.3,
        },
        duplicates: 1,
        game: header.game,
        seed: header.seed,
        generation: header.generation,
        network: header.network,
        tables: None,
        config: header.config,
        augment: header.augment,
    };
    (folder, path, manifest)
}

/// Returns the error of loading a manifest with `from` replaced by `to`.
fn edited(from: &str, to: &str) -> String {
    let (_folder, path, manifest) = generation();
    manifest.save(&path).unwrap();
    let json = fs::read_to_string(&path).unwrap();
    assert!(json.contains(from), "{json}");
    fs::write(&path, json.replacen(from, to, 1)).unwrap();
    Manifest::load(&path).unwrap_err().to_string()
}

#[test]
fn a_manifest_round_trips_with_its_shards() {
    let (_folder, path, manifest) = generation();
    manifest.save(&path).unwrap();
    let loaded = Manifest::load(&path).unwrap();
    assert_eq!(loaded, manifest);
    assert!(is_manifest(&fs::read(&path).unwrap()[..64]));
    assert!(!is_manifest(b"{\"format\": 1, \"state\": 2}"));
    assert_eq!((loaded.samples(), loaded.originals()), (12, 2));
    let shards = loaded.open_shards::<Position>(&path).unwrap();
    assert_eq!(shards[0].samples().count(), 12);
}

#[test]
fn seeds_beyond_the_precision_of_floats_round_trip() {
    let (_folder, path, manifest) = generation();
    let seed = u64::MAX - 1;
    Manifest { seed, ..manifest }.save(&path).unwrap();
    assert_eq!(Manifest::load(&path).unwrap().seed, seed);
}

#[test]
fn inconsistencies_are_reported() {
    for (from, to, reason) in [
        ("\"a.shard\"", "\"../a.shard\"", "not the name of a file"),
        ("\"a.shard\"", "\"/a.shard\"", "not the name of a file"),
        ("\"digest\": \"", "\"digest\": \"0", "digest of a.shard"),
        (
            "\"first_game\": 7",
            "\"first_game\": 4294967290",
            "largest game index",
        ),
        ("\"games\": 10", "\"games\": 11", "10 of 11 games"),
        ("\"samples\": 12", "\"samples\": 1", "more base samples"),
        (
            "\"unique\": 9",
            "\"unique\": 11",
            "more unique or drawn games",
        ),
        (
            "\"cap_hits\": 2",
            "\"cap_hits\": 4",
            "more unique or drawn games",
        ),
        ("61.3", "-61.3", "not a valid game length"),
        (
            "\"duplicates\": 1",
            "\"duplicates\": 3",
            "3 of 2 base samples",
        ),
        (
            "\"seed\": 42",
            "\"seed\": 42, \"extra\": 1",
            "unknown field",
        ),
        (
            "\"format\": 1",
            "\"format\": 2",
            "has format version 2; this program reads version 1",
        ),
        ("{", "", "is not a manifest"),
    ] {
        let error = edited(from, to);
        assert!(error.contains(reason), "{error}");
        assert!(error.contains("manifest.json"), "{error}");
    }
}

#[test]
fn gaps_and_repetitions_between_shards_are_reported() {
    let (_folder, path, mut manifest) = generation();
    let second = ShardEntry {
        file: "b.shard".to_owned(),
        first_game: 18,
        ..manifest.shards[0].clone()
    };
    manifest.shards.push(second);
    let error = manifest.save(&path).unwrap_err().to_string();
    assert!(
        error.contains("starts with game 18 instead of game 17"),
        "{error}"
    );
    manifest.shards[1].file = "a.shard".to_owned();
    let error = manifest.save(&path).unwrap_err().to_string();
    assert!(error.contains("lists a.shard twice"), "{error}");
    assert!(!path.exists());
}

#[test]
fn another_shard_of_the_same_name_is_rejected() {
    let (folder, path, manifest) = generation();
    let shard = folder.path().join("a.shard");
    for (augment, samples, reason) in [
        (Augment::Write, [sample(1), sample(2)], "the digest differs"),
        (Augment::Read, [sample(1), sample(3)], "the header differs"),
    ] {
        write_shard(&shard, augment, 8, &samples);
        let error = manifest
            .open_shards::<Position>(&path)
            .unwrap_err()
            .to_string();
        assert!(error.contains(reason), "{error}");
        assert!(error.contains("a.shard"), "{error}");
    }
    fs::remove_file(&shard).unwrap();
    let error = manifest
        .open_shards::<Position>(&path)
        .unwrap_err()
        .to_string();
    assert!(error.contains("a.shard"), "{error}");
}
