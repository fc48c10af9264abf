//! Feature sets: which binary inputs of a network a position activates.

mod encoded;

pub use encoded::EncodedPositions;

use crate::game::{Game, Side};

/// The change of a feature between two positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The feature becomes active.
    On,
    /// The feature is no longer active.
    Off,
}

/// A set of binary input features.
///
/// Network files contain the set's name, version and size, so that a network is only used with the
/// features that it was trained on. Any change of meaning or order needs a new version.
///
/// A set with one view sees every position as `Max` does, and its networks return `Max`'s score. A
/// set with two views sees a position as either side does: `view` names the side. Both views share
/// the weights of the feature transformer, the side to move's view comes first, and its networks
/// return the score of the side to move.
pub trait FeatureSet<G: Game>: Copy + Default + Send + Sync + 'static {
    /// Name of the set, unique within its game.
    const NAME: &'static str;
    /// Version of the set's meaning.
    const VERSION: u32;
    /// Number of features.
    const SIZE: usize;
    /// Largest number of features that are active at once in one view.
    const MAX_ACTIVE: usize;
    /// Number of views, 1 or 2.
    const VIEWS: usize = 1;

    /// Calls `visit` once with each active feature, below [`FeatureSet::SIZE`], always in the same
    /// order for the same position. `view` is `Max` in a set with one view.
    fn visit_active(position: &G, view: Side, visit: impl FnMut(usize));

    /// Calls `visit` once with each feature that is active in exactly one of two positions: any two for
    /// which [`FeatureSet::needs_refresh`] is false.
    fn visit_changes(before: &G, after: &G, view: Side, visit: impl FnMut(usize, Switch));

    /// Returns true if the accumulator of `after` should be computed afresh rather than by
    /// [`FeatureSet::visit_changes`], for instance when a king enters another input bucket.
    #[inline]
    fn needs_refresh(_before: &G, _after: &G, _view: Side) -> bool {
        false
    }

    /// Returns the output bucket of a position for a network with `buckets` of them, below
    /// `buckets`; by default the position's stratum.
    #[inline]
    fn output_bucket(position: &G, buckets: usize) -> usize {
        position.stratum() * buckets / G::STRATA.len()
    }

    /// Returns the side whose score networks return for `position`.
    #[inline]
    fn perspective(position: &G) -> Side {
        if Self::VIEWS == 1 {
            Side::Max
        } else {
            position.side_to_move()
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Checks the changes between two positions against the active features of both.
    pub(crate) fn check_changes<G: Game, F: FeatureSet<G>>(before: &G, after: &G) {
        for view in [Side::Max, Side::Min] {
            check_view::<G, F>(before, after, view);
        }
    }

    fn check_view<G: Game, F: FeatureSet<G>>(before: &G, after: &G, view: Side) {
        let active = |position: &G| {
            let mut features = Vec::new();
            F::visit_active(position, view, |feature| features.push(feature));
            features.sort_unstable();
            features
        };
        if F::needs_refresh(before, after, view) {
            return;
        }
        let mut features = active(before);
        let mut visited = Vec::new();
        F::visit_changes(before, after, view, |feature, _| visited.push(feature));
        let distinct: HashSet<_> = visited.iter().collect();
        assert_eq!(distinct.len(), visited.len(), "{before:?} to {after:?}");
        F::visit_changes(before, after, view, |feature, switch| match switch {
            Switch::On => features.push(feature),
            Switch::Off => {
                let at = features.iter().position(|active| *active == feature);
                features.swap_remove(at.expect("only an active feature is switched off"));
            }
        });
        features.sort_unstable();
        assert_eq!(features, active(after), "{before:?} to {after:?}");
    }
}
