//! Manifests: one that is read is written and read again as the same, and its counts make a
//! record.
#![no_main]

use bagheera::record::SelfplayRecord;
use bagheera::shard::{Manifest, is_manifest};
use bagheera_fuzz::Game;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &[u8]| {
    let _ = is_manifest(json);
    let scratch = Scratch::new();
    let path = scratch.file("manifest.json", json);
    let Ok(manifest) = Manifest::load(&path) else {
        return;
    };
    let copy = scratch.path("copy.json");
    manifest.save(&copy).expect("a manifest can be written");
    let read = Manifest::load(&copy).expect("a written manifest can be read");
    assert_eq!(read, manifest);
    let record = SelfplayRecord::from(&manifest);
    assert!(record.originals <= record.samples);
    assert!(record.duplicates <= record.originals);
    let complete = manifest.is_complete(&path);
    let opened = manifest.open_shards::<Game>(&path);
    assert!(complete || opened.is_err() || manifest.shards.is_empty());
});
