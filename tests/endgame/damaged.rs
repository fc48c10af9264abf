//! Tables that are missing, damaged, or not whole, and builds that were stopped.

use std::fs;
use std::path::Path;

use bagheera::games::bagh_chal::Position;
use bagheera::games::bagh_chal::endgame::{Layer, Tables, build, verify};
use bagheera::interrupt::Interrupt;
use bagheera::kit::{EndgameTables, TablesError};
use bagheera::workers::pool;
use sha2::{Digest, Sha256};

use crate::{bagheera, error, folder_with, place, tables, talk, text};

/// A small layer, and all that lie below it.
const SMALL: Layer = Layer::Sliding(20);

fn sliding() -> impl Iterator<Item = Layer> {
    Layer::up_to(0)
}

fn probe(folder: &Path) -> Vec<String> {
    let position = "TTSTS/1TSSS/SSSSS/SSSSS/SSSSS t 0";
    let folder = folder.to_str().unwrap();
    let words = ["endgame", "probe", position, "--tables", folder];
    words.map(str::to_owned).to_vec()
}

fn refusal(folder: &Path) -> String {
    let arguments = probe(folder);
    error(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), 1)
}

#[test]
fn a_damaged_table_is_refused_with_its_remedy() {
    let folder = folder_with(sliding());
    let path = place(folder.path(), SMALL);
    let whole = fs::read(&path).unwrap();
    let flip = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        bytes
    };
    let length = whole.len();
    let mut faults: Vec<(Vec<u8>, &str)> = [14, 25, 60, 300, length / 2, length - 60, length - 2]
        .map(|place| (flip(place), "is damaged"))
        .to_vec();
    faults.push((whole[..length - 1].to_vec(), "is damaged"));
    faults.push((whole[..10].to_vec(), "is damaged"));
    faults.push(([&whole[..], b"more"].concat(), "is damaged"));
    let other = fs::read(place(folder.path(), Layer::Sliding(19))).unwrap();
    faults.push((other, "is another one"));
    for (bytes, reason) in faults {
        fs::write(&path, bytes).unwrap();
        let said = refusal(folder.path());
        for part in ["sliding-20.table", reason, "bagheera endgame build"] {
            assert!(said.contains(part), "{said}");
        }
    }
    for (bytes, parts) in [
        (
            Vec::new(),
            ["is not an endgame table", "move this one away"],
        ),
        (flip(2), ["is not an endgame table", "move this one away"]),
        (flip(8), ["format version 5", "use a newer version"]),
    ] {
        fs::write(&path, bytes).unwrap();
        let said = refusal(folder.path());
        for part in ["sliding-20.table"].into_iter().chain(parts) {
            assert!(said.contains(part), "{said}");
        }
    }
    fs::remove_file(&path).unwrap();
    let said = refusal(folder.path());
    for part in ["sliding-20.table", "is missing", "bagheera endgame build"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_table_made_from_another_one_is_refused() {
    let folder = folder_with(sliding());
    forge(&place(folder.path(), Layer::Sliding(19)), 5);
    let said = refusal(folder.path());
    for part in ["sliding-20.table", "below it", "remove it"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_missing_layer_below_others_is_named() {
    let folder = folder_with(Layer::up_to(1));
    let [first, second] = [1, 2].map(|in_hand| place(folder.path(), Layer::Placing(in_hand)));
    fs::rename(first, second).unwrap();
    let said = refusal(folder.path());
    for part in [
        "placing-01.table",
        "is missing",
        "build --in-hand 1 --tables",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_wrong_entry_is_found() {
    let folder = folder_with(sliding());
    forge(&place(folder.path(), SMALL), 1000);
    let tables = Tables::open(folder.path()).unwrap();
    let fault = verify(&tables, [SMALL], &Interrupt::default(), &talk()).unwrap_err();
    let said = fault.to_string();
    for part in ["sliding-20.table", "its entry for", "make it"] {
        assert!(said.contains(part), "{said}");
    }
}

/// Changes an entry so that all checksums hold.
fn forge(path: &Path, entry: usize) {
    let mut bytes = fs::read(path).unwrap();
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let start = 20 + header;
    let rest = bytes.len() - start - 32 - 4;
    // Entries come in blocks of a mebibyte, each with four bytes of checksum at the end.
    let blocks = (1..).find(|blocks| (rest - 4 * blocks).div_ceil(1 << 20) == *blocks);
    let end = start + rest - 4 * blocks.unwrap();
    bytes[start + entry] ^= 1;
    let checksums: Vec<u8> = bytes[start..end]
        .chunks(1 << 20)
        .flat_map(|block| crc32fast::hash(block).to_le_bytes())
        .collect();
    let digest = Sha256::digest(&bytes[start..end]);
    bytes.truncate(end);
    bytes.extend(checksums);
    bytes.extend_from_slice(&digest);
    let checksum = crc32fast::hash(&bytes[end..]);
    bytes.extend(checksum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_build_goes_on_where_it_stopped_on_any_number_of_threads() {
    for threads in [1, 2] {
        let folder = folder_with([16, 17].map(Layer::Sliding));
        fs::write(folder.path().join(".tmp-half"), b"half a table").unwrap();
        let pool = pool(threads).unwrap();
        pool.install(|| build(folder.path(), 0, &Interrupt::default(), &talk()))
            .unwrap();
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 5);
        for layer in sliding() {
            let whole = fs::read(place(tables().folder(), layer)).unwrap();
            let found = fs::read(place(folder.path(), layer)).unwrap();
            assert!(whole == found, "{layer} on {threads} threads");
        }
    }
}

#[test]
fn an_interrupted_build_says_so_and_leaves_whole_tables_only() {
    let folder = folder_with([16, 17].map(Layer::Sliding));
    let interrupt = Interrupt::default();
    interrupt.request();
    let build = <Tables as EndgameTables<Position>>::build;
    let fault = build(folder.path(), 0, &interrupt, &talk()).unwrap_err();
    assert!(matches!(&fault, TablesError::Interrupted(how) if how.contains("resumes")));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let verified = EndgameTables::verify(tables(), &interrupt, &talk()).unwrap_err();
    let counted = EndgameTables::statistics(tables(), &interrupt).unwrap_err();
    for fault in [verified, counted] {
        assert!(matches!(&fault, TablesError::Interrupted(how) if how.contains("before the end")));
    }
}

#[test]
fn a_whole_folder_is_built_at_once_and_too_much_is_refused() {
    let folder = tables().folder().to_str().unwrap();
    let assert = bagheera(&[
        "endgame",
        "build",
        "-q",
        "--in-hand",
        "1",
        "--tables",
        folder,
    ])
    .assert()
    .success();
    let said = text(&assert.get_output().stdout);
    assert!(said.contains(folder), "{said}");
    let said = error(
        &["endgame", "build", "--in-hand", "21", "--tables", folder],
        2,
    );
    assert!(said.contains("--in-hand 21"), "{said}");
}
