//! Specifications of players: what is read is written and read again as the same, and makes a
//! player or is refused, where it names no file.
#![no_main]

use bagheera::kit::{Level, NetworkSource, PlayerSpec};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(spec) = text.parse::<PlayerSpec>() else {
        return;
    };
    assert_eq!(
        spec.to_string().parse::<PlayerSpec>().ok(),
        Some(spec.clone())
    );
    if spec.searches() {
        assert!((1..=64).contains(&spec.limits().max_depth()));
    }
    if let Some(level) = Level::new(1) {
        let weakened = spec.clone().at_level(level);
        assert_eq!(
            weakened.level() == Some(level),
            spec.searches() || spec.level() == Some(level)
        );
        let named = weakened.to_string().parse::<PlayerSpec>();
        assert!(named.is_ok(), "{weakened} is no name");
    }
    let file = matches!(spec.network_source(), Some(NetworkSource::File(_)));
    // Files that happen to lie here would make the target depend on the machine.
    if !file && !text.contains("exact=") && !text.contains("weights=") {
        let _ = spec.player_factory::<Game>();
    }
});
