//! The pairs of a match, a line each as they are judged, so that a match goes on where it stopped.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use super::error::RunError;
use crate::arena::PairResult;

/// A match's file of pairs.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: std::path::PathBuf,
}

impl Journal {
    /// Opens the file and gives the pairs that it holds, up to the first line that is not whole
    /// or not the next one; whatever comes after it is cut off.
    pub fn open(path: &Path) -> Result<(Self, Vec<PairResult>), RunError> {
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
        let mut whole = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
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
        let path = path.to_owned();
        Ok((Self { file, path }, pairs))
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &PairResult) -> Result<(), RunError> {
        let write = || -> std::io::Result<Vec<u8>> {
            let mut line = serde_json::to_vec(pair)?;
            line.push(b'\n');
            Ok(line)
        };
        write()
            .and_then(|line| self.file.write_all(&line))
            .map_err(RunError::io("write", &self.path))
    }
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

    #[test]
    fn pairs_come_back_whatever_cut_the_file_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        let (mut journal, none) = Journal::open(&path).unwrap();
        assert!(none.is_empty());
        for number in 0..5 {
            journal.add(&pair(number)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let line = whole.len() / 5;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, pairs) = Journal::open(&path).unwrap();
            assert_eq!(
                pairs,
                (0..(length / line) as u32).map(pair).collect::<Vec<_>>()
            );
            for number in pairs.len() as u32..5 {
                journal.add(&pair(number)).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }
}
