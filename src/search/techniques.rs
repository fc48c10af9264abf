//! Switches of the search, so that each technique's effect can be measured alone.

/// Which positions share table entries with their symmetric copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None.
    Off,
    /// Positions after which no earlier position can come back; provably without effect on scores.
    Unrepeatable,
    /// All. A repetition is one of the exact board, so scores near one can be wrong.
    All,
}

/// Declares every switch once: its field, its name in player specifications, its default, whether
/// it is selective, and its help.
macro_rules! switches {
    ($($field:ident: $name:literal, $default:ident, $class:ident, $help:literal;)*) => {
        /// Techniques that are either on or off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Switches {
            $(#[doc = $help] pub $field: bool,)*
        }

        /// The techniques that gained strength in matches: all but the null move.
        impl Default for Switches {
            fn default() -> Self {
                Self { $($field: switches!(@is_on $default),)* }
            }
        }

        impl Switches {
            /// Everything off.
            const NONE: Self = Self { $($field: false,)* };

            /// The names of all switches, each with its help.
            pub const NAMES: &[(&str, &str)] = &[$(($name, $help),)*];

            /// The switch called `name`.
            pub fn by_name(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// Whether anything is pruned or reduced, so that scores may change.
            pub(super) fn is_selective(self) -> bool {
                false $(|| switches!(@is_selective $class) && self.$field)*
            }
        }
    };
    (@is_on on) => { true };
    (@is_on off) => { false };
    (@is_selective exact) => { false };
    (@is_selective selective) => { true };
}

switches! {
    killers: "killers", on, exact,
        "Killer moves: quiet moves that caused a cutoff in a sibling position are tried early.";
    quiescence: "quiescence", on, exact,
        "Quiescence search: leaves are searched on along noisy moves, with stand pat.";
    history: "history", on, exact,
        "History heuristic: quiet moves are ordered by how often they caused cutoffs elsewhere.";
    pvs: "pvs", on, exact,
        "Principal variation search: moves after the first are searched with a zero window first.";
    aspiration: "aspiration", on, exact,
        "Aspiration windows: an iteration begins with a window around the last iteration's score.";
    reductions: "reductions", on, selective,
        "Late move reductions (LMR): late quiet moves are searched less deep at first.";
    futility: "futility", on, selective,
        "Futility pruning: quiet moves near the leaves are skipped where the static evaluation is hopeless.";
    reverse_futility: "reverse-futility", on, selective,
        "Reverse futility pruning: nodes near the leaves are cut where the static evaluation is far above beta.";
    null_move: "null-move", off, selective,
        "Null move pruning: nodes are cut where even a null move fails high.";
    deeper: "deeper", on, selective,
        "Table cutoffs by entries of a larger depth.";
    keep: "keep", on, exact,
        "The table is kept from move to move within a game.";
    partial: "partial", on, exact,
        "The best move of an iteration that a limit stops is used.";
}

impl Switches {
    /// Killers alone: whole iterations with the scores of plain minimax.
    pub const PLAIN: Self = Self {
        killers: true,
        ..Self::NONE
    };

    /// Whether all moves of a node are searched alike and in an order that does not change.
    pub(super) fn searches_moves_alike(self) -> bool {
        !(self.history || self.pvs || self.reductions || self.futility)
    }

    /// Whether nodes may be pruned before their moves are searched.
    pub(super) fn prunes_nodes(self) -> bool {
        self.reverse_futility || self.null_move
    }
}

/// The techniques of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Which positions share table entries with their symmetric copies; requires an evaluation that
    /// is the same for all of them.
    pub sharing: Sharing,
    /// The switches.
    pub on: Switches,
}

impl Techniques {
    /// The defaults for an evaluation that is or is not symmetric.
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
    fn every_name_belongs_to_a_switch() {
        for (name, _) in Switches::NAMES {
            let mut switches = Switches::default();
            let switch = switches.by_name(name).unwrap();
            *switch = !*switch;
            assert_ne!(switches, Switches::default(), "{name}");
        }
        assert_eq!(Switches::default().by_name("sharing"), None);
    }
}
