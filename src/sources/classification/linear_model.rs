//! A linear model of departments: every word, pair of words and part of a word of a title weighs for or against each
//! department, and so does what the tables say. It knows words that no table has, and how far the tables are to be trusted.
//!
//! Its weights, `departments.model`, are made by `tests/training.rs` of the labelled titles in `tests/labelled`.

use super::departments::{Basis, Reading};
use super::words::Part;
use domain::radar::filter::Department;

/// Of each feature the weights for all departments, as signed bytes.
pub const WEIGHTS: &[u8] = include_bytes!("departments.model");
/// How many departments there are.
pub const DEPARTMENTS: usize = Department::ALL.len();
/// The feature that every title has.
pub const ALWAYS: usize = 0;
/// The feature of titles that the tables find no department in.
const NOTHING: usize = 1;
const FIRST_BASIS: usize = 2;
const FIRST_DEPARTMENT: usize = FIRST_BASIS + Basis::Unknown as usize + 1;
/// How many features tell what the tables say; those of words stand behind.
pub const READING_FEATURES: usize = FIRST_DEPARTMENT + DEPARTMENTS;
/// How many features there are of words. Few that matter share one.
pub const WORD_FEATURES: usize = 1 << 15;
/// How many letters parts of words have.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=5;

/// The departments of the title that has these parts, in the order of the specification.
pub fn predict(parts: &[Part], reading: Reading) -> Vec<Department> {
    weigh(&features(parts, &reading), reading, WEIGHTS)
}

/// The departments that `features` weigh more for than against. A title that is a phrase of the tables is what they say.
pub fn weigh(features: &[usize], reading: Reading, weights: &[u8]) -> Vec<Department> {
    if reading.basis == Basis::WholeRole {
        return reading.departments;
    }
    let mut scores = [0_i32; DEPARTMENTS];
    for feature in features {
        let weights = weights.iter().skip(feature * DEPARTMENTS);
        scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += i32::from(weight.cast_signed()));
    }
    Department::ALL.iter().zip(scores).filter(|(_, score)| *score > 0).map(|(department, _)| *department).collect()
}

/// The features that a title has, each once, in ascending order.
pub fn features(parts: &[Part], reading: &Reading) -> Vec<usize> {
    let mut features = vec![ALWAYS, basis_feature(reading.basis)];
    features.extend(reading.departments.is_empty().then_some(NOTHING));
    features.extend(reading.departments.iter().map(|department| department_feature(*department)));
    features.extend(parts.iter().flat_map(word_features));
    features.sort_unstable();
    features.dedup();
    features
}

/// The feature of titles that the tables know on this basis.
pub const fn basis_feature(basis: Basis) -> usize {
    FIRST_BASIS + basis as usize
}

/// The feature of titles that the tables find `department` in.
pub const fn department_feature(department: Department) -> usize {
    FIRST_DEPARTMENT + department as usize
}

fn word_features(part: &Part) -> Vec<usize> {
    let words: Vec<&String> = part.pieces.iter().flatten().collect();
    let mut features: Vec<usize> = words.iter().map(|word| word_feature(word.chars())).collect();
    features.extend(words.windows(2).map(|pair| word_feature(pair[0].chars().chain([' ']).chain(pair[1].chars()))));
    for word in words {
        let letters: Vec<char> = ['^'].into_iter().chain(word.chars()).chain(['$']).collect();
        let parts = LETTERS.flat_map(|count| letters.windows(count));
        features.extend(parts.map(|part| word_feature(part.iter().copied())));
    }
    features
}

/// The feature of these letters, by their FNV-1a hash.
fn word_feature(letters: impl Iterator<Item = char>) -> usize {
    let mix = |hash: u64, letter| (hash ^ u64::from(letter)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = letters.fold(0xcbf2_9ce4_8422_2325, mix);
    READING_FEATURES + (hash >> 40) as usize % WORD_FEATURES
}
