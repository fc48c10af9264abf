//! Networks: one that is read is written and read again as the same, scores positions by finite
//! numbers, and makes players or is refused.
#![no_main]

use std::path::Path;

use bagheera::kit::{Kit as _, SearchSetup, network_player};
use bagheera::network::{Network, Quantized};
use bagheera::search::Limits;
use bagheera_fuzz::{Game, mode, seal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, bytes)) = mode(data) else {
        return;
    };
    let mut bytes = bytes.to_vec();
    seal::network(&mut bytes, mode);
    let path = Path::new("a.net");
    let Ok(network) = Network::from_bytes(&bytes, path) else {
        return;
    };
    let written = network.to_bytes();
    let read = Network::from_bytes(&written, path).expect("a written network can be read");
    assert_eq!(read, network);
    assert_eq!(read.to_bytes(), written);
    let architecture = network.architecture();
    let most = architecture.features.size.min(30) as u16;
    let active: Vec<u16> = (0..most).collect();
    let views = vec![&active[..]; architecture.views];
    if let Ok(quantized) = Quantized::new(&network, active.len()) {
        for bucket in 0..architecture.output_buckets {
            assert!(quantized.forward(&views, bucket).is_finite());
        }
    }
    let setup = SearchSetup {
        hash_bits: Some(8),
        ..SearchSetup::with_limits(Limits::nodes(20))
    };
    if let Ok(make) = network_player::<Game>(&network, &setup, None) {
        let report = make().pick_move(&Game::bench_positions()[0], &[]);
        assert!(report.score.is_some_and(|score| !score.is_nan()));
    }
});
