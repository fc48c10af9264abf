//! What a table holds of a position, in one byte.

use crate::game::{Exact, Outcome, Side};

/// Nobody can force a win.
pub(super) const DRAW: u8 = u8::MAX;

/// What an entry says of a position with `mover` to move.
///
/// It holds the plies to the end of the game. Their parity tells the winner: whoever makes the last
/// move wins.
pub(super) fn decode(entry: u8, mover: Side) -> Exact {
    if entry == DRAW {
        return Exact::draw();
    }
    let winner = if entry & 1 == 1 { mover } else { mover.other() };
    Exact {
        value: Outcome::win(winner),
        plies: Some(entry.into()),
    }
}
