//! When a search has to stop.

use std::time::Duration;

/// The deepest iteration of any search, in plies.
pub const MAX_DEPTH: u32 = 64;

/// Moves that a game is presumed to last where the clock does not say.
const MOVES_TO_GO: u32 = 30;
/// The least time for a move.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// A chess clock: time for the rest of a game or up to a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves up to the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time lost with each move outside of the search.
    pub overhead: Duration,
}

impl Clock {
    /// The time that a move should take, adjusted by how stable the best move is.
    #[must_use]
    pub fn soft_limit(&self) -> Duration {
        let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
        let share = self.remaining / moves + self.increment * 3 / 4;
        let share = share.saturating_sub(self.overhead).max(LEAST_TIME);
        share.min(self.hard_cap())
    }

    /// The time that a move may take at most.
    #[must_use]
    pub fn hard_limit(&self) -> Duration {
        (self.soft_limit() * 4).min(self.hard_cap())
    }

    fn hard_cap(&self) -> Duration {
        let half = self.remaining / 2;
        half.saturating_sub(self.overhead).max(LEAST_TIME)
    }
}

/// Limits of one search; whichever is reached first stops it, though never before one ply.
///
/// Searches limited by depth or nodes are deterministic, those limited by time are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// A clock that the search divides among the moves of the game.
    pub clock: Option<Clock>,
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

    /// A clock alone.
    #[must_use]
    pub fn clock(clock: Clock) -> Self {
        Self {
            clock: Some(clock),
            ..Self::default()
        }
    }

    /// Whether the same search always gives the same result.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.clock.is_none()
    }

    /// The deepest iteration that these limits allow.
    #[must_use]
    pub fn max_depth(&self) -> u32 {
        self.depth
            .map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH))
    }

    /// The time after which the search stops, by the limit of time or the clock.
    pub(super) fn hard_time(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| clock.hard_limit());
        clock.into_iter().chain(self.time).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_clock_is_divided_among_the_moves_of_the_game() {
        let clock = Clock {
            remaining: millis(60_000),
            increment: millis(1000),
            moves_to_go: None,
            overhead: millis(10),
        };
        assert_eq!(clock.soft_limit(), millis(2000 + 750 - 10));
        assert_eq!(clock.hard_limit(), millis(4 * 2740));
        let control = Clock {
            moves_to_go: Some(2),
            ..clock
        };
        assert_eq!(control.soft_limit(), control.hard_limit());
        assert_eq!(control.hard_limit(), millis(29_990));
    }

    #[test]
    fn a_move_never_takes_more_than_half_of_what_is_left() {
        for remaining in [0, 1, 5, 21, 100, 10_000] {
            for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                let clock = Clock {
                    remaining: millis(remaining),
                    increment: millis(500),
                    moves_to_go,
                    overhead: millis(10),
                };
                let (soft, hard) = (clock.soft_limit(), clock.hard_limit());
                assert!(LEAST_TIME <= soft && soft <= hard);
                assert!(hard <= LEAST_TIME || hard + clock.overhead <= clock.remaining / 2);
            }
        }
    }
}
