//! Processes that are watched and stopped while they work.

use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program at work; dropped, it is killed.
pub struct Running(Option<Child>);

impl Running {
    pub fn start(arguments: &[String]) -> Self {
        let child = Command::new(assert_cmd::cargo::cargo_bin!("bagheera"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self(Some(child))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }

    pub fn has_ended(&mut self) -> bool {
        self.child().try_wait().unwrap().is_some()
    }

    /// Waits until something is so; false if the program ended before.
    pub fn wait_until(&mut self, is_so: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        while !is_so() {
            if self.has_ended() {
                return false;
            }
            assert!(start.elapsed() < PATIENCE, "nothing happens");
            sleep(Duration::from_millis(1));
        }
        !self.has_ended()
    }

    /// Ends it without warning.
    pub fn kill(mut self) -> ExitStatus {
        let mut child = self.0.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap()
    }

    /// Does as Ctrl-C does, and waits for the end.
    pub fn interrupt(self) -> Output {
        self.signal("INT")
    }

    /// Sends a signal, and waits for the end.
    pub fn signal(mut self, name: &str) -> Output {
        if !self.has_ended() {
            let id = self.child().id().to_string();
            let kill = Command::new("kill").args(["-s", name, &id]).status();
            assert!(kill.unwrap().success());
        }
        self.end()
    }

    /// Closes the reading end of its standard error.
    pub fn stop_listening(&mut self) {
        drop(self.child().stderr.take());
    }

    /// Waits for the end.
    pub fn end(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
