//! What a job title says of department and rank (Spec 2.3).
//!
//! Duty: words to the closed vocabularies, by the tables beside this file, and to departments by a linear model that weighs
//! what the tables say against the words themselves. Pure. A title that says nothing gets no label: a filter must not match
//! what nobody wrote.

pub mod country;
mod departments;
mod linear_model;
mod seniorities;
mod vocabulary;
mod words;

pub use seniorities::seniorities_of;

use departments::read;
use domain::radar::filter::{Department, Role};
use words::parts;

/// The role that `title` names; `department_words` are the source's own words for its department.
pub fn role_of(title: &str, department_words: &[String]) -> Role {
    Role {
        title: title.to_owned(),
        departments: departments_of(title, department_words),
        seniorities: seniorities_of(title),
    }
}

/// The departments that `title` speaks of, in the order of the specification. Where the tables know none of its words, the
/// source's own words for its department are heard before the model.
pub fn departments_of(title: &str, department_words: &[String]) -> Vec<Department> {
    let title = parts(title);
    let reading = read(&title);
    let words: &[String] = if reading.departments.is_empty() { department_words } else { &[] };
    let mut of_source: Vec<Department> = words.iter().flat_map(|words| read(&parts(words)).departments).collect();
    if of_source.is_empty() {
        return linear_model::predict(&title, reading);
    }
    of_source.sort_unstable();
    of_source.dedup();
    of_source
}

/// Whether the tables know `text` for a title: it names a rank or the work of a department. The model does not tell, since
/// it was made of titles only.
pub fn is_known_title(text: &str) -> bool {
    !seniorities_of(text).is_empty() || !read(&parts(text)).departments.is_empty()
}

#[cfg(test)]
mod tests;
