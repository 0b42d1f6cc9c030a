//! Whether the log of an SQLite database still has everything that was committed to it.
//!
//! SQLite reads a log up to the first frame that is not what its checksum says, and takes that for the end: a bit that
//! flipped, or a log that was cut short, takes every later commit with it, and nobody is told. What stands there besides
//! tells: the index of the log (`-shm`) counts the frames that were committed, and frames of later commits lie behind the
//! damage. Without its index, damage to the last commit of a log looks like a write that was cut off, and so does a cut
//! anywhere behind the first commit; neither is seen. A log without any commit is as good as none, which `log_marker` judges.
//!
//! A log can be longer than there is memory: it is read frame by frame.
//!
//! Only before the database is opened, but for [`has_commit`]: closing a file ends the locks that SQLite holds on it, and it
//! holds none on the log.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::files::beside;

/// Bytes before the first frame, and those of a frame before its page.
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// What a log begins with; the last bit says in which order its checksums take bytes.
const MAGIC: u32 = 0x377f_0682;
/// What a page can be long.
const PAGE_BYTES: std::ops::RangeInclusive<u32> = 512..=65_536;
/// The index begins with two copies of this many bytes.
const INDEX_HEADER: usize = 48;
/// Commits behind the end of what can be read. One may be a write that was cut off; before a second is written, the first
/// is on the disk.
const LATER_COMMITS_MAX: u64 = 1;

/// A sentence on what is wrong with the log of the database at `path`.
///
/// # Errors
/// The files cannot be read.
pub(crate) fn find(path: &Path) -> io::Result<Option<String>> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut seen = None;
    // A service may be writing: what it has not yet finished is not there a second time.
    loop {
        let index = read_index(&path)?;
        let is_empty = fs::metadata(&path).map_or(true, |database| database.len() == 0);
        let Some(problem) = problem(open_log(&path)?, &index, is_empty)? else { return Ok(None) };
        if seen.as_ref() == Some(&problem) {
            return Ok(Some(format!("{}-wal is damaged: {problem}", path.display())));
        }
        seen = Some(problem);
    }
}

/// Whether beside the database at `path` there is a log in which SQLite finds a commit.
///
/// # Errors
/// The log cannot be read.
pub(crate) fn has_commit(path: &Path) -> io::Result<bool> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(mut log) = open_log(&path)? else { return Ok(false) };
    Ok(Log::read(&mut log)?.is_some_and(|log| log.readable > 0))
}

/// The log, unless it is missing or empty.
fn open_log(path: &Path) -> io::Result<Option<BufReader<File>>> {
    match File::open(beside(path, "-wal")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Ok(log) if log.metadata()?.len() == 0 => Ok(None),
        opened => opened.map(|log| Some(BufReader::new(log))),
    }
}

/// The beginning of the index. A missing file is empty.
fn read_index(path: &Path) -> io::Result<Vec<u8>> {
    let mut index = Vec::new();
    match File::open(beside(path, "-shm")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(index),
        opened => opened?.take(2 * INDEX_HEADER as u64).read_to_end(&mut index).map(|_| index),
    }
}

fn problem(log: Option<impl Read>, index: &[u8], is_database_empty: bool) -> io::Result<Option<String>> {
    let Some(mut log) = log else { return Ok(None) };
    if is_database_empty {
        return Ok(Some("it belongs to a database that is not there".to_owned()));
    }
    let Some(log) = Log::read(&mut log)? else { return Ok(Some("its beginning cannot be read".to_owned())) };
    let lost = log.lost_by_index(index).unwrap_or_else(|| log.lost_by_commits());
    Ok((lost > 0).then(|| format!("{lost} of its frames, which were committed, cannot be read")))
}

/// The frames of a log, one after the other.
struct Frames<'a, R> {
    log: &'a mut R,
    order: fn([u8; 4]) -> u32,
    salts: [u8; 8],
    /// The checksum so far; `None` behind the first frame that is not what its checksum says.
    sums: Option<[u32; 2]>,
    frame: Vec<u8>,
}

/// What there is to know of a frame.
#[derive(Clone, Copy)]
struct Frame {
    /// Whether it and all before it are what their checksums say.
    is_readable: bool,
    /// Whether it is of this log; others were left behind by an earlier one.
    is_ours: bool,
    /// Whether a commit ends with it.
    is_commit: bool,
}

impl<'a, R: Read> Frames<'a, R> {
    /// Reads the beginning of a log; `None` if it is not that.
    fn begin(log: &'a mut R) -> io::Result<Option<Self>> {
        let mut header = [0; HEADER];
        if !fill(log, &mut header)? {
            return Ok(None);
        }
        let begun = |header: &[u8]| {
            let magic = number(header, 0)?;
            let order = if magic & 1 == 1 { u32::from_be_bytes } else { u32::from_le_bytes };
            let sums = checksum([0, 0], header.get(..24)?, order);
            let page_bytes = number(header, 8).filter(|bytes| PAGE_BYTES.contains(bytes))?;
            let salts = header.get(16..24)?.try_into().ok()?;
            let is_log = magic & !1 == MAGIC && stored_sums(header, 24)? == sums;
            is_log.then_some((order, sums, salts, FRAME_HEADER + usize::try_from(page_bytes).ok()?))
        };
        Ok(begun(&header).map(|(order, sums, salts, frame_bytes)| Self {
            log,
            order,
            salts,
            sums: Some(sums),
            frame: vec![0; frame_bytes],
        }))
    }

