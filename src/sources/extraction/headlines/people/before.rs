//! What stands before a name: the post that somebody has or takes, and whether they were at the company before.

use super::posts::{Post, post};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::word::Word;

/// The post before a name: `new CFO Ada Byron`, `former Quarry CFO Ada Byron`.
pub(super) fn post_before(before: &[Word<'_>]) -> Option<Post> {
    let before = &before[..before.len() - usize::from(before.last()?.is_dash())];
    let is_link = before.last()?.is_one_of(&["to", "as", "a", "al"]);
    let before = &before[..before.len() - usize::from(is_link)];
    // "Acme says CFO Ada Byron".
    let said = before.iter().rposition(|word| word.is_one_of(&["says", "said", "announces", "confirms", "dass", "as"]));
    let before = &before[said.map_or(0, |at| at + 1)..];
    if let Some(post) = post_of_company(before) {
        return Some(post);
    }
    // "changes on the board, CEO Ada Byron".
    let part = before.split_last().and_then(|(_, before)| {
        before.iter().rposition(|word| word.written.ends_with([',', ';', ':']) || word.is_dash())
    });
    let is_other = |at: usize| !before[..=at].iter().any(Word::is_of_posts) || before.len() - at > 1;
    let before = &before[part.filter(|at| is_other(*at) && !before[*at].is_of_posts()).map_or(0, |at| at + 1)..];
    before.last().filter(|word| word.is_of_posts() && (!word.ends_part() || word.written.ends_with([',', ':'])))?;
    let before = &before[before.iter().take_while(|word| word.is(Class::BeforePost)).count()..];
    let found = post(before).filter(|post| post.length == before.len())?;
    // An industry leader has no post.
    let described = ["leader", "executive", "specialist", "strategist", "architect", "expert", "partner", "engineer"];
    let (last, others) = before.split_last()?;
    let is_plain = others.last().is_none_or(|word| !word.is_of_posts());
    if last.is_one_of(&described) && is_plain && (last.is_small() || others.is_empty()) {
        return None;
    }
    let title = found.title.trim_start_matches("ex-").trim_start_matches("Ex-").to_owned();
    Some(Post { title, ..found })
}

/// The post before a name with its company between them: `The CEO of Acme, Ada Byron,`.
fn post_of_company(before: &[Word<'_>]) -> Option<Post> {
    let is_article = before.first()?.is_one_of(&["the", "le", "la", "el", "der", "die"]);
    let before = &before[usize::from(is_article)..];
    let (last, rest) = before.split_last().filter(|(last, _)| last.written.ends_with(','))?;
    let found = post(before).filter(|post| post.company.is_some() && post.length < rest.len())?;
    let is_whole = !rest.iter().any(Word::ends_part) && !last.is_of_posts();
    is_whole.then_some(found)
}

/// Whether the word before a name says that somebody is at the company: `company veteran`, `20-year veteran`.
pub(super) fn is_insider(word: &Word<'_>) -> bool {
    word.is_one_of(&["company", "longtime", "insider", "own"]) || word.bare.ends_with("-year")
}

/// Whether the word before a name says what somebody was.
pub(super) fn is_former(word: &Word<'_>) -> bool {
    word.is_one_of(&["former", "ex", "veteran", "vet", "alum", "alumnus", "alumna"]) || word.bare.starts_with("ex-")
}
