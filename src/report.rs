//! What a person looks at: a run as one self-contained page, and the same figures as JSON.
//!
//! The page needs no network: style, script, pictures and games are in it. Colours are CSS variables,
//! so that pictures follow the page from light to dark.

mod figures;
mod games;
mod page;
mod plot;
mod run;

pub use games::{GameView, PlyView};
pub use page::page;
pub use run::{GenerationReport, RunReport};
