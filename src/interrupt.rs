//! A request to stop at the next safe point.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells long jobs that a person wants them to stop; clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for the stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
