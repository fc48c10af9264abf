//! Books of openings: a book written from what was read is the same book.
#![no_main]

use bagheera::arena::Book;
use bagheera::game::{Game as _, Notation as _};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(book) = Book::<Game>::parse("book", text) else {
        return;
    };
    let lines = book.openings().iter().map(|opening| {
        assert_eq!(opening.outcome(), None);
        format!("{}\n", opening.format_position())
    });
    let written: String = lines.collect();
    let read = Book::parse("book", &written).expect("a written book can be read");
    assert_eq!(read, book);
});
