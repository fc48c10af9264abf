//! The program with the games of this crate.

use std::process::ExitCode;

use bagheera::games::{bagh_chal, y};

#[cfg(feature = "train")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    bagheera::app()
        .game::<bagh_chal::Position>()
        .game::<y::Position>()
        .run()
}
