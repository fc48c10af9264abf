//! Test fixtures, and tests of the format as a whole.

use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::files::Existing;
use crate::game::{Game, Notation, Outcome};
use crate::games::bagh_chal::Position;
use crate::workers::pool;

/// Returns the header of the test shards: games 7 to 16.
pub(super) fn header(augment: Augment) -> ShardHeader {
    ShardHeader {
        game: Position::NAME.to_owned(),
        seed: 42,
        generation: 3,
        network: None,
        config: "c0ffee".to_owned(),
        first_game: 7,
        games: 10,
        augment,
    }
}

/// Returns one of four fixed samples, with 1, 4, 4 and 8 symmetric copies (itself included).
pub(super) fn sample(index: usize) -> Sample<Position> {
    let texts = [
        "T3T/5/5/5/T3T s 20",
        "T1S1T/5/5/5/T3T t 19",
        "T1S1T/5/2T2/5/T4 s 19",
        "TS2T/5/5/5/T3T t 19",
    ];
    let marked = index == 2;
    Sample {
        position: Position::parse_position(texts[index]).unwrap(),
        score: index as f32 * -0.75,
        outcome: (!marked).then_some(Outcome::Min),
        ply: index as u16,
        game: 7,
        noisy: marked,
        random: marked,
        original: true,
    }
}

/// Returns a position in which the tigers are trapped.
pub(super) fn finished_position() -> Position {
    Position::parse_position("TTTTS/SSSS./SSSSS/5/5 t 6").unwrap()
}

/// Generates base samples of random games, in game order.
pub(super) fn samples(count: Range<usize>) -> impl Strategy<Value = Vec<Sample<Position>>> {
    let outcome = prop::option::of(prop_oneof![
        Just(Outcome::Max),
        Just(Outcome::Draw),
        Just(Outcome::Min)
    ]);
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..60);
    let (ply, marks) = (any::<u16>(), any::<[bool; 2]>());
    let sample = (choices, -20.0_f32..20.0, outcome, ply, 7_u32..17, marks).prop_map(
        |(choices, score, outcome, ply, game, [noisy, random])| Sample {
            position: unfinished_position(&choices),
            score,
            outcome,
            ply,
            game,
            noisy,
            random,
            original: true,
        },
    );
    prop::collection::vec(sample, count).prop_map(|mut samples| {
        samples.sort_by_key(|sample| sample.game);
        samples
    })
}

fn unfinished_position(choices: &[prop::sample::Index]) -> Position {
    let mut position = Position::start(&());
    for choice in choices {
        let next = position.play(*choice.get(&position.moves()));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Writes a shard, replacing any existing file.
pub(super) fn write_shard(
    path: &Path,
    augment: Augment,
    block_samples: u32,
    samples: &[Sample<Position>],
) -> ShardSummary {
    let mut writer =
        ShardWriter::with_blocks(path, &header(augment), Existing::Replace, block_samples).unwrap();
    for sample in samples {
        writer.push(sample).unwrap();
    }
    writer.finish().unwrap()
}

/// Writes the example shard of `docs/shard-format.md`: two blocks, one with a single base sample,
/// one with a base sample and three symmetric copies.
fn tiny_shard(path: &Path) -> Vec<u8> {
    write_shard(path, Augment::Write, 1, &[sample(0), sample(1)]);
    fs::read(path).unwrap()
}

fn read_whole(path: &Path) -> Result<Vec<Sample<Position>>, ShardError> {
    ShardReader::open(path)?.samples().collect()
}

#[test]
fn every_flipped_bit_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.shard");
    let whole = tiny_shard(&path);
    for bit in 0..8 * whole.len() {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, bytes).unwrap();
        let error = read_whole(&path).unwrap_err().to_string();
        assert!(error.contains("tiny.shard"), "bit {bit}: {error}");
        assert!(
            verify::<Position>(&path, &pool(1).unwrap()).is_err(),
            "bit {bit}"
        );
    }
}

#[test]
fn every_truncation_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.shard");
    let whole = tiny_shard(&path);
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = ShardReader::<Position>::open(&path)
            .unwrap_err()
            .to_string();
        assert!(error.contains("tiny.shard"), "{length} bytes: {error}");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(read_whole(&path).unwrap().len(), 5);
}

proptest! {
    #[test]
    fn any_overwritten_range_is_an_error(
        place in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.shard");
        let whole = tiny_shard(&path);
        let mut bytes = whole.clone();
        let place = place.index(bytes.len());
        for (byte, noise) in bytes[place..].iter_mut().zip(noise) {
            *byte = noise;
        }
        prop_assume!(bytes != whole);
        fs::write(&path, bytes).unwrap();
        prop_assert!(read_whole(&path).is_err());
        prop_assert!(verify::<Position>(&path, &pool(1).unwrap()).is_err());
    }
}

#[test]
fn a_shard_of_another_game_is_rejected_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.shard");
    let whole = tiny_shard(&path);
    let (head, start) = ShardHeader::read_from(&whole[..], &path).unwrap();
    let mut record = whole[20..start as usize].to_vec();
    let place = record.windows(9).position(|bytes| bytes == b"bagh-chal");
    record[place.unwrap()..][..9].copy_from_slice(b"hare-hunt");
    let mut foreign = whole.clone();
    foreign[20..start as usize].copy_from_slice(&record);
    foreign[16..20].copy_from_slice(&crc32fast::hash(&record).to_le_bytes());
    fs::write(&path, foreign).unwrap();
    assert_eq!(read_header(&path).unwrap().seed, head.seed);
    for error in [
        read_whole(&path).unwrap_err(),
        verify::<Position>(&path, &pool(1).unwrap()).unwrap_err(),
        salvage::<Position>(&path, &folder.path().join("b.shard")).unwrap_err(),
    ] {
        let error = error.to_string();
        assert!(
            error.ends_with("of the game hare-hunt, not of bagh-chal"),
            "{error}"
        );
    }
}

#[test]
fn equal_samples_give_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    assert_eq!(tiny_shard(&a), tiny_shard(&b));
}

#[test]
fn the_documented_bytes_are_the_written_ones() {
    let folder = tempfile::tempdir().unwrap();
    let dump = hex_dump(&tiny_shard(&folder.path().join("tiny.shard")));
    let document = include_str!("../../docs/shard-format.md");
    assert!(
        document.contains(&format!("```text\n{dump}```\n")),
        "the dump should read:\n{dump}"
    );
}

fn hex_dump(bytes: &[u8]) -> String {
    let mut dump = String::new();
    for (line, row) in bytes.chunks(16).enumerate() {
        let hex: Vec<_> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = row
            .iter()
            .map(|byte| match byte {
                b' '..=b'~' => char::from(*byte),
                _ => '.',
            })
            .collect();
        writeln!(dump, "{:04x}  {:<47}  {text}", 16 * line, hex.join(" ")).unwrap();
    }
    dump
}
