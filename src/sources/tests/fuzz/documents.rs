//! Documents made up from a number, the same for the same number.

use std::path::Path;

use crate::dice::Dice;
use crate::pieces::{Pieces, pieces_of};

/// Most documents are not longer; a few are as long as the second.
const BYTES_MAX: [usize; 2] = [4 * 1024, 64 * 1024];
/// Numbers that programs get wrong.
const NUMBERS: &[&str] =
    &["0", "-1", "1e999", "255", "2147483648", "9223372036854775808", "18446744073709551616", "0.1", "NaN"];

/// The documents of the corpus for `target`, by the names of their files.
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort_unstable();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// What documents for one target are made of.
pub struct Documents {
    known: Vec<Vec<u8>>,
    pieces: Pieces,
}

impl Documents {
    pub fn of(target: &str) -> Self {
        Self { known: corpus(target), pieces: pieces_of(target) }
    }

    /// How many there are to begin with.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Begins with this one, too, from now on.
    #[cfg(fuzz_coverage)]
    pub fn keep_if(&mut self, is_new: bool, document: Vec<u8>) {
        self.known.extend(is_new.then_some(document));
    }

    /// The document of this number.
    pub fn document(&self, seed: u64) -> Vec<u8> {
        let mut dice = Dice::new(seed);
        let mut document = match dice.below(4) {
            0 => self.in_a_row(&mut dice),
            _ => self.known[index(&mut dice, self.known.len())].clone(),
        };
        for _ in 0..=dice.below(8) {
            self.change(&mut dice, &mut document);
        }
        document.truncate(BYTES_MAX[usize::from(dice.below(40) == 0)]);
        document
    }

    fn piece(&self, dice: &mut Dice) -> &'static str {
        self.pieces.pieces[index(dice, self.pieces.pieces.len())]
    }

    /// Pieces in a row, some of them many times over.
    fn in_a_row(&self, dice: &mut Dice) -> Vec<u8> {
        let mut document = Vec::new();
        for _ in 0..dice.below(40) {
            let times = if dice.below(10) == 0 { index(dice, 500) } else { 1 };
            document.extend(self.piece(dice).repeat(times).into_bytes());
        }
        document
    }

    fn change(&self, dice: &mut Dice, document: &mut Vec<u8>) {
        let at = index(dice, document.len() + 1);
        let end = at + index(dice, (document.len() - at).min(64) + 1);
        match dice.below(11) {
            0 => document.truncate(at),
            1 | 2 => drop(document.splice(at..at, self.piece(dice).bytes())),
            3 => drop(document.splice(at..end, self.piece(dice).bytes())),
            4 => {
                let many = self.piece(dice).repeat(index(dice, 300));
                document.splice(at..at, many.bytes());
            }
            5 => drop(document.splice(at..end, [u8::try_from(dice.below(256)).unwrap_or_default()])),
            6 => drop(document.drain(at..end)),
            7 => {
                let again = document[at..end].repeat(1 + index(dice, 40));
                document.splice(at..at, again);
            }
            8 => {
                let other = &self.known[index(dice, self.known.len())];
                let from = index(dice, other.len() + 1);
                document.splice(at..end, other[from..].iter().take(400).copied());
            }
            9 => {
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                let from = at + document[at..].iter().position(is_digit).unwrap_or_default();
                let digits = document[from..].iter().take_while(|byte| is_digit(byte)).count();
                document.splice(from..from + digits, NUMBERS[index(dice, NUMBERS.len())].bytes());
            }
            _ => {
                let (before, behind) = self.pieces.around[index(dice, self.pieces.around.len())];
                document.splice(..0, before.bytes());
                document.extend(behind.bytes());
            }
        }
    }
}

/// A place in a list of this length; the first of an empty one.
fn index(dice: &mut Dice, length: usize) -> usize {
    usize::try_from(dice.below(length.max(1) as u64)).unwrap_or_default()
}
