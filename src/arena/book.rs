//! Opening books: positions that matches start from, one a line.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::files::{FileError, read_text_at_most};
use crate::game::{Game, Notation, NotationError, read_position};

/// No book is longer; millions of openings fit.
const MAX_FILE: u64 = 64 << 20;

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is no position.
    #[error("The book {name}, line {line}: {source}")]
    Line {
        /// The book.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: NotationError,
    },
    /// A line holds a finished position.
    #[error("The book {name}, line {line}: the game is over in this position; remove the line.")]
    Finished {
        /// The book.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// Two lines hold the same position up to symmetry.
    #[error(
        "The book {name}, line {line}: the position stands on line {first} already, perhaps \
         turned; remove one of the lines."
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

/// Opening positions in the order in which matches use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<G> {
    name: String,
    openings: Vec<G>,
    digest: String,
}

impl<G: Notation> Book<G> {
    /// Reads a book from its text: one position a line; `#` begins a comment.
    ///
    /// # Errors
    /// Names the first line that is no opening or repeats another one.
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

    /// The book's name or file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The openings.
    #[must_use]
    pub fn openings(&self) -> &[G] {
        &self.openings
    }

    /// SHA-256 of the openings in hexadecimal, comments aside.
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
    fn comments_and_empty_lines_are_no_openings() {
        let book = parse("# a book\n\nT3T/5/5/5/T3T s 20 # the start\n").unwrap();
        assert_eq!(book.openings(), [Position::start(&())]);
        let same = parse("T3T/5/5/5/T3T s 20").unwrap();
        assert_eq!(book.digest(), same.digest());
    }

    #[test]
    fn faults_name_their_line() {
        for (text, fault) in [
            ("\nT3T/5/5/5 s 20", "line 2: position"),
            ("TTTTS/SSSS./SSSSS/5/5 t 10", "line 1: the game is over"),
            (
                "TS2T/5/5/5/T3T t 19\nT2ST/5/5/5/T3T t 19",
                "line 2: the position stands on line 1",
            ),
        ] {
            let found = parse(text).unwrap_err().to_string();
            assert!(found.contains(fault), "{found}");
        }
    }

    proptest! {
        #[test]
        fn lines_of_pieces_are_refused_or_are_a_book(
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
    fn a_missing_book_names_its_file() {
        let fault = Book::<Position>::load(Path::new("no/book.txt"))
            .unwrap_err()
            .to_string();
        assert!(fault.contains("no/book.txt"), "{fault}");
    }
}
