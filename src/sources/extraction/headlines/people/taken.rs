//! Posts that companies give: the person and the post among the words behind the verb.

use super::alone::{alone, describes, rare_surname, surname_alone};
use super::before::{is_former, is_insider, post_before};
use super::persons::{is_surely_a_person, person_at, person_between};
use super::posts::{ENGAGED, Post, is_of_firms, lead, post};
use super::rows::{ROWS, Shape};
use super::{BEFORE_PERSON_MAX, Move, PersonMove, moved};
use crate::extraction::headlines::companies::company_at;
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::names::PersonName;
use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::{Word, joined, place_of};

/// Words behind a person among which `as` may stand.
const ASIDE_MAX: usize = 14;
/// As many words begin with an `as` that stands among [`ASIDE_MAX`]: it has up to three words.
const AS_WITHIN: usize = ASIDE_MAX + 2;
/// People behind one verb of whom it is asked whether they are given a post.
const PERSONS_MAX: usize = 3;
/// What goes on behind a person whom a verb means that means people alone.
const BEHIND_HIRED: &[&str] = &[
    "from", "in", "at", "von", "away", "to", "amid", "after", "as", "for", "appointment", "pour", "para", "per", "um",
    "voor", "ein", "einen", "eine", "zu", "como", "comme", "come", "als",
];
/// Words of a title of which none is known of posts.
const TITLE_MAX: usize = 5;
/// Words between a post and the name behind it.
const ARTICLES_MAX: usize = 3;
/// Words behind a post among which `a` leads to the name.
const POST_WITHIN: usize = 8;
/// Words behind a name among which it is said what a firm is engaged as.
const FIRM_WITHIN: usize = 8;

/// Where `as` stands among the first words, in one of the languages of headlines.
pub(super) fn place_of_as(words: &[Word<'_>]) -> Option<usize> {
    static AS: Phrases<u8> = Phrases::new("1: as | als | comme | como | come | tot | en tant que");
    (0..words.len()).find(|at| AS.length_at(&words[*at..]) > 0)
}

/// The person behind a verb, with the post behind or before the name, which is one at the company that acts; whether the
/// person had a post at the company before, and what stands behind.
pub(super) fn taken<'a>(
    rest: &'a [Word<'a>],
    kind: Move,
    acting: Option<&String>,
) -> Option<(PersonMove, bool, &'a [Word<'a>])> {
    let rest = &rest[..rest.iter().position(|word| word.written.ends_with(';')).map_or(rest.len(), |at| at + 1)];
    let limit = place_of_as(rest).unwrap_or(rest.len());
    let between = person_between(&rest[..limit]);
    let last = if limit < rest.len() { person_at_end(&rest[..limit]) } else { None };
    let mut persons_left = PERSONS_MAX;
    for start in 0..limit.min(BEFORE_PERSON_MAX) {
        let found = named_at(rest, start, limit, between.as_ref());
        let Some((length, person)) =
            found.filter(|(length, _)| !last.is_some_and(|at| leads_to(&rest[start..limit], *length, start, at)))
        else {
            continue;
        };
        persons_left = persons_left.checked_sub(1)?;
        let (before, behind) = (&rest[..start], &rest[start + length..]);
        // "Acme announces CEO Ada Byron to retire".
        let is_leaving = ROWS.at(behind).any(|row| row.meaning.shape == Shape::Leaves);
        if is_leaving || before.iter().any(|word| word.is(Class::Departure)) {
            return None;
        }
        let is_own = before.iter().any(is_insider);
        let is_former = !is_own && before.iter().any(is_former);
        let is_new = place_of(before, &["new", "next", "first", "incoming"]).is_some();
        let before_post = post_before(before);
        // "promotes COO Ada Byron", "taps Quarry CFO Ada Byron to lead", "names CFO Ada Byron as CEO".
        let is_of_other = before_post.as_ref().is_some_and(|post| {
            post.company.as_ref().is_some_and(|company| acting.is_some_and(|acting| company != acting))
        });
        if let Some(post) =
            post_behind(behind).filter(|post| kind == Move::Promotion || is_given_to_people(post, &person))
        {
            let previous = before_post.filter(|_| !is_new);
            let post = post.at(acting);
            let is_inside = is_own || !is_former && previous.as_ref().is_some_and(|post| post.company.is_none());
            let behind = &behind[post.length.min(behind.len())..];
            return Some((moved(kind, person, None, Some(post), previous), is_inside, behind));
        }
        let behind = behind_others(behind);
        let (employer, behind) = behind_employer(behind).map_or((None, behind), |(name, behind)| (Some(name), behind));
        let is_doing = behind.first().is_some_and(|word| word.bare == "to")
            && behind.get(1).is_some_and(|word| word.is(Class::Doing))
            || is_to_post(behind);
        // What somebody was does not say what they become.
        let has_post = before_post.is_some();
        let was = is_former || has_post && !is_new && (is_of_other || kind == Move::Promotion || is_doing);
        let is_inside = is_own || was && has_post && !is_former && !is_of_other;
        let (previous, post) = if was { (before_post, None) } else { (None, before_post) };
        let is_known = || is_surely_a_person(&person) && before.last().is_some_and(describes);
        if is_doing && (start == 0 || was || is_known()) || post.is_some() || was && has_post && !is_former {
            let mut found = moved(kind, person, None, post, previous);
            found.previous_company = found.previous_company.or(employer);
            return Some((found, is_inside, behind));
        }
    }
    alone(rest, kind, acting)
}

