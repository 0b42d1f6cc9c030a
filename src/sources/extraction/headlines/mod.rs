//! Events that headlines tell of: moves of people, funding rounds; and the names of people.
//!
//! Duty: pure rules, each finding with the words that it stands on and how certain it is. Never here: where a headline
//! comes from, or which radar wants it.

mod announced;
mod cleaning;
mod companies;
#[cfg(test)]
mod cost;
mod funding;
mod known_names;
#[cfg(test)]
mod labelled;
mod lexicon;
mod money;
mod names;
mod people;
mod phrases;
mod table;
mod word;

pub use announced::{announced_funding, announced_move, moves_in_sentences};
pub use funding::{Funding, funding};
pub use known_names::{is_family_name, is_given_name};
pub use names::{PersonName, is_addressed, person_name};
pub use people::{Move, PersonMove, person_move};
