//! Disks that fill up, refuse and fail under a run.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::killed::assert_part_of_the_whole;
use crate::{CONFIG, Job, WHOLE, assert_same, files, output, text, word};

/// A shell with a small disk of its own at the run's directory, where the system grants one: `$1`
/// is the directory, `$2` the disk's size, and the rest the program with its arguments. What is to be
/// seen from outside has to be copied to `$copy`.
const SMALL_DISK: &str = r#"
set -u
dir=$1 size=$2 copy=$1.copy
shift 2
mkdir -p "$dir" && mount -t tmpfs -o "size=$size" tmpfs "$dir" || exit 77
"#;

/// Runs a script as the user root of a world of its own, in which file systems can be mounted; none
/// if the system does not grant that.
fn in_own_world(script: &str, job: &Job, size: &str) -> Option<Output> {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c"]);
    command.arg(format!("{SMALL_DISK}{script}")).arg("sh");
    command.arg(job.dir()).arg(size);
    command.arg(assert_cmd::cargo::cargo_bin!("bagheera"));
    command.args(job.begin(&[]));
    let ended = command.stdin(Stdio::null()).output().ok()?;
    let refused = text(&ended.stderr).starts_with("unshare:");
    (!refused && ended.status.code() != Some(77)).then_some(ended)
}

/// Says that a test found no world of its own.
fn not_granted() {
    println!("skipped: the system grants no file system of one's own");
}

/// Checks that something went wrong that was told in one line with these words.
#[track_caller]
fn assert_told(stderr: &str, words: &[&str]) {
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("bagheera: error: "), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word}: {stderr}");
    }
}

/// Takes a run to its end, begun or not, and checks it.
fn finish(job: &Job) {
    output(&job.begin(&[]));
    assert_same(&files(&job.dir()), &WHOLE);
}

/// The run's files as they were copied out of a small disk.
fn copied(job: &Job) -> crate::Files {
    files(&job.dir().with_extension("copy"))
}

#[test]
fn a_full_disk_stops_a_run_that_goes_on_once_there_is_room() {
    let bytes: usize = WHOLE.values().map(Vec::len).sum();
    for share in [0.02, 0.15, 0.3, 0.5, 0.7, 0.9] {
        let job = Job::new(CONFIG);
        let size = ((bytes as f64 * share) as usize).to_string();
        let script = r#"
"$@" && exit 3
cp -r "$dir" "$dir.full"
mount -o remount,size=100m "$dir"
"$@" && cp -r "$dir" "$copy"
"#;
        let Some(ended) = in_own_world(script, &job, &size) else {
            return not_granted();
        };
        let said = text(&ended.stderr);
        assert!(ended.status.success(), "{share}: {said}");
        assert_told(&said, &["No space left on device", word(&job.dir())]);
        assert_part_of_the_whole(&files(&job.dir().with_extension("full")));
        assert_same(&copied(&job), &WHOLE);
    }
}

#[test]
fn a_disk_that_becomes_read_only_stops_a_run_that_goes_on_once_it_is_not() {
    let job = Job::new(CONFIG);
    let script = r#"
"$@" --generations 1 > /dev/null || exit 3
mount -o remount,ro "$dir"
"$@" --generations 2 && exit 4
mount -o remount,rw "$dir"
"$@" --generations 2 && cp -r "$dir" "$copy"
"#;
    let Some(ended) = in_own_world(script, &job, "100m") else {
        return not_granted();
    };
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let said = text(&ended.stderr);
    assert_told(&said, &["Read-only file system", word(&job.dir())]);
    assert_same(&copied(&job), &WHOLE);
}