    /// The next frame that is whole.
    fn next(&mut self) -> io::Result<Option<Frame>> {
        if !fill(self.log, &mut self.frame)? {
            return Ok(None);
        }
        let is_ours = self.frame.get(8..16) == Some(&self.salts[..]);
        self.sums = self.sums.and_then(|sums| self.sums_after(sums)).filter(|_| is_ours);
        // The last frame of a commit says how large the database is then.
        let is_commit = number(&self.frame, 4).is_some_and(|pages| pages > 0);
        Ok(Some(Frame { is_readable: self.sums.is_some(), is_ours, is_commit }))
    }

    /// The checksum with this frame, if it says the same.
    fn sums_after(&self, sums: [u32; 2]) -> Option<[u32; 2]> {
        let sums = checksum(sums, self.frame.get(..8)?, self.order);
        let sums = checksum(sums, self.frame.get(FRAME_HEADER..)?, self.order);
        (stored_sums(&self.frame, 16)? == sums).then_some(sums)
    }
}

/// What is in a log.
struct Log {
    salts: [u8; 8],
    /// Frames up to the last commit that SQLite finds.
    readable: u64,
    /// Frames of this log behind those, and how many commits they end.
    later: u64,
    later_commits: u64,
}

impl Log {
    fn read(log: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(mut frames) = Frames::begin(log)? else { return Ok(None) };
        let mut read = Self { salts: frames.salts, readable: 0, later: 0, later_commits: 0 };
        let mut position = 0;
        while let Some(frame) = frames.next()? {
            position += 1;
            if frame.is_readable && frame.is_commit {
                read = Self { readable: position, later: 0, later_commits: 0, ..read };
            } else if frame.is_ours {
                read.later += 1;
                read.later_commits += u64::from(frame.is_commit);
            }
        }
        Ok(Some(read))
    }

    /// Frames that the index counts beyond those that can be read; `None` where it is of another log or cannot be read.
    fn lost_by_index(&self, index: &[u8]) -> Option<u64> {
        let first = index.get(..INDEX_HEADER)?;
        let second = index.get(INDEX_HEADER..2 * INDEX_HEADER)?;
        let native = |at: usize| Some(u32::from_ne_bytes(first.get(at..at + 4)?.try_into().ok()?));
        let sums = checksum([0, 0], first.get(..40)?, u32::from_ne_bytes);
        if first != second || [native(40)?, native(44)?] != sums || first.get(32..40)? != self.salts {
            return None;
        }
        Some(u64::from(native(16)?).saturating_sub(self.readable))
    }

    /// Frames of this log behind the end of what can be read, if they are of more commits than one. Commits that failed
    /// because the disk did leave such frames, too, which only the index tells from those that were committed.
    fn lost_by_commits(&self) -> u64 {
        if self.later_commits > LATER_COMMITS_MAX { self.later } else { 0 }
    }
}

/// Reads as many bytes as there is room for; `false` when fewer are left.
fn fill(log: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
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

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{FRAME_HEADER, HEADER, Log, MAGIC, checksum, problem};

    const PAGE: usize = 512;

    /// A log of commits of one page each.
    fn log(commits: u32) -> Vec<u8> {
        let words = [MAGIC, 3_007_000, PAGE as u32, 0, 7, 8];
        let mut log: Vec<u8> = words.into_iter().flat_map(u32::to_be_bytes).collect();
        let mut sums = checksum([0, 0], &log, u32::from_le_bytes);
        log.extend(sums.into_iter().flat_map(u32::to_be_bytes));
        for page in 1..=commits {
            let place: Vec<u8> = [page, commits].into_iter().flat_map(u32::to_be_bytes).collect();
            sums = checksum(checksum(sums, &place, u32::from_le_bytes), &[page as u8; PAGE], u32::from_le_bytes);
            log.extend([place, [7, 8].into_iter().flat_map(u32::to_be_bytes).collect()].concat());
            log.extend(sums.into_iter().flat_map(u32::to_be_bytes));
            log.extend([page as u8; PAGE]);
        }
        log
    }

    /// Insists on being read bit by bit.
    struct InParts<'a>(&'a [u8]);

    impl Read for InParts<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(buffer.len() <= FRAME_HEADER + PAGE, "never more than a frame is asked for");
            let most = buffer.len().min(100);
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn a_log_is_read_frame_by_frame_as_far_as_its_checksums_hold() {
        let (whole, frame) = (log(5), FRAME_HEADER + PAGE);
        for (bytes, flipped, readable, later_commits) in [
            (whole.len(), None, 5, 0),
            (whole.len(), Some(HEADER + 2 * frame + 100), 2, 3),
            (whole.len() - 1, None, 4, 0),
            (HEADER + frame, None, 1, 0),
            (HEADER + frame - 1, None, 0, 0),
            (HEADER, None, 0, 0),
        ] {
            let mut cut = whole[..bytes].to_vec();
            if let Some(at) = flipped {
                cut[at] ^= 1;
            }
            let read = Log::read(&mut InParts(&cut)).expect("read").expect("a log");
            assert_eq!((read.readable, read.later_commits), (readable, later_commits), "{bytes} {flipped:?}");
            let problem = problem(Some(InParts(&cut)), &[], false).expect("read");
            assert_eq!(problem.is_some(), later_commits > 1, "{problem:?}");
        }
        let mut other = whole.clone();
        other[9] = 0x40;
        for bytes in [&whole[..HEADER - 1], &other] {
            assert!(problem(Some(InParts(bytes)), &[], false).expect("read").is_some());
        }
    }
}