/// `como nuevo CEO a Ada Byron`, `presidente del consejo a Ada Byron`: the post stands before the name.
pub(super) fn named_after_post<'a>(
    rest: &'a [Word<'a>],
    kind: Move,
    acting: Option<&String>,
) -> Option<(PersonMove, bool, &'a [Word<'a>])> {
    let is_led = place_of_as(rest) == Some(0);
    let post = if is_led || rest.first()?.is_of_posts() { post(rest)? } else { return None };
    let behind = &rest[post.length.min(rest.len())..];
    let person = |at: usize| person_at(&behind[at..]).map(|(length, person)| (at + length, person));
    let next = || (0..behind.len().min(ARTICLES_MAX)).find_map(person).filter(|_| is_led);
    // "consejero delegado de Acme a Ada Byron".
    let links = (0..behind.len().min(POST_WITHIN)).filter(|at| behind[*at].is_one_of(&["a", "al", "à"]));
    let behind_link = |at: usize| (at + 1..behind.len().min(at + 1 + ARTICLES_MAX)).find_map(person);
    let (end, person) = next().or_else(|| links.into_iter().find_map(behind_link))?;
    Some((moved(kind, person, None, Some(post.at(acting)), None), false, &behind[end..]))
}

/// The person named at `start`, before the `as` at `limit`, perhaps by a name in no list or by the family's alone.
fn named_at(
    rest: &[Word<'_>],
    start: usize,
    limit: usize,
    between: Option<&(usize, PersonName)>,
) -> Option<(usize, PersonName)> {
    let between = || between.filter(|(at, _)| *at == start).map(|(_, person)| (limit - start, person.clone()));
    // "Acme hires Quarry's Stone as CEO".
    let is_alone = start > 0 && start + 1 == limit && limit < rest.len();
    // "picks Stone, a former banker, as CEO".
    let is_next = start == 0 && limit < rest.len() && rest[0].written.ends_with(',');
    let alone = || match (is_alone, is_next) {
        (true, _) => surname_alone(&rest[..limit]).map(|(_, person)| person),
        (_, true) => rare_surname(&rest[0]),
        _ => None,
    };
    person_at(&rest[start..limit]).or_else(between).or_else(|| alone().map(|person| (1, person)))
}

/// Where the person begins whose name ends `words`.
fn person_at_end(words: &[Word<'_>]) -> Option<usize> {
    let is_last = |at: &usize| person_at(&words[*at..]).is_some_and(|(length, _)| at + length == words.len());
    (1..words.len().min(BEFORE_PERSON_MAX)).find(is_last)
}

/// Whether what looks like a name of `length` words at `start` only leads to the one at `last`, which `as` follows: `Apple
/// App Store Head Ada Byron as CFO`.
fn leads_to(words: &[Word<'_>], length: usize, start: usize, last: usize) -> bool {
    start + length <= last && words[..last - start].iter().all(|word| word.is_large() && !word.ends_part())
}

/// `for top programming job`, `à la tête de sa division`: a post that no word of it names.
fn is_to_post(behind: &[Word<'_>]) -> bool {
    static AT_HEAD: Phrases<u8> =
        Phrases::new("1: a la tete | alla guida | al frente | a la cabeza | an die spitze | na lideranca");
    let is_led = behind.first().is_some_and(|word| word.is_one_of(&["to", "for", "in", "into"]));
    let posts = ["job", "post", "role", "position", "roles"];
    AT_HEAD.length_at(behind) > 0 || is_led && place_of(&behind[..behind.len().min(POST_WITHIN)], &posts).is_some()
}

/// The person behind a verb that means people alone, where the headline ends or goes on with something else about them.
pub(super) fn hired<'a>(rest: &'a [Word<'a>], kind: Move) -> Option<(PersonMove, bool, &'a [Word<'a>])> {
    let starts = 0..rest.len().min(BEFORE_PERSON_MAX);
    let full = starts.into_iter().find_map(|start| Some((start, person_at(&rest[start..])?)));
    // "holt Ex-Managerin Stone".
    let described = || {
        let (name, before) = rest
            .split_last()
            .filter(|(_, before)| before.last().is_some_and(describes) && place_of(before, &["from"]).is_none())?;
        Some((before.len(), (1, rare_surname(name)?)))
    };
    let (start, (length, person)) = full.or_else(described)?;
    let behind = behind_others(&rest[start + length..]);
    let is_over = rest[rest.len() - behind.len() - 1].ends_part()
        || behind.first().is_none_or(|next| next.is_one_of(BEHIND_HIRED));
    // Firms are engaged as well: "appoints Jones Day as counsel".
    let is_of_firm = behind.iter().take(FIRM_WITHIN).any(|word| word.is_one_of(ENGAGED));
    let is_apart =
        |word: &Word<'_>| word.ends_part() || word.is_one_of(&["para", "pour", "per", "um", "to", "for", "om"]);
    let is_described = rest[..start].last().is_some_and(describes);
    let is_stated = is_over
        && !is_of_firm
        && (is_surely_a_person(&person) || is_described && length == 1)
        && (is_described || !rest[..start].iter().any(is_apart));
    is_stated.then(|| (moved(kind, person, None, post_named(behind), None), false, behind))
}

/// What somebody is taken as, though no word of it is known of posts: `as Installation Landscaper`.
fn post_named(behind: &[Word<'_>]) -> Option<Post> {
    let lead = if behind.first()?.bare == "as" { lead(behind) } else { 0 };
    let named = &behind[lead..];
    let is_part = |word: &&Word<'_>| word.is_large() && !word.is(Class::EndOfPost) && !word.ends_part();
    let length = named.iter().take(TITLE_MAX).take_while(is_part).count();
    let ends = named.get(length).filter(|word| word.is_large() && !word.is(Class::EndOfPost) && !word.is_dash());
    let title = joined(&named[..length + usize::from(ends.is_some())]);
    let title = title.trim_end_matches([',', ';', ':', '.']).to_owned();
    (lead > 0 && !title.is_empty()).then(|| Post { title, ..Post::default() })
}

/// What stands behind the others that are named with somebody: `and Grace Hopper to lead sales`.
fn behind_others<'a>(behind: &'a [Word<'a>]) -> &'a [Word<'a>] {
    match behind {
        [word, rest @ ..] if word.written == "&" || word.is_one_of(&["and", "und", "e", "y", "et", "en"]) => {
            person_at(rest).map_or(behind, |(length, _)| &rest[length..])
        }
        _ => behind,
    }
}

/// The employer before, and what stands behind it: `from Quarry to lead sales`.
fn behind_employer<'a>(behind: &'a [Word<'a>]) -> Option<(String, &'a [Word<'a>])> {
    let (_, rest) = behind.split_first().filter(|(word, _)| word.bare == "from")?;
    let at = place_of(&rest[..rest.len().min(ASIDE_MAX)], &["to"])?;
    Some((company_at(&rest[..at])?, &rest[at..]))
}

/// The post behind a name: at once, or behind `as` after some words about the person.
fn post_behind(behind: &[Word<'_>]) -> Option<Post> {
    let first = behind.first()?;
    // "Ada Byron Legislative Director".
    let is_rank_next = || first.is_large() && first.is_common() && behind.get(1).is_some_and(Word::is_rank);
    let leads = lead(behind) > 0 || first.is_of_posts() || is_rank_next();
    let after = |at: usize| post(&behind[at..]).map(|post| Post { length: at + post.length, ..post });
    let as_said = || {
        let at = place_of_as(&behind[..behind.len().min(AS_WITHIN)]).filter(|at| *at < ASIDE_MAX)?;
        // "Ada Byron and Grace Hopper as directors" are two, "Ada Byron; names Grace Hopper as CFO" is another sentence.
        let is_other = behind[..at].iter().any(|word| word.written.ends_with([';', ':']) || word.is_dash());
        if is_other { None } else { after(at) }
    };
    let near = &behind[..behind.len().min(ASIDE_MAX)];
    // "Ada Byron and Grace Hopper to Board of Directors".
    let several = || place_of(near, &["to"]).and_then(after);
    // "Ada Byron, former CFO of Quarry, president".
    let behind_aside = || {
        let at = near.iter().position(|word| word.written.ends_with(','))? + 1;
        behind.get(at).filter(|word| word.is_of_posts()).and_then(|_| after(at))
    };
    let found = if leads { post(behind) } else { None };
    found.or_else(as_said).or_else(several).or_else(behind_aside)
}

/// Firms are partners, advisers, managers and members as well: there the name must be one that people have.
pub(super) fn is_given_to_people(post: &Post, person: &PersonName) -> bool {
    !is_of_firms(&post.title) || is_surely_a_person(person)
}
