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

/// Techniques that are either on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Whether quiet moves that refuted a sibling position are tried early.
    pub killers: bool,
    /// Whether leaves are searched on along noisy moves until the side to move would rather stand.
    pub quiescence: bool,
    /// Whether quiet moves are tried in the order of their success elsewhere.
    pub history: bool,
    /// Whether moves after the first are only asked whether they are better, until one is.
    pub pvs: bool,
    /// Whether a pass looks for its score near that of the pass before.
    pub aspiration: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            killers: true,
            quiescence: false,
            history: false,
            pvs: false,
            aspiration: false,
        }
    }
}

impl Switches {
    /// The names of all switches.
    pub const NAMES: [&str; 5] = ["killers", "quiescence", "history", "pvs", "aspiration"];

    /// The switch of a name.
    pub fn by_name(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "killers" => &mut self.killers,
            "quiescence" => &mut self.quiescence,
            "history" => &mut self.history,
            "pvs" => &mut self.pvs,
            "aspiration" => &mut self.aspiration,
            _ => return None,
        })
    }
}

/// The techniques of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Which positions share cache entries with their images; presumes an evaluation that is the
    /// same for all of them.
    pub sharing: Sharing,
    /// The switches.
    pub on: Switches,
}

impl Techniques {
    /// What is best for an evaluation that is or is not symmetric.
    #[must_use]
    pub fn for_symmetry(symmetric: bool) -> Self {
        Self {
            sharing: if symmetric {
                Sharing::Unrepeatable
            } else {
                Sharing::Off
            },
            on: Switches::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_a_switch() {
        for name in Switches::NAMES {
            let mut switches = Switches::default();
            let switch = switches.by_name(name).unwrap();
            *switch = !*switch;
            assert_ne!(switches, Switches::default(), "{name}");
        }
        assert_eq!(Switches::default().by_name("sharing"), None);
    }
}
