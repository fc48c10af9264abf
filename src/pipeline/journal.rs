//! The pairs of a match, a line each as they are judged, so that a match goes on where it stopped.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use serde::Serialize;

use super::error::RunError;
use crate::arena::PairResult;

/// Who plays a match: digests of networks, or names.
#[derive(Debug, Serialize)]
pub(super) struct Players {
    pub first: String,
    pub second: String,
}

/// A match's file of pairs.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: std::path::PathBuf,
}

impl Journal {
    /// Opens the file and gives the pairs that it holds, up to the first line that is not whole
    /// or not the next one; whatever comes after it is cut off.
    ///
    /// The first line names the `players`; pairs of others do not count.
    pub fn open(path: &Path, players: &Players) -> Result<(Self, Vec<PairResult>), RunError> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(RunError::io("create", path))?;
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut text).map_err(RunError::io("read", path))?;
        let mut pairs: Vec<PairResult> = Vec::new();
        let title = line_of(players).map_err(RunError::io("write", path))?;
        let (mut whole, lines) = match text.strip_prefix(title.as_slice()) {
            Some(lines) => (title.len() as u64, lines),
            None => (0, &[][..]),
        };
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let pair = serde_json::from_slice::<PairResult>(line);
            match pair {
                Ok(pair) if line.ends_with(b"\n") && pair.pair as usize == pairs.len() => {
                    pairs.push(pair);
                    whole += line.len() as u64;
                }
                _ => break,
            }
        }
        let cut = file.set_len(whole).and_then(|()| {
            std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(whole)).map(drop)
        });
        cut.map_err(RunError::io("write", path))?;
        if whole == 0 {
            file.write_all(&title)
                .map_err(RunError::io("write", path))?;
        }
        let path = path.to_owned();
        Ok((Self { file, path }, pairs))
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &PairResult) -> Result<(), RunError> {
        line_of(pair)
            .and_then(|line| self.file.write_all(&line))
            .map_err(RunError::io("write", &self.path))
    }
}

/// A value as a line of JSON.
fn line_of(value: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::GameResult;
    use crate::game::{End, Outcome, Side};

    fn pair(number: u32) -> PairResult {
        let game = GameResult {
            side: Side::Max,
            end: End::Rules(Outcome::Min),
            plies: 31,
            moves: u64::MAX - u64::from(number),
        };
        PairResult {
            pair: number,
            games: [
                game,
                GameResult {
                    side: Side::Min,
                    end: End::QuietPlies,
                    ..game
                },
            ],
        }
    }

    fn players(first: &str) -> Players {
        Players {
            first: first.to_owned(),
            second: "claude".to_owned(),
        }
    }

    #[test]
    fn pairs_come_back_whatever_cut_the_file_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        let players = players("generation 3");
        let (mut journal, none) = Journal::open(&path, &players).unwrap();
        assert!(none.is_empty());
        let title = std::fs::metadata(&path).unwrap().len() as usize;
        for number in 0..5 {
            journal.add(&pair(number)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let line = (whole.len() - title) / 5;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, pairs) = Journal::open(&path, &players).unwrap();
            let kept = length.saturating_sub(title) / line;
            assert_eq!(pairs, (0..kept as u32).map(pair).collect::<Vec<_>>());
            for number in pairs.len() as u32..5 {
                journal.add(&pair(number)).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn pairs_of_other_players_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        let (mut journal, _) = Journal::open(&path, &players("generation 3")).unwrap();
        journal.add(&pair(0)).unwrap();
        let (_, pairs) = Journal::open(&path, &players("generation 4")).unwrap();
        assert!(pairs.is_empty());
        let (_, pairs) = Journal::open(&path, &players("generation 3")).unwrap();
        assert!(pairs.is_empty());
    }
}
