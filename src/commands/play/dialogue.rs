//! The dialogue with the person who plays.

use std::io::{self, BufRead, Read as _, Write as _};

use crate::commands::common::{exact_of_move, known_text, print, score_text};
use crate::commands::error::{CommandError, from_output};
use crate::game::{End, ExactValues as _, Outcome, Playthrough, Side};
use crate::kit::Kit;
use crate::search::Player;

/// Maximum length of an input line, in bytes.
const MAX_LINE_BYTES: u64 = 1024;

/// Number of moves in a hint.
const HINTS: usize = 3;

const HELP: &str = "\
A move is played by typing it as `moves` lists it. Besides there are
  undo      take back your last move and what followed it
  hint      ask the computer for the best moves here
  moves     list the legal moves
  position  print the position as other commands read it
  help      print this
  quit      leave";

/// A game between people and a player.
pub(super) struct Dialogue<G: Kit> {
    game: Playthrough<G>,
    quiet_limit: u32,
    persons: Vec<Side>,
    name: String,
    player: Box<dyn Player<G>>,
    tables: Option<G::Tables>,
}

/// The effect of an input line.
enum Step {
    /// The position changed.
    Changed,
    /// The position is unchanged; another line is read.
    Same,
    /// The person quits.
    Leave,
}

impl<G: Kit> Dialogue<G> {
    /// Creates the dialogue of `game`: the moves of the sides in `persons` are typed, the player
    /// `name` makes the others.
    pub fn new(
        game: Playthrough<G>,
        quiet_limit: u32,
        persons: Vec<Side>,
        name: &str,
        player: Box<dyn Player<G>>,
    ) -> Self {
        Self {
            game,
            quiet_limit,
            persons,
            name: name.to_owned(),
            player,
            tables: None,
        }
    }

    /// Sets the tables whose values are shown.
    pub fn with_tables(self, tables: Option<G::Tables>) -> Self {
        Self { tables, ..self }
    }

    /// Returns the tablebase value of a position as text; `None` without tables.
    fn exact(&self, position: &G) -> Option<String> {
        let tables = self.tables.as_ref()?;
        Some(known_text::<G>(tables.resolve(position)))
    }

    /// Returns the tablebase value of a move as text; `None` without tables.
    fn exact_of_move(&self, position: &G, mv: G::Move) -> Option<String> {
        let tables = self.tables.as_ref()?;
        Some(known_text::<G>(exact_of_move(tables, position, mv)))
    }

    /// Plays until the person quits, or until the end of a game without people.
    pub fn hold(mut self) -> Result<(), CommandError> {
        let mut input = io::stdin().lock();
        print(self.welcome())?;
        loop {
            print(format!("\n{}", self.game.position().draw()))?;
            let end = self.game.end();
            if let Some(end) = end {
                print(self.describe(end))?;
            } else if let Some(exact) = self.exact(self.game.position()) {
                print(format!("exact: {exact}"))?;
            }
            if self.persons.is_empty() && end.is_some() {
                return Ok(());
            }
            if end.is_none() && !self.persons.contains(&self.game.side_to_move()) {
                self.reply()?;
                continue;
            }
            if !self.converse(&mut input)? {
                return self.farewell();
            }
        }
    }

    fn welcome(&self) -> String {
        let name = &self.name;
        match self.persons[..] {
            [] => format!("{name} plays both sides."),
            [side] => format!(
                "You play {}, {name} plays {}. Type help for a list of commands.",
                G::side_name(side),
                G::side_name(side.other())
            ),
            _ => "You play both sides. Type help for a list of commands.".to_owned(),
        }
    }

    fn farewell(&self) -> Result<(), CommandError> {
        if self.game.end().is_some() {
            return Ok(());
        }
        let position = self.game.position().format_position();
        print(format!(
            "The game is at \"{position}\"; pass it to play to continue from there."
        ))
    }

    /// Makes the player's move.
    fn reply(&mut self) -> Result<(), CommandError> {
        let (position, history) = (self.game.position(), self.game.history());
        let report = self.player.pick_move(position, history);
        let side = G::side_name(position.side_to_move());
        let mv = position.format_move(report.mv);
        let judgement = report.score.map_or(String::new(), |score| {
            let score = score_text::<G>(score, report.forced);
            format!("  ({score}, depth {})", report.depth)
        });
        print(format!("{side} plays {mv}{judgement}"))?;
        self.game.play(report.mv);
        Ok(())
    }

