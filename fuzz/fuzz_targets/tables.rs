//! Endgame tables: any file is a table of its layer or an error. The first two bytes choose what
//! is repaired and which layer is asked for; the layers are the small ones.
#![no_main]

use bagheera::games::bagh_chal::endgame::{Layer, Tables, check_table};
use bagheera_fuzz::scratch::Scratch;
use bagheera_fuzz::{mode, seal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, [layer, bytes @ ..])) = mode(data) else {
        return;
    };
    let layer = match layer % 3 {
        0 => Layer::Placing(20),
        1 => Layer::Placing(19),
        _ => Layer::Sliding(20),
    };
    let mut bytes = bytes.to_vec();
    seal::table(&mut bytes, layer, mode);
    let scratch = Scratch::new();
    scratch.file(&layer.file_name(), &bytes);
    if let Ok(digest) = check_table(scratch.folder(), layer) {
        assert_eq!(digest.len(), 64);
    }
    assert!(Tables::open(scratch.folder()).is_err());
});
