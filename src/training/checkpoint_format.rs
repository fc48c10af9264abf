//! The format of checkpoints. Builds without training recognize them too.

use crate::files::FileFormat;

pub(super) static FORMAT: FileFormat = FileFormat {
    name: "checkpoint",
    magic: *b"BagheerC",
    version: 2,
    remedy: |_| "remove it to start this training from the beginning".to_owned(),
};

/// Returns true if a file that begins with `bytes` is a checkpoint of any version.
#[must_use]
pub fn is_checkpoint(bytes: &[u8]) -> bool {
    FORMAT.is_start(bytes)
}
