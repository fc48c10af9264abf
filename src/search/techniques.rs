//! Switches of the search, so that what each technique is worth can be measured alone.

/// Which positions share cache entries with their mirror images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None.
    Off,
    /// Those at which no earlier position can come back; provably without effect on scores.
    Unrepeatable,
    /// All. A repetition is one of the exact board, so scores near one can come out wrong.
    All,
}

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Whether quiet moves that refuted a sibling position are tried early.
    pub killers: bool,
    /// Which positions share cache entries with their images; presumes an evaluation that is the
    /// same for all of them.
    pub sharing: Sharing,
}

impl Techniques {
    /// What is best for an evaluation that is or is not symmetric.
    #[must_use]
    pub fn for_symmetry(symmetric: bool) -> Self {
        Self {
            killers: true,
            sharing: if symmetric {
                Sharing::Unrepeatable
            } else {
                Sharing::Off
            },
        }
    }
}
