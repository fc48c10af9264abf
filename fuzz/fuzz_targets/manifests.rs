//! Manifests and collections: one that is read is written and read again as the same, and the
//! counts of a manifest make a record.
#![no_main]

use bagheera::record::SelfplayRecord;
use bagheera::shard::{Collection, Manifest, is_collection, is_manifest};
use bagheera_fuzz::Game;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &[u8]| {
    let _ = (is_manifest(json), is_collection(json));
    let scratch = Scratch::new();
    let path = scratch.file("manifest.json", json);
    let copy = scratch.path("copy.json");
    if let Ok(collection) = Collection::load(&path) {
        collection.save(&copy).expect("a collection can be written");
        let read = Collection::load(&copy).expect("a written collection can be read");
        assert_eq!(read, collection);
        let _ = collection.open_shards::<Game>(&path);
    }
    let Ok(manifest) = Manifest::load(&path) else {
        return;
    };
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
