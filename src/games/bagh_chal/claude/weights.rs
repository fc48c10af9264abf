//! ClaudePlayer's weights, in logits for the tigers.
//!
//! Version 1: fitted to results of its own games and scores of its searches, sliding
//! positions having their exact value, and frozen. `docs/measured.md` has the commands.

use super::counts::TERMS;

/// Each term's name, its weight with all sheep in hand, and its weight with none.
pub const WEIGHTS: [(&str, f32, f32); TERMS] = [
    ("no dead sheep", 0.8040, 0.6134),
    ("1 dead sheep", 1.4982, 1.6505),
    ("2 dead sheep", 2.3435, 2.2117),
    ("3 dead sheep", 4.1565, 2.7102),
    ("4 dead sheep", 6.4290, 3.6180),
    ("1 trapped tiger", -0.8129, -0.0445),
    ("2 trapped tigers", -2.4804, -0.1531),
    ("3 trapped tigers", -2.2588, -0.6632),
    ("4 trapped tigers", -3.0000, -3.0000),
    ("tigers with one move", 0.0241, 0.0261),
    ("moves of the tigers", -0.0938, 0.0390),
    ("tigers to move", 0.1185, 0.0877),
    ("hanging now", 0.9085, 0.9174),
    ("more hanging now", 0.5435, 0.3871),
    ("hanging later", 0.7825, 0.1076),
    ("more hanging later", 0.3909, 0.4532),
    ("threatened sheep", 0.2426, 0.0683),
    ("safe sheep", 0.0059, -0.1461),
    ("closed points", -0.3120, -0.2571),
    ("steps of the sheep", 0.0498, -0.0850),
    ("sheep in corners", -0.2056, 0.1440),
    ("sheep beside corners", 0.0790, 0.1505),
    ("sheep in middles of edges", -0.2855, 0.1966),
    ("sheep in inner corners", -0.2649, 0.0976),
    ("sheep in the centre", 0.0056, -0.0488),
    ("tigers in corners", -0.0783, 0.1264),
    ("tigers beside corners", -0.1462, 0.0610),
    ("tigers in middles of edges", -0.0490, 0.1224),
    ("tigers in inner corners", 0.3148, -0.2234),
    ("tigers in the centre", 0.3520, -0.1932),
    ("neighbouring tigers", -0.1608, 0.0648),
    ("neighbouring sheep", -0.0022, -0.0604),
];
