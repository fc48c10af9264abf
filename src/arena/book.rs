//! Opening books: start positions of matches, one per line.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::files::{FileError, read_text_at_most};
use crate::game::{Game, Notation, NotationError, read_position};
use crate::kit::{Kit, book_names};

/// Maximum size of a book file in bytes; millions of openings fit.
const MAX_FILE: u64 = 64 << 20;

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// Neither a tracked book nor a file has the name.
    #[error("there is no book \"{name}\" and no file of that name; the tracked books are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The tracked books of the game.
        known: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is not a position.
    #[error("book {name}, line {line}: {source}")]
    Line {
        /// The book.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: NotationError,
    },
    /// The game is over in a position.
    #[error("book {name}, line {line}: the game is over in this position; remove the line")]
    Finished {
        /// The book.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// Two lines contain the same position up to symmetry.
    #[error(
        "book {name}, line {line}: repeats the position of line {first} (up to symmetry); remove one \
         of the lines"
    )]
    Repeated {
        /// The book.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The line of the first occurrence.
        first: usize,
    },
}

/// Opening positions, in the order in which matches use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<G> {
    name: String,
    openings: Vec<G>,
    digest: String,
}

impl<G: Notation> Book<G> {
    /// Finds a tracked book by its name, or reads one from a file.
    ///
    /// # Errors
    /// If there is neither, or as [`Book::load`].
    pub fn named(name: &str) -> Result<Self, BookError>
    where
        G: Kit,
    {
        match G::book(name) {
            Some(text) => Self::parse(name, text),
            None if Path::new(name).exists() => Self::load(Path::new(name)),
            None => Err(BookError::Unknown {
                name: name.to_owned(),
                known: book_names::<G>(),
            }),
        }
    }

    /// Parses a book: one position per line; `#` begins a comment.
    ///
    /// # Errors
    /// On the first line that is not an unfinished position or repeats an earlier one.
    pub fn parse(name: &str, text: &str) -> Result<Self, BookError> {
        let name = name.to_owned();
        let mut openings = Vec::new();
        let mut lines: HashMap<<G as Game>::Key, usize> = HashMap::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let position = read_position::<G>(content).map_err(|source| BookError::Line {
                name: name.clone(),
                line,
                source,
            })?;
            if position.outcome().is_some() {
                return Err(BookError::Finished { name, line });
            }
            if let Some(first) = lines.insert(position.canonical().0.key(), line) {
                return Err(BookError::Repeated { name, line, first });
            }
            openings.push(position);
        }
        Ok(Self::new(name, openings))
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`Book::parse`].
    pub fn load(path: &Path) -> Result<Self, BookError> {
        let text = read_text_at_most(path, MAX_FILE).map_err(FileError::io("read", path))?;
        Self::parse(&path.display().to_string(), &text)
    }

    fn new(name: String, openings: Vec<G>) -> Self {
        let mut hash = Sha256::new();
        for opening in &openings {
            hash.update(opening.format_position());
            hash.update("\n");
        }
        let digest = hex::encode(hash.finalize());
        Self {
            name,
            openings,
            digest,
        }
    }

    /// The book's name or path.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The openings.
    #[must_use]
    pub fn openings(&self) -> &[G] {
        &self.openings
    }

    /// SHA-256 of the openings in hexadecimal; comments do not count.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::bagh_chal::Position;

    fn parse(text: &str) -> Result<Book<Position>, BookError> {
        Book::parse("test", text)
    }

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let book = parse("# a book\n\nT3T/5/5/5/T3T s 20 # the start\n").unwrap();
        assert_eq!(book.openings(), [Position::start(&())]);
        let same = parse("T3T/5/5/5/T3T s 20").unwrap();
        assert_eq!(book.digest(), same.digest());
    }

    #[test]
    fn errors_name_the_line() {
        for (text, fault) in [
            ("\nT3T/5/5/5 s 20", "line 2: position"),
            ("TTTTS/SSSS./SSSSS/5/5 t 10", "line 1: the game is over"),
            (
                "TS2T/5/5/5/T3T t 19\nT2ST/5/5/5/T3T t 19",
                "line 2: repeats the position of line 1",
            ),
        ] {
            let found = parse(text).unwrap_err().to_string();
            assert!(found.contains(fault), "{found}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_lines_are_rejected_or_round_trip(
            lines in prop::collection::vec("[TS1-5]{1,5}(/[TS.1-5]{1,5}){4} [ts] (0|1[0-9]|20)( # .*)?", 0..4),
            start in prop::option::of(Just("T3T/5/5/5/T3T s 20\n")),
        ) {
            let text = start.unwrap_or_default().to_owned() + &lines.join("\n");
            if let Ok(book) = parse(&text) {
                let written: Vec<_> = book.openings().iter().map(Notation::format_position).collect();
                prop_assert_eq!(parse(&written.join("\n")).unwrap(), book);
            }
        }
    }

    #[test]
    fn a_missing_book_file_is_named() {
        let fault = Book::<Position>::load(Path::new("no/book.txt"))
            .unwrap_err()
            .to_string();
        assert!(fault.contains("no/book.txt"), "{fault}");
    }
}
