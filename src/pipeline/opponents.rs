//! The opponents of the gate, and the openings from which they play.

use super::config::Config;
use super::error::RunError;
use crate::arena::Book;
use crate::game::format_rules;
use crate::kit::{Kit, PlayerFactory, PlayerSpec};
use crate::record::GateMatch;
use crate::search::Limits;

/// The fixed opponents of candidates and the gate's book.
#[derive(Debug)]
pub(super) struct Opponents<G> {
    pub book: Book<G>,
    pub hand_written: PlayerFactory<G>,
    pub random: PlayerFactory<G>,
}

impl<G: Kit> Opponents<G> {
    /// Opens the book and creates the players that a configuration asks for.
    pub fn new(config: &Config, rules: &G::Rules) -> Result<Self, RunError> {
        let limits = Limits::nodes(config.gate.nodes);
        let hand_written = PlayerSpec::hand_written::<G>(limits);
        let random = PlayerSpec::random(1);
        let book = Book::<G>::named(&config.gate.book)?;
        check_book(&book, rules, config)?;
        Ok(Self {
            book,
            hand_written: hand_written.player_factory()?,
            random: random.player_factory()?,
        })
    }
}

/// Refuses a book with other rules than the run's, or with too few openings for the gate's matches.
fn check_book<G: Kit>(book: &Book<G>, rules: &G::Rules, config: &Config) -> Result<(), RunError> {
    let mut openings = book.openings().iter();
    if let Some(other) = openings.find(|opening| opening.rules() != *rules) {
        return Err(RunError::BookRules {
            game: G::NAME,
            book: book.name().to_owned(),
            opening: format_rules::<G>(&other.rules()),
            run: format_rules::<G>(rules),
        });
    }
    let pairs = GateMatch::ALL.map(|gate_match| config.gate.pairs_of(gate_match));
    let pairs = pairs.into_iter().fold(0, u32::max);
    let openings = book.openings().len();
    if pairs as usize > openings {
        return Err(RunError::ShortBook {
            book: book.name().to_owned(),
            openings,
            pairs,
        });
    }
    Ok(())
}
