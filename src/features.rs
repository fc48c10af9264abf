//! What a network sees of a position.

use crate::game::Game;

/// What happens to a feature from one position to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It becomes active.
    On,
    /// It is active no longer.
    Off,
}

/// A set of binary input features; a position switches some of them on.
///
/// Network files carry the name, version and size, so that a network is never fed features that
/// it was not trained on. Any change of meaning or order needs a new version.
pub trait FeatureSet<G: Game>: Copy + Default + Send + Sync + 'static {
    /// Name of the set, unique within its game.
    const NAME: &'static str;
    /// Version of the set's meaning.
    const VERSION: u32;
    /// Number of features.
    const SIZE: usize;
    /// The most features that one position switches on.
    const MAX_ACTIVE: usize;

    /// Calls `visit` with each active feature, below [`FeatureSet::SIZE`], each once, always in
    /// the same order for the same position.
    fn visit_active(position: &G, visit: impl FnMut(usize));

    /// Calls `visit` with each feature that is active in one of two positions alone, each once.
    ///
    /// Any two positions will do; the fewer points differ, the quicker it is.
    fn visit_changes(before: &G, after: &G, visit: impl FnMut(usize, Switch));
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Checks the changes between two positions against the active features of both.
    pub(crate) fn check_changes<G: Game, F: FeatureSet<G>>(before: &G, after: &G) {
        let active = |position: &G| {
            let mut features = Vec::new();
            F::visit_active(position, |feature| features.push(feature));
            features.sort_unstable();
            features
        };
        let mut features = active(before);
        let mut visited = Vec::new();
        F::visit_changes(before, after, |feature, _| visited.push(feature));
        let distinct: HashSet<_> = visited.iter().collect();
        assert_eq!(distinct.len(), visited.len(), "{before:?} to {after:?}");
        F::visit_changes(before, after, |feature, switch| match switch {
            Switch::On => features.push(feature),
            Switch::Off => {
                let at = features.iter().position(|active| *active == feature);
                features.swap_remove(at.expect("only an active feature goes off"));
            }
        });
        features.sort_unstable();
        assert_eq!(features, active(after), "{before:?} to {after:?}");
    }
}
