//! Shards: opening, reading, verifying and salvaging never fail otherwise than by an error; a
//! shard that is whole is written and read again as the same samples, and what is salvaged is
//! whole.
#![no_main]

use bagheera::files::Existing;
use bagheera::shard::{Sample, ShardReader, ShardWriter, read_header, salvage, verify};
use bagheera_fuzz::pool;
use bagheera_fuzz::scratch::Scratch;
use bagheera_fuzz::{Game, mode, seal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, bytes)) = mode(data) else {
        return;
    };
    let mut bytes = bytes.to_vec();
    seal::shard(&mut bytes, mode);
    let scratch = Scratch::new();
    let path = scratch.file("a.shard", &bytes);
    let header = read_header(&path);
    if let Ok(reader) = ShardReader::<Game>::open(&path) {
        assert_eq!(
            reader.header(),
            &header.expect("an open shard has a header")
        );
        let all = samples(&reader);
        let verified = verify::<Game>(&path, pool());
        if let (Ok(statistics), Some(all)) = (verified, all) {
            assert_eq!(statistics.summary.samples, all.len() as u64);
            let copy = scratch.path("copy.shard");
            let mut writer = ShardWriter::create(&copy, reader.header(), Existing::Keep)
                .expect("a shard that is whole has a header that can be written");
            for original in all.iter().filter(|sample| sample.original) {
                writer.push(original).expect("its samples can be written");
            }
            writer.finish().expect("it can be written");
            let copy = ShardReader::open(&copy).expect("a written shard can be read");
            assert_eq!(samples(&copy), Some(all));
        }
    }
    let saved = scratch.path("saved.shard");
    match salvage::<Game>(&path, &saved) {
        Ok(report) => {
            let statistics = verify::<Game>(&saved, pool()).expect("a salvaged shard is whole");
            assert_eq!(statistics.summary, report.saved);
        }
        Err(_) => assert!(!saved.exists()),
    }
});

/// All samples if they can be read, after reading each block by itself in both ways.
fn samples(reader: &ShardReader<Game>) -> Option<Vec<Sample<Game>>> {
    for (index, block) in reader.blocks().iter().enumerate() {
        if let Ok(samples) = reader.read_block(index) {
            assert_eq!(samples.len(), block.samples());
        }
        if let Ok(originals) = reader.read_originals(index) {
            assert_eq!(originals.len(), block.originals());
        }
    }
    reader.samples().collect::<Result<_, _>>().ok()
}
