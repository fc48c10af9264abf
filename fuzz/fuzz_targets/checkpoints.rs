//! Checkpoints: a training goes on from one to its end, or refuses it.
#![no_main]

use bagheera::training::{Trained, read_checkpoint};
use bagheera_fuzz::mode;
use bagheera_fuzz::scratch::Scratch;
use bagheera_fuzz::training::TrainingPlan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, bytes)) = mode(data) else {
        return;
    };
    let ground = TrainingPlan::shared();
    let bytes = ground.sealed(bytes, mode);
    let scratch = Scratch::new();
    let told = read_checkpoint(&scratch.file("checkpoint.bin", &bytes));
    if let Ok(trained) = ground.go_on(&bytes) {
        assert!(told.is_ok(), "a training goes on from what cannot be read");
        let Trained::Complete { candidate, record } = trained else {
            panic!("nobody asked it to stop");
        };
        assert_eq!(candidate.architecture(), ground.architecture());
        assert_eq!(record.steps, ground.steps());
        assert!(record.best_step <= record.steps);
    }
});
