//! The magic of checkpoints, which is built without training too.

/// The first bytes of a checkpoint of any version.
pub(super) const MAGIC: [u8; 8] = *b"BagheerC";

/// Returns true if a file that begins with `bytes` is a checkpoint of any version.
#[must_use]
pub fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