#[test]
fn writes_that_the_system_refuses_stop_a_run_that_goes_on_once_they_are_granted() {
    // Files may not grow beyond so many blocks of 512 bytes: first some kinds of file fail, then
    // others.
    for blocks in [1, 8, 40, 100] {
        let job = Job::new(CONFIG);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let ended = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("bagheera"))
            .args(job.begin(&[]))
            .output()
            .unwrap();
        let said = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{blocks}: {said}");
        assert_told(&said, &["File too large", word(&job.dir())]);
        assert_part_of_the_whole(&files(&job.dir()));
        finish(&job);
    }
}

/// System calls that touch the disk, as a tracer names them, about how many of each the main thread
/// makes in the run, and what one of them is made to end with.
const FAULTS: [(&str, u64, &str); 6] = [
    ("fsync", 200, "error=EIO"),
    ("write", 700, "error=ENOSPC"),
    ("/rename", 80, "error=EACCES"),
    ("fsync", 200, "signal=SIGKILL"),
    ("write", 700, "signal=SIGKILL"),
    ("/rename", 80, "signal=SIGKILL"),
];

/// The run under a tracer that makes the call of a number fail.
fn traced(job: &Job, call: &str, fault: &str, number: u64) -> Output {
    Command::new("strace")
        // Faster, but signals are not injected by it.
        .args(fault.starts_with("error").then_some("--seccomp-bpf"))
        .args(["--follow-forks", "--quiet=all", "--output=/dev/null"])
        .arg(format!("--trace={call}"))
        .arg(format!("--inject={call}:{fault}:when={number}"))
        .arg(assert_cmd::cargo::cargo_bin!("bagheera"))
        .args(job.begin(&[]))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
#[ignore = "needs strace, and minutes"]
fn calls_that_fail_or_kill_leave_a_run_that_goes_on() {
    let rounds: u64 = std::env::var("BAGHEERA_ROUNDS").map_or(10, |text| text.parse().unwrap());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (call, calls, fault) in FAULTS {
        let (mut failed, mut killed, mut unharmed) = (0, 0, 0);
        for _ in 0..rounds {
            let job = Job::new(CONFIG);
            let number = random.random_range(1..=calls);
            let ended = traced(&job, call, fault, number);
            let said = text(&ended.stderr);
            match ended.status.code() {
                Some(0) => unharmed += 1,
                Some(1) => {
                    assert_told(&said, &[]);
                    failed += 1;
                }
                _ => {
                    assert!(fault.starts_with("signal"), "{call} {number}: {said}");
                    killed += 1;
                }
            }
            if job.dir().exists() {
                assert_part_of_the_whole(&files(&job.dir()));
            }
            finish(&job);
        }
        println!(
            "{:<7} {fault:<15} {failed:>3} runs stopped with an error, {killed:>3} killed, \
             {unharmed:>3} had fewer calls; all went on to the undisturbed result",
            call.trim_start_matches('/')
        );
    }
}

/// The library that shows a process another clock.
fn other_clock() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?;
    let mut libraries =
        folders.map(|folder| (folder.unwrap().path()).join("faketime/libfaketimeMT.so.1"));
    libraries.find(|library| library.exists())
}

#[test]
#[ignore = "needs libfaketime"]
fn a_clock_that_jumps_changes_nothing() {
    let job = Job::new(CONFIG);
    let clock = job.0.path().join("clock");
    fs::write(&clock, "+0").unwrap();
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("bagheera"))
        .args(job.begin(&[]))
        .env("LD_PRELOAD", other_clock().unwrap())
        .env("FAKETIME_TIMESTAMP_FILE", &clock)
        .env("FAKETIME_NO_CACHE", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut jumps = ["+400d", "-400d", "+1h x1000", "-3s"].iter().cycle();
    let mut made = 0;
    while run.try_wait().unwrap().is_none() {
        fs::write(&clock, jumps.next().unwrap()).unwrap();
        made += 1;
        std::thread::sleep(Duration::from_millis(100));
    }
    let ended = run.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert!(made > 4, "{made}");
    assert_same(&files(&job.dir()), &WHOLE);
    println!("{made} jumps of the clock, and the undisturbed result");
}
