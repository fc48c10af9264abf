//! When a search has to stop.

use std::time::Duration;

/// The deepest pass of any search, in plies.
pub const MAX_DEPTH: u32 = 64;

/// Limits of one search; whichever is reached first stops it, though never before one ply.
///
/// Searches limited by depth or nodes are deterministic, those limited by time are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest pass, in plies.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

impl Limits {
    /// A limit on the depth alone, in plies.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// A limit on the nodes alone.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A limit on the time alone.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// Whether the same search always gives the same result.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }

    /// The deepest pass that these limits allow.
    #[must_use]
    pub fn max_depth(&self) -> u32 {
        self.depth
            .map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH))
    }
}
