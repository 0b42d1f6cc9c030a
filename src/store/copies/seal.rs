//! The last line of a backup: a hash over everything before it.
//!
//! It stands behind the last page of an SQLite file, where SQLite does not look, so a backup can be opened as it is. Every
//! bit that flipped since, and every byte that is missing, tells.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use sha2::{Digest, Sha256};

/// How the line begins; 64 hexadecimal digits and a line end follow.
const BEGINNING: &str = "\nwhole copy made by radar backup, sha256 ";
const BYTES: u64 = BEGINNING.len() as u64 + 64 + 1;
const CHUNK: usize = 64 * 1024;

/// What the last line of a file says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// The file is as it was sealed.
    Intact,
    /// It has the line, but was changed.
    Broken,
    /// It has no such line.
    Missing,
}

/// Appends the line.
pub(super) fn seal(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len();
    file.rewind()?;
    let line = line_over(file, &mut io::sink(), length)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(&line)
}

/// Whether a file ends with such a line, whatever it says.
pub(super) fn has_seal(file: &mut File) -> io::Result<bool> {
    let Some(length) = file.metadata()?.len().checked_sub(BYTES) else { return Ok(false) };
    file.seek(SeekFrom::Start(length))?;
    let mut beginning = [0; BEGINNING.len()];
    file.read_exact(&mut beginning)?;
    Ok(beginning == BEGINNING.as_bytes())
}

/// Copies what is before the line of `from`.
pub(super) fn copy_sealed(from: &mut File, to: &mut File) -> io::Result<Seal> {
    if !has_seal(from)? {
        return Ok(Seal::Missing);
    }
    let length = from.metadata()?.len() - BYTES;
    from.rewind()?;
    let expected = line_over(from, to, length)?;
    let mut line = Vec::new();
    from.read_to_end(&mut line)?;
    Ok(if line == expected { Seal::Intact } else { Seal::Broken })
}

/// The line for the next `length` bytes of `from`, which are copied.
fn line_over(from: &mut File, to: &mut impl Write, length: u64) -> io::Result<Vec<u8>> {
    let mut from = from.take(length);
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = from.read(&mut chunk)?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
        to.write_all(bytes)?;
    }
    Ok(format!("{BEGINNING}{}\n", hex::encode(hash.finalize())).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Seal, copy_sealed, seal};
    use std::fs;
    use std::io::{Read, Seek, Write};

    fn copied(bytes: &[u8]) -> (Seal, Vec<u8>) {
        let (mut from, mut to) = (tempfile::tempfile().expect("a file"), tempfile::tempfile().expect("a file"));
        from.write_all(bytes).expect("written");
        let seal = copy_sealed(&mut from, &mut to).expect("copied");
        let mut copy = Vec::new();
        to.rewind().expect("rewound");
        to.read_to_end(&mut copy).expect("read");
        (seal, copy)
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_breaks_the_seal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, b"content").expect("written");
        seal(&mut fs::File::options().read(true).write(true).open(&path).expect("opened")).expect("sealed");
        let sealed = fs::read(&path).expect("read");
        assert_eq!(copied(&sealed), (Seal::Intact, b"content".to_vec()));
        for bit in 0..sealed.len() * 8 {
            let mut flipped = sealed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(copied(&flipped).0, Seal::Intact, "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert_ne!(copied(&sealed[..length]).0, Seal::Intact, "{length} bytes");
        }
        assert_ne!(copied(&[&sealed[..], b"\n"].concat()).0, Seal::Intact);
    }
}
