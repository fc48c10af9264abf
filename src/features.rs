//! What a network sees of a position.

use crate::game::Game;

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
}
