//! Runs that are stopped at random moments, as often as is asked for, and end as if they had not
//! been.
//!
//! `BAGHEERA_KILLS` says how many stops there are to be at least, `BAGHEERA_KILL_SEED` which.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::killed::{STAGES, assert_part_of_the_whole, finish, stage};
use crate::process::Running;
use crate::{CONFIG, Job, WHOLE, assert_same, files, output, text};

/// What a process can be stopped by, and what it then ends with: a code, or the signal itself.
const SIGNALS: [(&str, Option<i32>); 3] = [("KILL", None), ("INT", Some(130)), ("TERM", Some(130))];

/// A number from the environment, or what it is without.
fn setting(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().unwrap())
}

/// How long a run takes that nothing stops.
fn undisturbed() -> Duration {
    let job = Job::new(CONFIG);
    let start = Instant::now();
    output(&job.begin(&[]));
    let elapsed = start.elapsed();
    assert_same(&files(&job.dir()), &WHOLE);
    elapsed
}

#[test]
fn runs_stopped_at_random_moments_end_as_if_they_had_not_been() {
    let (wanted, seed) = (
        setting("BAGHEERA_KILLS", 12),
        setting("BAGHEERA_KILL_SEED", 1),
    );
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let whole = undisturbed();
    let mut stops: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut runs = 0;
    while stops.values().sum::<u64>() < wanted {
        let job = Job::new(CONFIG);
        runs += 1;
        // On a machine that has become slow a run might never get to its end.
        for _ in 0..40 {
            let threads = random.random_range(1..=3_u32).to_string();
            let arguments = job.begin(&["--threads", &threads]);
            let (signal, code) = SIGNALS[random.random_range(0..SIGNALS.len())];
            let moment = whole.mul_f64(random.random_range(0.0..0.4));
            let run = Running::start(&arguments);
            sleep(moment);
            let ended = run.signal(signal);
            if ended.status.success() {
                break;
            }
            // Before it listens for requests, a process ends by them at once.
            let killed = ended.status.signal().is_some();
            assert!(
                killed || ended.status.code() == code,
                "{}",
                text(&ended.stderr)
            );
            if job.dir().exists() {
                assert_part_of_the_whole(&files(&job.dir()));
            }
            *stops.entry((stage(&job.dir()), signal)).or_default() += 1;
        }
        finish(&job);
    }
    println!("seed {seed}: {runs} runs, all ended as the undisturbed one; stops by stage:");
    for stage in STAGES {
        let count = |signal| stops.get(&(stage, signal)).copied().unwrap_or(0);
        let counts = SIGNALS.map(|(signal, _)| format!("{signal} {:>3}", count(signal)));
        println!("  {stage:<42} {}", counts.join("  "));
    }
    if wanted >= 200 {
        for stage in STAGES {
            let stopped = SIGNALS.map(|(signal, _)| stops.contains_key(&(stage, signal)));
            assert!(stopped.contains(&true), "never stopped in: {stage}");
        }
    }
}
