//! Progress output of long jobs: lines and bars on standard error.
//!
//! A terminal shows moving bars; elsewhere a plain line is printed now and then. Results never go here.

use std::fmt;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

/// Time between two plain lines of one bar.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Time between two frames of a spinner.
const SPINNER_TICK: Duration = Duration::from_millis(120);

/// Prints the progress of jobs to standard error.
#[derive(Clone, Debug)]
pub struct Reporter {
    quiet: bool,
    bars: Option<MultiProgress>,
}

impl Reporter {
    /// Creates a reporter; a `quiet` one prints nothing.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            quiet,
            bars: (terminal && !quiet).then(MultiProgress::new),
        }
    }

    /// Prints one line.
    pub fn say(&self, line: impl AsRef<str>) {
        if self.quiet {
            return;
        }
        match &self.bars {
            // The job continues if the terminal disappears.
            Some(bars) => drop(bars.println(line)),
            None => print_error(line),
        }
    }

    /// Shows a spinner with the label `what` on a terminal until it is cleared.
    #[must_use]
    pub fn spinner(&self, what: &str) -> ProgressBar {
        let Some(bars) = &self.bars else {
            return ProgressBar::hidden();
        };
        let spinner = bars.add(ProgressBar::new_spinner());
        spinner.set_message(what.to_owned());
        spinner.enable_steady_tick(SPINNER_TICK);
        spinner
    }

    /// Shows the progress of `what` through `total` steps, of which `done` are finished already.
    #[must_use]
    pub fn bar(&self, what: &str, unit: &str, done: u64, total: u64) -> Bar {
        let bar = match &self.bars {
            Some(bars) => bars.add(ProgressBar::new(total)),
            None => ProgressBar::hidden(),
        };
        let template = format!(
            "{{prefix:>12}} {{bar:20}} {{pos}}/{{len}} {unit} {{rate}} ETA {{eta}} {{wide_msg}}"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = write!(out, "{:.1}/s", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate).progress_chars("━╸ "));
        }
        bar.set_prefix(what.to_owned());
        bar.set_length(total);
        bar.set_position(done);
        bar.reset_eta();
        bar.tick();
        let now = Instant::now();
        Bar {
            bar,
            plain: (self.bars.is_none() && !self.quiet).then_some(now),
            start: now,
            started_at: done,
            what: what.to_owned(),
            unit: unit.to_owned(),
            message: String::new(),
        }
    }
}

/// Writes one line to standard error; a closed stream is ignored.
pub fn print_error(line: impl AsRef<str>) {
    // A single write, and no panic (as `eprintln!` would) if the reader is gone.
    let _ = std::io::stderr().write_all(format!("{}\n", line.as_ref()).as_bytes());
}

/// The progress of one job.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    /// When the last plain line was printed; `None` on a terminal.
    plain: Option<Instant>,
    start: Instant,
    started_at: u64,
    what: String,
    unit: String,
    message: String,
}

impl Bar {
    /// Moves to step `done`; `message` describes the current state.
    pub fn at(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(done);
        let due = match self.plain {
            None => !self.bar.is_hidden(),
            Some(last) => last.elapsed() >= PLAIN_INTERVAL,
        };
        if !due {
            return;
        }
        self.message = message();
        if self.plain.is_some() {
            self.plain = Some(Instant::now());
            print_error(self.line(done));
        } else {
            self.bar.set_message(self.message.clone());
        }
    }

    fn line(&self, done: u64) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = done.saturating_sub(self.started_at) as f64 / seconds.max(1e-9);
        let total = self.bar.length().unwrap_or(done);
        let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
        let (what, unit, message) = (&self.what, &self.unit, &self.message);
        format!("{what}: {done}/{total} {unit}, {rate:.1}/s, ETA {left:.0} s  {message}")
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
