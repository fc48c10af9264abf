//! How a checkpoint begins, which is known without training too.

/// The first bytes of every checkpoint, of whatever version.
pub(super) const MAGIC: [u8; 8] = *b"BagheerC";

/// Whether a file that begins with `bytes` is a checkpoint of a training, of whatever version.
#[must_use]
pub fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
