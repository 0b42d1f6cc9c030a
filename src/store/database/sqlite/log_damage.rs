//! Whether the log of an SQLite database still has everything that was committed to it.
//!
//! SQLite reads a log up to the first frame that is not what its checksum says, and takes that for the end: a bit that
//! flipped, or a log that was cut short, takes every later commit with it, and nobody is told. What stands there besides
//! tells: the index of the log (`-shm`) counts the frames that were committed, and frames of later commits lie behind the
//! damage. Without its index, damage to the last commit of a log looks like a write that was cut off, and is not seen.
//!
//! Only before the database is opened: closing a file ends the locks that SQLite holds on it.

use std::fs;
use std::io;
use std::path::Path;

use super::files::beside;

/// Bytes before the first frame, and those of a frame before its page.
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// What a log begins with; the last bit says in which order its checksums take bytes.
const MAGIC: u32 = 0x377f_0682;
/// The index begins with two copies of this many bytes.
const INDEX_HEADER: usize = 48;
/// Commits behind the end of what can be read. One may be a write that was cut off; before a second is written, the first
/// is on the disk.
const LATER_COMMITS_MAX: usize = 1;

/// A sentence on what is wrong with the log of the database at `path`.
///
/// # Errors
/// The files cannot be read.
pub(crate) fn find(path: &Path) -> io::Result<Option<String>> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut seen = None;
    // A service may be writing: what it has not yet finished is not there a second time.
    loop {
        let index = read(&beside(&path, "-shm"))?;
        let log = read(&beside(&path, "-wal"))?;
        let is_empty = fs::metadata(&path).map_or(true, |database| database.len() == 0);
        let Some(problem) = problem(&log, &index, is_empty) else { return Ok(None) };
        if seen.as_ref() == Some(&problem) {
            return Ok(Some(format!("{}-wal is damaged: {problem}", path.display())));
        }
        seen = Some(problem);
    }
}

/// A missing file is empty.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn problem(log: &[u8], index: &[u8], is_database_empty: bool) -> Option<String> {
    if log.is_empty() {
        return None;
    }
    if is_database_empty {
        return Some("it belongs to a database that is not there".to_owned());
    }
    let Some(log) = Log::read(log) else { return Some("its beginning cannot be read".to_owned()) };
    let lost = log.lost_by_index(index).unwrap_or_else(|| log.lost_by_commits());
    (lost > 0).then(|| format!("{lost} of its frames, which were committed, cannot be read"))
}

/// What is in a log.
struct Log<'a> {
    salts: &'a [u8],
    frames: &'a [u8],
    frame_bytes: usize,
    /// Frames up to the last commit that SQLite finds.
    readable: usize,
}

impl<'a> Log<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        let frames = bytes.get(HEADER..)?;
        let magic = number(header, 0)?;
        let order = if magic & 1 == 1 { u32::from_be_bytes } else { u32::from_le_bytes };
        let mut sums = checksum([0, 0], header.get(..24)?, order);
        if magic & !1 != MAGIC || stored_sums(header, 24)? != sums {
            return None;
        }
        let frame_bytes = FRAME_HEADER + usize::try_from(number(header, 8)?).ok()?;
        let salts = header.get(16..24)?;
        let mut readable = 0;
        for (position, frame) in frames.chunks_exact(frame_bytes).enumerate() {
            sums = checksum(checksum(sums, frame.get(..8)?, order), frame.get(FRAME_HEADER..)?, order);
            if frame.get(8..16)? != salts || stored_sums(frame, 16)? != sums {
                break;
            }
            if is_commit(frame) {
                readable = position + 1;
            }
        }
        Some(Self { salts, frames, frame_bytes, readable })
    }

    /// Frames that the index counts beyond those that can be read; `None` where it is of another log or cannot be read.
    fn lost_by_index(&self, index: &[u8]) -> Option<usize> {
        let (first, second) = (index.get(..INDEX_HEADER)?, index.get(INDEX_HEADER..2 * INDEX_HEADER)?);
        let native = |at: usize| Some(u32::from_ne_bytes(first.get(at..at + 4)?.try_into().ok()?));
        let sums = checksum([0, 0], first.get(..40)?, u32::from_ne_bytes);
        if first != second || [native(40)?, native(44)?] != sums || first.get(32..40)? != self.salts {
            return None;
        }
        Some(usize::try_from(native(16)?).ok()?.saturating_sub(self.readable))
    }

    /// Frames of this log behind the end of what can be read, if they are of more commits than one. Commits that failed
    /// because the disk did leave such frames, too, which only the index tells from those that were committed.
    fn lost_by_commits(&self) -> usize {
        let later = self.frames.chunks_exact(self.frame_bytes).skip(self.readable);
        let ours: Vec<&[u8]> = later.filter(|frame| frame.get(8..16) == Some(self.salts)).collect();
        let commits = ours.iter().filter(|frame| is_commit(frame)).count();
        if commits > LATER_COMMITS_MAX { ours.len() } else { 0 }
    }
}

/// The last frame of a commit says how large the database is then.
fn is_commit(frame: &[u8]) -> bool {
    number(frame, 4).is_some_and(|pages| pages > 0)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn stored_sums(bytes: &[u8], at: usize) -> Option<[u32; 2]> {
    Some([number(bytes, at)?, number(bytes, at + 4)?])
}

/// SQLite's checksum over `bytes`, going on from `sums`.
fn checksum(sums: [u32; 2], bytes: &[u8], order: fn([u8; 4]) -> u32) -> [u32; 2] {
    let words = bytes.as_chunks::<4>().0.as_chunks::<2>().0;
    words.iter().fold(sums, |[first, second], pair| {
        let first = first.wrapping_add(order(pair[0])).wrapping_add(second);
        [first, second.wrapping_add(order(pair[1])).wrapping_add(first)]
    })
}
