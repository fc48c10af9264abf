//! The report of a run as a self-contained HTML page and as JSON, and text tables.
//!
//! The page contains its style, script, pictures and games. Colours are CSS variables, so pictures follow
//! the page's light or dark mode.

mod columns;
mod figures;
mod games;
mod page;
mod plot;
mod run;

pub use columns::{Column, dash, percent, text_table};
pub use games::{GameView, PlyView};
pub use page::page;
pub use run::{GenerationReport, RunReport};
