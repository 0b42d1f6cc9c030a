//! Answers that are packed: gzip, and the first file of a zip archive.
//!
//! Duty: packed bytes to plain ones, within a bound. Never here: what they mean.

use std::io::Read;

use flate2::Crc;
use flate2::read::{DeflateDecoder, MultiGzDecoder};

use serde::Deserialize;

/// How an answer is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// A gzip stream.
    Gzip,
    /// The first file of a zip archive.
    Zip,
}

/// Why an answer cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// Its bytes are damaged, encrypted, or packed by a method that is not known here.
    #[error("it cannot be unpacked")]
    Damaged,
    /// It unpacks to more than is read.
    #[error("it unpacks to too much")]
    TooLarge,
}

/// What a gzip stream begins with.
const GZIP: &[u8] = b"\x1f\x8b";
/// What a zip archive that holds a file begins with.
const ZIP: &[u8] = b"PK\x03\x04";
/// The length of what stands before the name of a file in a zip archive.
const ZIP_HEADER_BYTES: usize = 30;

/// The plain bytes of `body`, at most `bytes_max`; `None` where it is not packed that way, as answers of caches and tests
/// may not be.
pub fn unpacked(packing: Packing, body: &[u8], bytes_max: usize) -> Result<Option<Vec<u8>>, PackedError> {
    match packing {
        Packing::Gzip if body.starts_with(GZIP) => read_all(MultiGzDecoder::new(body), bytes_max).map(Some),
        Packing::Zip if body.starts_with(ZIP) => first_file(body, bytes_max).map(Some),
        Packing::Gzip | Packing::Zip => Ok(None),
    }
}

fn read_all(reader: impl Read, bytes_max: usize) -> Result<Vec<u8>, PackedError> {
    let mut plain = Vec::new();
    let bound = u64::try_from(bytes_max).unwrap_or(u64::MAX);
    let read = reader.take(bound.saturating_add(1)).read_to_end(&mut plain).map_err(|_| PackedError::Damaged)?;
    if read > bytes_max { Err(PackedError::TooLarge) } else { Ok(plain) }
}

/// The first file, read from its own header: what the archive says of itself at its end is not needed.
fn first_file(archive: &[u8], bytes_max: usize) -> Result<Vec<u8>, PackedError> {
    let field = |at: usize, bytes: usize| {
        let field = archive.get(at..at + bytes).ok_or(PackedError::Damaged)?;
        Ok(field.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let (flags, method, sum, packed_bytes) = (field(6, 2)?, field(8, 2)?, field(14, 4)?, field(18, 4)?);
    let data = archive.get(ZIP_HEADER_BYTES + field(26, 2)? + field(28, 2)?..).ok_or(PackedError::Damaged)?;
    let (is_encrypted, has_sums_behind) = (flags & 1 != 0, flags & 8 != 0);
    let plain = match method {
        _ if is_encrypted => return Err(PackedError::Damaged),
        0 if !has_sums_behind => read_all(data.get(..packed_bytes).ok_or(PackedError::Damaged)?, bytes_max)?,
        8 => read_all(DeflateDecoder::new(data), bytes_max)?,
        _ => return Err(PackedError::Damaged),
    };
    let mut crc = Crc::new();
    crc.update(&plain);
    let is_whole = has_sums_behind || usize::try_from(crc.sum()).is_ok_and(|found| found == sum);
    if is_whole { Ok(plain) } else { Err(PackedError::Damaged) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder};
    use proptest::prelude::*;

    use super::{PackedError, Packing};

    const BYTES_MAX: usize = 8 * 1024 * 1024;

    fn unpacked(packing: Packing, body: &[u8]) -> Result<Option<Vec<u8>>, PackedError> {
        super::unpacked(packing, body, BYTES_MAX)
    }

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    /// An archive of one file, as far as its own header and bytes.
    fn zip(plain: &[u8], is_stored: bool) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).unwrap();
        let data = if is_stored { plain.to_vec() } else { encoder.finish().unwrap() };
        let mut crc = flate2::Crc::new();
        crc.update(plain);
        let method: u16 = if is_stored { 0 } else { 8 };
        let mut archive = b"PK\x03\x04\x14\0\0\0".to_vec();
        archive.extend(method.to_le_bytes());
        archive.extend([0; 4]);
        archive.extend(crc.sum().to_le_bytes());
        archive.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        archive.extend(u32::try_from(plain.len()).unwrap().to_le_bytes());
        archive.extend(5_u16.to_le_bytes());
        archive.extend(0_u16.to_le_bytes());
        archive.extend(b"a.csv");
        archive.extend(data);
        archive.extend(b"PK\x01\x02 and so on");
        archive
    }

    #[test]
    fn packed_answers_are_unpacked_and_plain_ones_left_alone() {
        let plain = b"1\tAcme\n2\tBeta\n".as_slice();
        assert_eq!(unpacked(Packing::Gzip, &gzip(plain)).unwrap().as_deref(), Some(plain));
        assert_eq!(
            unpacked(Packing::Gzip, &[gzip(b"1\t"), gzip(b"Acme")].concat()).unwrap().as_deref(),
            Some(&b"1\tAcme"[..])
        );
        for is_stored in [true, false] {
            assert_eq!(unpacked(Packing::Zip, &zip(plain, is_stored)).unwrap().as_deref(), Some(plain));
        }
        for packing in [Packing::Gzip, Packing::Zip] {
            assert_eq!(unpacked(packing, plain).unwrap(), None);
            assert_eq!(unpacked(packing, b"").unwrap(), None);
        }
    }

    #[test]
    fn damaged_encrypted_and_strange_archives_are_refused() {
        let whole = zip(b"some text that is long enough to be packed, packed, packed", false);
        for (at, byte, what) in
            [(6, 1, "encrypted"), (8, 9, "another method"), (14, 0x5a, "another sum"), (26, 0xff, "no data")]
        {
            let mut archive = whole.clone();
            archive[at] = byte;
            archive[at + 1] = if at == 26 { 0xff } else { archive[at + 1] };
            assert!(matches!(unpacked(Packing::Zip, &archive), Err(PackedError::Damaged)), "{what}");
        }
        assert!(matches!(unpacked(Packing::Zip, &whole[..45]), Err(PackedError::Damaged)), "cut off");
        assert!(matches!(unpacked(Packing::Gzip, &gzip(b"some text")[..12]), Err(PackedError::Damaged)), "cut off");
    }

    #[test]
    fn a_bomb_is_refused_at_the_bound() {
        let zeros = vec![0; BYTES_MAX + 1];
        assert!(matches!(unpacked(Packing::Gzip, &gzip(&zeros)), Err(PackedError::TooLarge)));
        assert!(matches!(unpacked(Packing::Zip, &zip(&zeros, false)), Err(PackedError::TooLarge)));
        assert_eq!(unpacked(Packing::Gzip, &gzip(&zeros[1..])).unwrap().map(|plain| plain.len()), Some(BYTES_MAX));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut body in proptest::collection::vec(any::<u8>(), 0..200), is_zip in any::<bool>()) {
            let packing = if is_zip { Packing::Zip } else { Packing::Gzip };
            drop(unpacked(packing, &body));
            let magic: &[u8] = if is_zip { b"PK\x03\x04" } else { b"\x1f\x8b\x08" };
            body.splice(0..0, magic.iter().copied());
            drop(unpacked(packing, &body));
        }
    }
}
