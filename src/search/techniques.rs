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
    /// Whether late quiet moves are searched less deep, until one turns out better.
    pub reductions: bool,
    /// Whether quiet moves near the leaves are left out where the evaluation is hopeless.
    pub futility: bool,
    /// Whether positions near the leaves are left out where the evaluation is more than good enough.
    pub reverse_futility: bool,
    /// Whether positions are left out where even a pass is good enough and none can come back.
    pub null_move: bool,
    /// Whether what a deeper search found of a position counts for a shallower one.
    pub deeper: bool,
    /// Whether what earlier searches of the game found is kept: moves to try first and, with
    /// `deeper`, scores.
    pub keep: bool,
    /// Whether a pass that a limit stops counts as far as it went, and none is left out for fear
    /// that it might not finish.
    pub partial: bool,
}

/// What gained strength: everything but null moves.
impl Default for Switches {
    fn default() -> Self {
        Self {
            killers: true,
            quiescence: true,
            history: true,
            pvs: true,
            aspiration: true,
            reductions: true,
            futility: true,
            reverse_futility: true,
            null_move: false,
            deeper: true,
            keep: true,
            partial: true,
        }
    }
}

impl Switches {
    /// Killers alone: whole passes with the scores of plain minimax.
    pub const PLAIN: Self = Self {
        killers: true,
        quiescence: false,
        history: false,
        pvs: false,
        aspiration: false,
        reductions: false,
        futility: false,
        reverse_futility: false,
        null_move: false,
        deeper: false,
        keep: false,
        partial: false,
    };

    /// The names of all switches.
    pub const NAMES: [&str; 12] = [
        "killers",
        "quiescence",
        "history",
        "pvs",
        "aspiration",
        "reductions",
        "futility",
        "reverse-futility",
        "null-move",
        "deeper",
        "keep",
        "partial",
    ];

    /// The switch of a name.
    pub fn by_name(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "killers" => &mut self.killers,
            "quiescence" => &mut self.quiescence,
            "history" => &mut self.history,
            "pvs" => &mut self.pvs,
            "aspiration" => &mut self.aspiration,
            "reductions" => &mut self.reductions,
            "futility" => &mut self.futility,
            "reverse-futility" => &mut self.reverse_futility,
            "null-move" => &mut self.null_move,
            "deeper" => &mut self.deeper,
            "keep" => &mut self.keep,
            "partial" => &mut self.partial,
            _ => return None,
        })
    }

    /// Whether the moves of a position are searched alike and in an order that does not change.
    pub(super) fn are_plain(self) -> bool {
        !(self.history || self.pvs || self.reductions || self.futility)
    }

    /// Whether positions are judged before their moves are searched.
    pub(super) fn judges_positions(self) -> bool {
        self.reverse_futility || self.null_move
    }

    /// Whether anything is left out or searched less deep than the rest, so that scores may change.
    pub(super) fn is_selective(self) -> bool {
        self.judges_positions() || self.reductions || self.futility || self.deeper
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
