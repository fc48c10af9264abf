//! Windows of scores: asking whether a move is better, and looking near a guess.

use super::ScoreType;
use super::minimax::{MinimaxPlayer, Prior};
use super::statistics::count;
use crate::game::{Game, Side};

/// A window of scores, `alpha` and `beta`.
pub(super) type Window = (ScoreType, ScoreType);

/// All scores.
pub(super) const ALL: Window = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);

/// How far from the guess the first window of a pass goes, in logits.
const MARGIN: ScoreType = 0.25;
/// By how much a window that missed the score grows.
const GROWTH: ScoreType = 4.0;

/// The least window that tells whether a move is better for `side` than what it has.
pub(super) fn zero(side: Side, (alpha, beta): Window) -> Window {
    match side {
        Side::Max => (alpha, alpha.next_up().min(beta)),
        Side::Min => (beta.next_down().max(alpha), beta),
    }
}

/// Whether a score is better for `side` than what it has.
pub(super) fn is_better(side: Side, score: ScoreType, (alpha, beta): Window) -> bool {
    match side {
        Side::Max => score > alpha,
        Side::Min => score < beta,
    }
}

/// The better of two scores for `side`.
pub(super) fn better(side: Side, one: ScoreType, other: ScoreType) -> ScoreType {
    match side {
        Side::Max => one.max(other),
        Side::Min => one.min(other),
    }
}

/// Searches a move after the first, which led to `child`: whether it is better first, by
/// `reduction` plies less deep too, what it is worth then.
///
/// The second search has the whole window, as a score outside the zero window is only a bound, and
/// with repetitions the second may come out on its other side.
#[inline(never)]
pub(super) fn search_later<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    side: Side,
    child: &P::Game,
    era: usize,
    depth: u32,
    reduction: u32,
    window: Window,
) -> Option<ScoreType> {
    let (alpha, beta) = window;
    // A leaf costs the same with any window.
    let narrow = if depth > 0 && player.memory().techniques.on.pvs {
        zero(side, window)
    } else {
        window
    };
    if reduction > 0 {
        let score = player.minimax(child, era, depth - reduction, narrow.0, narrow.1)?;
        if !is_better(side, score, window) {
            return Some(score);
        }
    }
    if narrow != window {
        let score = player.minimax(child, era, depth, narrow.0, narrow.1)?;
        let inside = alpha < score && score < beta;
        if !inside {
            return Some(score);
        }
    }
    player.minimax(child, era, depth, alpha, beta)
}

/// A window around a finite guess; never empty, however large the guess.
fn around(guess: ScoreType, margin: ScoreType) -> Window {
    let low = (guess - margin).min(guess.next_down());
    let high = (guess + margin).max(guess.next_up());
    (low, high)
}

/// One pass over `moves` at the root, which looks near `guess` first if there is one.
///
/// The score is exact: a window that misses it grows, at last to all scores.
pub(super) fn search_root<P: MinimaxPlayer + ?Sized>(
    player: &mut P,
    position: &P::Game,
    era: usize,
    depth: u32,
    moves: &[<P::Game as Game>::Move],
    (mut hint, guess): (Option<<P::Game as Game>::Move>, Option<ScoreType>),
) -> Option<(ScoreType, Option<<P::Game as Game>::Move>)> {
    let guess = guess.filter(|guess| guess.is_finite());
    let mut margin = MARGIN;
    let (mut low, mut high) = guess.map_or(ALL, |guess| around(guess, margin));
    player.memory().best_at_root = None;
    loop {
        player.memory().nodes += 1;
        count!(nodes);
        count!(generations);
        // Every search brings its moves forward from the order of generation.
        let mut moves = moves.to_vec();
        let prior = Prior {
            hint,
            standing: None,
        };
        let (score, mv) =
            player.minimax_uncached(position, era, depth, (low, high), &mut moves, prior)?;
        margin *= GROWTH;
        let grown = around(score, margin);
        // An infinite bound is a score.
        if score <= low && score > ALL.0 {
            low = if margin > MARGIN * GROWTH {
                ALL.0
            } else {
                grown.0
            };
        } else if score >= high && score < ALL.1 {
            high = if margin > MARGIN * GROWTH {
                ALL.1
            } else {
                grown.1
            };
            hint = mv;
        } else {
            return Some((score, mv));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_windows_hold_no_score_and_stay_inside() {
        let (low, high) = ALL;
        assert_eq!(zero(Side::Max, ALL), (low, ScoreType::MIN));
        assert_eq!(zero(Side::Min, ALL), (ScoreType::MAX, high));
        assert_eq!(
            zero(Side::Max, (ScoreType::MAX, high)),
            (ScoreType::MAX, high)
        );
        let (alpha, beta) = zero(Side::Max, (0.0, 1.0));
        assert!(alpha == 0.0 && beta > 0.0 && beta < 1e-40);
        let (alpha, beta) = zero(Side::Min, (0.0, 1.0));
        assert!(beta == 1.0 && alpha < 1.0 && alpha.next_up() == 1.0);
    }

    #[test]
    fn windows_around_a_guess_are_never_empty() {
        for guess in [0.0, -3.5, 1e9, ScoreType::MAX, ScoreType::MIN] {
            let (low, high) = around(guess, MARGIN);
            assert!(low < guess && guess < high, "{guess}");
        }
    }
}
