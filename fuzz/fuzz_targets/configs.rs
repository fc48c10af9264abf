//! Configurations: one that is read and in its ranges is written and read again as the same.
#![no_main]

use bagheera::pipeline::Config;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let scratch = Scratch::new();
    let path = scratch.file("config.toml", text);
    let Ok(config) = Config::load(&path) else {
        return;
    };
    if config.check(&path).is_err() {
        return;
    }
    let written = toml::to_string(&config).expect("a configuration can be written");
    let copy = scratch.file("copy.toml", written.as_bytes());
    let read = Config::load(&copy).expect("a written configuration can be read");
    assert_eq!(read, config);
    read.check(&copy).expect("it is in its ranges still");
    assert_eq!(read.digest(), config.digest());
    assert_eq!(read.differences(&config), Vec::<String>::new());
});
