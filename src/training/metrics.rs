//! The metrics of a training: a file of JSON lines, written during the training.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use crate::record::MetricsLine;

/// The file, open for more lines.
#[derive(Debug)]
pub(super) struct Metrics {
    file: File,
}

impl Metrics {
    /// Opens the file `path` and removes the lines after step `last`; all lines without such a step.
    pub fn open(path: &Path, last: Option<u64>) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let kept = match last {
            Some(last) => length_through(&file, last)?,
            None => 0,
        };
        file.set_len(kept)?;
        file.seek(SeekFrom::Start(kept))?;
        Ok(Self { file })
    }

    /// Adds a line.
    pub fn write(&mut self, line: &MetricsLine) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        // In one write, so that readers of the growing file see whole lines.
        self.file.write_all(&bytes)
    }

    /// Syncs the lines to disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Returns the length in bytes of the leading complete lines of steps up to `last`.
fn length_through(file: &File, last: u64) -> io::Result<u64> {
    /// No line is longer.
    const MAX_LINE: u64 = 1 << 16;
    let mut reader = BufReader::new(file);
    let (mut kept, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let length = io::Read::take(&mut reader, MAX_LINE).read_until(b'\n', &mut line)?;
        // A program killed during a write leaves a partial line.
        let whole = line.ends_with(b"\n");
        match serde_json::from_slice::<MetricsLine>(&line) {
            Ok(read) if whole && read.step() <= last => kept += length as u64,
            _ => return Ok(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(step: u64) -> MetricsLine {
        MetricsLine::Training {
            step,
            loss: 1.0 / step as f64,
            learning_rate: 0.1,
            result_weight: 0.5,
            positions_per_second: 1e6,
        }
    }

    fn steps(path: &Path) -> Vec<u64> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<MetricsLine>(line).unwrap().step())
            .collect()
    }

    #[test]
    fn lines_after_the_step_and_partial_lines_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = Metrics::open(&path, None).unwrap();
        for step in [1, 4, 4, 7] {
            metrics.write(&line(step)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let mut metrics = Metrics::open(&path, Some(5)).unwrap();
        metrics.write(&line(6)).unwrap();
        assert_eq!(steps(&path), [1, 4, 4, 6]);
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        Metrics::open(&path, Some(100)).unwrap();
        assert_eq!(steps(&path), [1, 4, 4]);
        Metrics::open(&path, None).unwrap();
        assert!(steps(&path).is_empty());
    }
}
