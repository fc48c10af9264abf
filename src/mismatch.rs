//! Names the first property in which a file differs from what is expected.

/// Returns the name of the first property that is marked as different.
pub(crate) fn first_mismatch<const N: usize>(
    properties: [(bool, &'static str); N],
) -> Option<&'static str> {
    let mut different = properties.into_iter().filter(|(differs, _)| *differs);
    different.next().map(|(_, name)| name)
}