    /// Reads lines until the position changes; returns false if the person quits.
    fn converse(&mut self, input: &mut impl BufRead) -> Result<bool, CommandError> {
        loop {
            self.prompt()?;
            let Some(line) = read_line(input)? else {
                // The shell's prompt begins on a new line.
                print("")?;
                return Ok(false);
            };
            match self.obey(line.trim())? {
                Step::Changed => return Ok(true),
                Step::Same => {}
                Step::Leave => return Ok(false),
            }
        }
    }

    fn prompt(&self) -> Result<(), CommandError> {
        let name = match self.game.end() {
            Some(_) => "game over",
            None => G::side_name(self.game.side_to_move()),
        };
        let mut out = io::stdout().lock();
        write!(out, "{name}> ")
            .and_then(|()| out.flush())
            .map_err(|error| from_output(&error))
    }

    fn obey(&mut self, line: &str) -> Result<Step, CommandError> {
        match line {
            "" => {}
            "quit" => return Ok(Step::Leave),
            "undo" => return self.undo(),
            "help" => print(HELP)?,
            "position" => print(self.game.position().format_position())?,
            _ if self.game.end().is_some() => {
                print("The game is over. Type undo to take back your last move, or quit.")?;
            }
            "hint" => self.hint()?,
            "moves" => print(self.legal_moves())?,
            _ => match self.game.position().parse_move(line) {
                Ok(mv) => {
                    self.game.play(mv);
                    return Ok(Step::Changed);
                }
                Err(error) => print(format!("{error}. Type help for a list of commands."))?,
            },
        }
        Ok(Step::Same)
    }

    /// Undoes moves up to the person's previous turn.
    fn undo(&mut self) -> Result<Step, CommandError> {
        let turns = self.game.history().iter();
        let Some(plies) = turns
            .map(|position| self.persons.contains(&position.side_to_move()))
            .rposition(|own| own)
        else {
            print("There is no move of yours to undo.")?;
            return Ok(Step::Same);
        };
        while self.game.moves().len() > plies {
            self.game.undo();
        }
        Ok(Step::Changed)
    }

    fn hint(&mut self) -> Result<(), CommandError> {
        let (position, history) = (self.game.position(), self.game.history());
        let Some(analysis) = self.player.analyse(position, history) else {
            return print(format!(
                "{} does not score moves, so it cannot give hints.",
                self.name
            ));
        };
        let best = analysis.moves.iter().take(HINTS).map(|score| {
            let mv = position.format_move(score.mv);
            let value = score_text::<G>(score.score, score.forced);
            match self.exact_of_move(position, score.mv) {
                None => format!("\n  {mv:6} {value}"),
                Some(exact) => format!("\n  {mv:6} {value:12} {exact}"),
            }
        });
        print(format!(
            "The best moves by {}; high scores are good for {}:{}",
            self.name,
            G::side_name(Side::Max),
            best.collect::<String>()
        ))
    }

    fn legal_moves(&self) -> String {
        let position = self.game.position();
        let moves = position.moves();
        let line = |mv: &G::Move| {
            let text = position.format_move(*mv);
            let exact = self.exact_of_move(position, *mv)?;
            Some(format!("  {text:6} {exact}"))
        };
        let moves = moves.as_ref();
        match moves.iter().map(line).collect::<Option<Vec<_>>>() {
            Some(lines) => lines.join("\n"),
            None => {
                let texts = moves.iter().map(|mv| position.format_move(*mv));
                texts.collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn describe(&self, end: End) -> String {
        match end {
            End::Rules(outcome) => format!("The game is over: {}.", result::<G>(outcome)),
            End::Repetition(outcome) => format!(
                "The game is over: {}, because the position has occurred for the third time.",
                result::<G>(outcome)
            ),
            End::Known(outcome) => format!("The outcome is known: {}.", result::<G>(outcome)),
            End::QuietPlies => format!(
                "The game is over: a draw, after {} plies without an irreversible move.",
                self.quiet_limit
            ),
        }
    }
}

fn result<G: Kit>(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(winner) => format!("{} has won", G::side_name(winner)),
        None => "a draw".to_owned(),
    }
}

/// Reads a line, truncated to the maximum length; `None` at the end of input.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, CommandError> {
    let mut line = Vec::new();
    let read = input.take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
    match read {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Err(CommandError::failure(format!(
            "cannot read standard input: {error}"
        ))),
    }
}
