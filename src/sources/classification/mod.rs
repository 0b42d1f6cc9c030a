//! What a job title says of department and rank (Spec 2.3).
//!
//! Duty: words to the closed vocabularies, by the tables beside this file. Pure. A title that says nothing gets no label:
//! a filter must not match what nobody wrote.

pub mod country;
mod departments;
mod seniorities;
mod vocabulary;
mod words;

pub use departments::departments_of;
pub use seniorities::seniorities_of;

use domain::radar::filter::Role;

/// The role that `title` names; `department_words` are the source's own words for its department.
pub fn role_of(title: &str, department_words: &[String]) -> Role {
    Role {
        title: title.to_owned(),
        departments: departments_of(title, department_words),
        seniorities: seniorities_of(title),
    }
}
