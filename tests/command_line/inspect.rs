//! `bagheera inspect`, of files that the library writes.

use std::fs;
use std::path::{Path, PathBuf};

use bagheera::files::Existing;
use bagheera::game::{Game, Notation, Outcome};
use bagheera::games::bagh_chal::{Points, Position};
use bagheera::kit::Kit as _;
use bagheera::network::{Activation, Architecture, FeatureId, Network};
use bagheera::shard::{
    Augment, GameCounts, Manifest, OutcomeCounts, Sample, ShardEntry, ShardHeader, ShardReader,
    ShardSummary, ShardWriter,
};
use serde_json::Value;
use tempfile::TempDir;

use crate::{bagheera, error, error_line, json, members, output, text};

/// Games of the shard.
const GAMES: u32 = 600;
/// Samples of a game: the start, alone, and a position with eight images.
const SAMPLES: usize = 9;

fn header() -> ShardHeader {
    ShardHeader {
        game: Position::NAME.to_owned(),
        seed: 42,
        generation: 3,
        network: None,
        config: "c0ffee".to_owned(),
        first_game: 100,
        games: GAMES,
        augment: Augment::Write,
    }
}

fn sample(position: &str, game: u32, ply: u16) -> Sample<Position> {
    Sample {
        position: Position::parse_position(position).unwrap(),
        score: f32::from(ply) * -1.5,
        outcome: Some(if game.is_multiple_of(4) {
            Outcome::Max
        } else {
            Outcome::Min
        }),
        ply,
        game,
        noisy: false,
        random: ply == 1,
        original: true,
    }
}

/// Writes a shard of two blocks.
fn write_shard(path: &Path) -> ShardSummary {
    let mut writer = ShardWriter::create(path, &header(), Existing::Replace).unwrap();
    for game in 100..100 + GAMES {
        writer.push(&sample("T3T/5/5/5/T3T s 20", game, 0)).unwrap();
        writer
            .push(&sample("TS2T/5/5/5/T3T t 19", game, 1))
            .unwrap();
    }
    writer.finish().unwrap()
}

/// A folder with a shard in it.
fn shard() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.shard");
    write_shard(&path);
    (folder, path)
}

/// Where block `index` begins.
fn block(path: &Path, index: usize) -> usize {
    let reader = ShardReader::<Position>::open(path).unwrap();
    assert_eq!(reader.blocks().len(), 2);
    reader.blocks()[index].offset() as usize
}

fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_shard_is_checked_and_described() {
    let (_folder, path) = shard();
    let said = output(&["inspect", words(&path)]);
    for line in [
        "a.shard: a shard, intact",
        "bagh-chal, generation 3 of seed 42",
        "600 from number 100 on",
        "5400 with symmetric copies, 1200 without, of 600 games",
        "2 distinct, 1198 duplicates",
        "the move was noisy in 0, random in 600",
        "tiger     draw    sheep",
        "all            1200   25.0 %    0.0 %   75.0 %       0",
        "0 dead         1200",
        "   -2 to -1       600 ████",
        "   below 10      1200 ████",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn a_shard_as_json_has_header_totals_and_statistics() {
    let (_folder, path) = shard();
    let shard = json(&["inspect", words(&path), "--json"]);
    assert_eq!(
        members(&shard),
        ["file", "kind", "header", "summary", "samples"]
    );
    assert_eq!(shard["kind"], "shard");
    assert_eq!(shard["header"]["seed"], 42);
    assert_eq!(shard["summary"]["blocks"], 2);
    assert_eq!(shard["summary"]["samples"], 5400);
    assert_eq!(shard["samples"]["outcomes"]["max"], 300);
    assert_eq!(shard["samples"]["strata"][0]["outcomes"]["min"], 900);
}

#[test]
fn samples_are_printed_the_first_or_all() {
    let (_folder, path) = shard();
    let said = output(&["inspect", words(&path), "--samples", "3"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], "T3T/5/5/5/T3T s 20\t-0\ttiger\t0\t100\t-");
    assert_eq!(lines[1], "TS2T/5/5/5/T3T t 19\t-1.5\ttiger\t1\t100\trandom");
    assert!(lines[2].ends_with("\t100\trandom,image"), "{said}");
    let all = output(&["inspect", words(&path), "--text"]);
    assert_eq!(all.lines().count(), SAMPLES * GAMES as usize);
    assert!(all.starts_with(&said));
    let last = all.lines().last().unwrap();
    assert!(last.contains("\tsheep\t1\t699\t"), "{last}");
    let limited = output(&["inspect", words(&path), "--text", "--samples", "3"]);
    assert_eq!(limited, said);
    let objects = output(&["inspect", words(&path), "--text", "--json"]);
    assert_eq!(objects.lines().count(), SAMPLES * GAMES as usize);

    let said = output(&["inspect", words(&path), "--samples", "2", "--json"]);
    let samples: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(samples.len(), 2);
    assert_eq!(
        members(&samples[1]),
        [
            "position", "score", "outcome", "ply", "game", "noisy", "random", "original"
        ]
    );
    assert_eq!(samples[1]["position"], "TS2T/5/5/5/T3T t 19");
    assert_eq!(samples[1]["score"], -1.5);
    assert_eq!(samples[1]["outcome"], "tiger");

    let all = output(&["inspect", words(&path), "--samples", "999999"]);
    assert_eq!(all.lines().count(), SAMPLES * GAMES as usize);
}

#[test]
fn a_truncated_shard_is_refused_by_block_and_salvaged() {
    let (folder, path) = shard();
    let bytes = fs::read(&path).unwrap();
    let second = block(&path, 1);
    fs::write(&path, &bytes[..second + 1000]).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(said.contains("block 1 of the shard"), "{said}");
    assert!(said.contains("a.shard"), "{said}");
    assert!(said.contains(&format!("at byte {second}")), "{said}");
    assert!(said.contains("salvage"), "{said}");

    let out = folder.path().join("saved.shard");
    let salvage = ["inspect", words(&path), "--salvage", words(&out)];
    let report = output(&salvage);
    assert!(report.contains("in 1 blocks"), "{report}");
    assert!(report.contains("lost        1000 bytes"), "{report}");
    let saved = json(&["inspect", words(&out), "--json"]);
    let samples = saved["summary"]["samples"].as_u64().unwrap();
    assert!((4096..4096 + 8).contains(&samples), "{samples}");
    // What is there already stays.
    let said = error(&salvage, 1);
    assert!(said.contains("saved.shard already exists"), "{said}");
}

#[test]
fn a_flipped_bit_is_found_and_costs_its_block() {
    let (folder, path) = shard();
    let mut bytes = fs::read(&path).unwrap();
    let first = block(&path, 0);
    bytes[first + 500] ^= 4;
    fs::write(&path, &bytes).unwrap();
    for arguments in [
        &["inspect", words(&path), "--json"][..],
        &["inspect", words(&path), "--samples", "1"],
    ] {
        let said = error(arguments, 1);
        assert!(said.contains("block 0 of the shard"), "{said}");
    }
    let out = folder.path().join("saved.shard");
    let report = json(&["inspect", words(&path), "--salvage", words(&out), "--json"]);
    assert_eq!(report["whole_blocks"], 1);
    let saved = report["saved"]["samples"].as_u64().unwrap();
    assert_eq!(report["lost_samples"].as_u64().unwrap() + saved, 5400);
}

#[test]
fn a_flipped_bit_in_the_header_or_the_end_is_found() {
    let (_folder, path) = shard();
    let whole = fs::read(&path).unwrap();
    for (place, part) in [
        (30, "checksum of its header"),
        (whole.len() - 20, "end of the shard"),
    ] {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(&path, bytes).unwrap();
        let said = error(&["inspect", words(&path)], 1);
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn one_damaged_file_does_not_hide_the_others() {
    let (folder, path) = shard();
    let note = folder.path().join("note.txt");
    fs::write(&note, "a note").unwrap();
    let missing = folder.path().join("missing");
    let files = [&missing, &note, &path].map(|path| words(path));
    let assert = bagheera(&["inspect", files[0], files[1], files[2]]).assert();
    let assert = assert.code(1);
    assert!(text(&assert.get_output().stdout).contains("a.shard: a shard, intact"));
    let errors = text(&assert.get_output().stderr);
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("missing") && errors.contains("note.txt"));
    let assert = bagheera(&["inspect", files[1], files[2]]).assert().code(1);
    error_line(&assert);
}

#[test]
fn other_files_are_told_what_inspect_knows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note.txt");
    for content in ["a note", "", "{\"format\": 1, \"state\": {}}"] {
        fs::write(&path, content).unwrap();
        let said = error(&["inspect", words(&path)], 1);
        assert!(
            said.contains("note.txt is not a file that inspect recognizes"),
            "{said}"
        );
    }
    let said = error(&["inspect", words(folder.path())], 1);
    assert!(said.contains("cannot read"), "{said}");
}

#[test]
fn newer_versions_are_told_by_number() {
    let (folder, path) = shard();
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 7;
    fs::write(&path, bytes).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(
        said.contains("a.shard has format version 7, and this program reads version 1"),
        "{said}"
    );
    for kind in ["manifest", "collection"] {
        let list = folder.path().join("list.json");
        fs::write(&list, format!("{{\"format\": 7, \"{kind}\": {{}}}}")).unwrap();
        let said = error(&["inspect", words(&list)], 1);
        assert!(said.contains("list.json has format version 7"), "{said}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (_folder, path) = shard();
    let inspect = |threads| output(&["inspect", words(&path), "--json", "--threads", threads]);
    assert_eq!(inspect("1"), inspect("3"));
}

#[test]
fn games_are_counted_and_a_torn_end_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.games");
    let arguments = [
        "match",
        "claude@nodes=20",
        "random",
        "--pairs",
        "3",
        "--quiet",
        "--games",
        words(&path),
    ];
    output(&arguments);
    let said = output(&["inspect", words(&path)]);
    for words in [
        "match.games: a games file, intact",
        "6 in 3 complete pairs and 0 others",
        "points of 6 games",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let survey = json(&["inspect", words(&path), "--json"]);
    assert_eq!(
        members(&survey),
        ["file", "kind", "game", "whole", "survey"]
    );
    assert_eq!(
        (&survey["kind"], &survey["whole"]),
        (&"games".into(), &true.into())
    );
    assert_eq!(survey["survey"]["outcomes"]["none"], 0);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    let said = output(&["inspect", words(&path)]);
    assert!(said.contains("a games file, truncated"), "{said}");
    assert!(
        said.contains("5 in 2 complete pairs and 1 others"),
        "{said}"
    );
    let text = text(&bytes).replacen("[position", "[posit", 1);
    fs::write(&path, text).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(
        said.contains("match.games") && said.contains("line "),
        "{said}"
    );
    // A match that has not finished a game has a file, too.
    fs::write(&path, "").unwrap();
    assert!(output(&["inspect", words(&path)]).contains("0 in 0 complete pairs"));
}

#[cfg(not(feature = "train"))]
#[test]
fn what_needs_training_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint.bin");
    fs::write(&checkpoint, b"BagheerC\x02\0\0\0").unwrap();
    fs::write(folder.path().join("state.json"), "{}").unwrap();
    for (path, kind) in [(&*checkpoint, "checkpoint"), (folder.path(), "run")] {
        let said = error(&["inspect", words(path)], 1);
        assert!(said.contains(&format!("is a {kind}, which only")), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_no_hindrance() {
    use std::os::unix::ffi::OsStrExt as _;

    let (folder, path) = shard();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.shard");
    let renamed = folder.path().join(name);
    fs::rename(path, &renamed).unwrap();
    bagheera(&["inspect", "--json"])
        .arg(renamed)
        .assert()
        .success();
}

fn network(path: &Path) -> Network {
    let architecture = Architecture::new(
        Position::NAME,
        FeatureId::of::<Position, Points>(),
        &[16, 8],
        Activation::ScRelu,
    );
    let network = Network::random(architecture, 7).unwrap();
    network.save(path).unwrap();
    network
}

#[test]
fn a_network_is_checked_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.net");
    let network = network(&path);
    let said = output(&["inspect", words(&path)]);
    for words in [
        "best.net: a network, intact",
        "bagh-chal, generation 0 of seed 7",
        &network.digest(),
        "→ 16 → 8 → 1, squared clipped ReLU",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let description = json(&["inspect", words(&path), "--json"]);
    assert_eq!(description["kind"], "network");
    assert_eq!(description["digest"], network.digest());
    assert_eq!(
        description["parameters"],
        network.architecture().parameters()
    );
    assert_eq!(description["metadata"]["seed"], 7);

    let said = error(&["inspect", words(&path), "--samples", "1"], 2);
    assert!(said.contains("is a network, but --samples requires shards"));
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(said.contains("best.net is damaged"), "{said}");
}

#[test]
fn a_network_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.net");
    network(&path);
    let player = format!("neural:{}@depth=2", path.display());
    let analysis = json(&["analyze", "--player", &player, "--json"]);
    assert_eq!(analysis["moves"].as_array().unwrap().len(), 21);
}

#[test]
fn a_manifest_is_described_if_its_shards_are_the_ones_it_lists() {
    let (folder, shard) = shard();
    let summary = write_shard(&shard);
    let header = header();
    let path = folder.path().join("manifest.json");
    let manifest = Manifest {
        tables: None,
        shards: vec![ShardEntry::new("a.shard".to_owned(), &header, &summary)],
        games: GameCounts {
            outcomes: OutcomeCounts {
                max: 150,
                draw: 0,
                min: 450,
                none: 0,
            },
            unique: 599,
            cap_hits: 0,
            mean_length: 61.3,
        },
        duplicates: 1198,
        game: header.game,
        seed: header.seed,
        generation: header.generation,
        network: header.network,
        config: header.config,
        augment: header.augment,
    };
    manifest.save(&path).unwrap();
    let said = output(&["inspect", words(&path)]);
    for words in [
        "a manifest, consistent with its shards",
        "600, 599 of them unique; 150 tiger, 0 draw, 450 sheep",
        "5400 with symmetric copies, 1200 without, 1198 of them duplicates",
        "a.shard  games 100 to 699",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let description = json(&["inspect", words(&path), "--json"]);
    assert_eq!(description["kind"], "manifest");
    assert_eq!(description["manifest"]["shards"][0]["file"], "a.shard");

    fs::remove_file(&shard).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(said.contains("a.shard"), "{said}");
    let mut other =
        ShardWriter::<Position>::create(&shard, &self::header(), Existing::Keep).unwrap();
    other.push(&sample("T3T/5/5/5/T3T s 20", 100, 0)).unwrap();
    other.finish().unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(said.contains("the digest differs"), "{said}");
    fs::write(&path, &fs::read(&path).unwrap()[..200]).unwrap();
    let said = error(&["inspect", words(&path)], 1);
    assert!(said.contains("manifest.json is not a manifest"), "{said}");
}

#[test]
fn only_one_shard_is_salvaged_at_a_time() {
    let (_folder, path) = shard();
    let said = error(
        &["inspect", words(&path), words(&path), "--salvage", "x"],
        2,
    );
    assert!(said.contains("2 files are given"), "{said}");
}

/// The record and the bytes of an array.
fn array(folder: &Path, name: &str) -> (String, Vec<u8>) {
    let bytes = fs::read(folder.join(format!("{name}.npy"))).unwrap();
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let record = text(&bytes[10..10 + length]);
    assert!(record.ends_with(" \n"), "{record:?}");
    (record.trim_end().to_owned(), bytes[10 + length..].to_vec())
}

/// The values of an array, whose record is checked.
fn values<const N: usize, T>(
    folder: &Path,
    name: &str,
    kind: &str,
    shape: &str,
    read: fn([u8; N]) -> T,
) -> Vec<T> {
    let (record, bytes) = array(folder, name);
    let expected = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    assert_eq!(record, expected);
    let (values, rest) = bytes.as_chunks::<N>();
    assert!(rest.is_empty());
    values.iter().map(|value| read(*value)).collect()
}

#[test]
fn samples_are_exported_as_arrays() {
    let (folder, path) = shard();
    let reading = folder.path().join("b.shard");
    let beside = ShardHeader {
        augment: Augment::Read,
        ..header()
    };
    let mut writer = ShardWriter::create(&reading, &beside, Existing::Keep).unwrap();
    for (position, outcome) in [
        ("TS2T/5/5/5/T3T t 19", None),
        ("T3T/5/2S2/5/T3T t 19", Some(Outcome::Draw)),
    ] {
        let sample = Sample {
            outcome,
            ..sample(position, 101, 3)
        };
        writer.push(&sample).unwrap();
    }
    writer.finish().unwrap();
    let shards = [words(&path), words(&reading)];
    let listed = output(&[
        "inspect",
        shards[0],
        shards[1],
        "--samples",
        "9999",
        "--json",
    ]);
    let listed: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let rows = listed.len();
    assert_eq!(rows, SAMPLES * GAMES as usize + 8 + 1);
    for set in ["points", "steps"] {
        let encoder = Position::feature_sets()
            .into_iter()
            .find(|encoder| encoder.id.name == set)
            .unwrap();
        let out = folder.path().join(set);
        let mut arguments = vec![
            "inspect",
            shards[0],
            shards[1],
            "--npy",
            words(&out),
            "--json",
        ];
        // The usual set needs no name.
        if set == "steps" {
            arguments.extend(["--features", set]);
        }
        let description = json(&arguments);
        assert_eq!(description["features"]["name"], set);
        assert_eq!(description["samples"], rows);
        let most = encoder.max_active;
        let both = format!("{rows}, {most}");
        let one = format!("{rows},");
        let features = values(&out, "features", "<i4", &both, i32::from_le_bytes);
        let side = values(&out, "side", "|i1", &one, i8::from_le_bytes);
        let score = values(&out, "score", "<f4", &one, f32::from_le_bytes);
        let outcome = values(&out, "outcome", "<f4", &one, f32::from_le_bytes);
        let ply = values(&out, "ply", "<u2", &one, u16::from_le_bytes);
        let game = values(&out, "game", "<u4", &one, u32::from_le_bytes);
        let original = values(&out, "original", "|b1", &one, |[byte]| byte == 1);
        let mut list = encoder.list(1);
        for (row, sample) in listed.iter().enumerate() {
            let position = sample["position"].as_str().unwrap();
            let position = Position::parse_position(position).unwrap();
            list.clear();
            encoder.encode(&position, &mut list);
            let mut expected: Vec<i32> =
                list.list(0).iter().map(|&feature| feature.into()).collect();
            expected.resize(most, -1);
            assert_eq!(features[row * most..][..most], expected);
            assert_eq!(f64::from(score[row]), sample["score"].as_f64().unwrap());
            let points = match sample["outcome"].as_str() {
                Some("tiger") => 1.0,
                Some("sheep") => 0.0,
                Some(_) => 0.5,
                None => f32::NAN,
            };
            assert!(outcome[row] == points || outcome[row].is_nan() && points.is_nan());
            let to_move = sample["position"].as_str().unwrap().contains(" t ");
            assert_eq!(side[row], if to_move { 1 } else { -1 });
            assert_eq!(u64::from(ply[row]), sample["ply"].as_u64().unwrap());
            assert_eq!(u64::from(game[row]), sample["game"].as_u64().unwrap());
            assert_eq!(original[row], sample["original"].as_bool().unwrap());
        }
        let mut files: Vec<_> = fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let arrays = ["features", "game", "original", "outcome", "ply"];
        let expected: Vec<_> = arrays.iter().map(|name| format!("{name}.npy")).collect();
        assert_eq!(files[..5], expected);
        assert_eq!(files[5..], ["samples.json", "score.npy", "side.npy"]);
    }
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let (folder, path) = shard();
    let out = folder.path().join("arrays");
    let said = error(
        &[
            "inspect",
            words(&path),
            "--npy",
            words(&out),
            "--features",
            "lines",
        ],
        2,
    );
    assert!(said.contains("lines") && said.contains("points"), "{said}");
    let network_file = folder.path().join("best.net");
    network(&network_file);
    let said = error(&["inspect", words(&network_file), "--npy", words(&out)], 2);
    assert!(said.contains("--npy requires shards"), "{said}");
    let mut bytes = fs::read(&path).unwrap();
    bytes[block(&path, 1) + 500] ^= 4;
    fs::write(&path, bytes).unwrap();
    let said = error(&["inspect", words(&path), "--npy", words(&out)], 1);
    assert!(said.contains("block 1 of the shard"), "{said}");
    // Nothing half written is left.
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
}
