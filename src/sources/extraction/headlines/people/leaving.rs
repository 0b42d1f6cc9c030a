//! Posts and companies that are left: `Acme fires CEO Ada Byron`, `Ada Byron resigns as CEO of Acme`.

use super::alone::{describes, family_beginning, rare_surname, surname_alone, surname_behind_post};
use super::before::post_before;
use super::employers::{acting_company, company_behind, company_of_verb};
use super::persons::{is_surely_a_person, person_at};
use super::posts::{Post, is_called_a_company, post};
use super::subject::{person_before, person_beginning, person_owning};
use super::{BEFORE_PERSON_MAX, Move, PersonMove, moved};
use crate::extraction::headlines::companies::company_at;
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::names::PersonName;
use crate::extraction::headlines::word::{Word, place_of};

/// Words of verbs by which people leave a post, where a company stands before a colon or behind `from`.
const LEFT_BY_PEOPLE: &[&str] = &[
    "resigns", "resigned", "retires", "retired", "retire", "retiring", "steps", "step", "stepped", "stepping",
    "zuruck", "dimite", "dimitio", "dimette", "dimesso", "dimessa", "demissionne", "renuncia", "renuncio", "treedt",
    "stapt", "hort", "geht", "verlasst", "lascia", "deja", "deixa", "quitte", "spugna",
];
/// What people alone take and leave, in verbs that name no post besides and right behind them: `deixa o comando da Acme`.
pub(super) const OFFICES: &[&str] = &[
    "presidencia", "presidence", "comando", "cargo", "direccion", "direction", "guida", "incarico", "chefposten",
    "posten", "vorsitz", "mandat", "functie", "amt", "conseil", "consejo", "conselho", "consiglio", "aufsichtsrat",
    "direzione", "presidenza", "direcao", "gerencia", "diretoria", "lideranca", "liderazgo", "chefia", "reitoria",
    "rectoria", "coordenacao", "direcao-adjunta", "ruolo", "puesto",
];
/// Words behind a verb of leaving among which they stand.
const OFFICE_WITHIN: usize = 6;
/// Verbs of who ends the work of people alone.
const DISMISSES: &[&str] = &[
    "fires", "ousts", "dismisses", "sacks", "feuert", "entlasst", "schasst", "debarque", "evince", "licencie",
    "limoge", "congedie", "demite", "afasta", "ontslaat", "licenzia", "destituye", "cesa", "ceso", "despide",
    "fulmina",
];
/// Verbs of which people are not the only object: `deixa fãs preocupados`; what is left stands right behind them.
const LETS: &[&str] =
    &["deixa", "deja", "lascia", "abandona", "leaves", "quits", "left", "quitte", "verlasst", "verlaat"];
/// What stands before a post that is left.
const AS: &[&str] = &["as", "als", "comme", "como", "come", "da", "from"];
/// Words behind a verb among which that stands.
const AS_WITHIN: usize = 4;
/// What may stand between a verb and the post that is left.
const BEFORE_LEFT: &[&str] = &["de", "do", "da", "di", "del", "la", "the", "el", "o", "als", "her", "his"];

/// What stands before news of some time ago.
const SINCE: &[&str] = &["after", "ante", "apos", "apres", "dopo", "following", "na", "nach", "since", "tras"];

/// `Acme fires CEO Ada Byron`, `Acme announces the retirement of CFO Ada Byron`.
pub(super) fn loses(before: &[Word<'_>], verb: &[Word<'_>], rest: &[Word<'_>], kind: Move) -> Option<PersonMove> {
    // "Nach Abgang von Ada Byron" tells of something else.
    if before.last().is_some_and(|word| word.is_one_of(SINCE)) {
        return None;
    }
    let starts = 0..rest.len().min(BEFORE_PERSON_MAX);
    let full = starts.into_iter().find_map(|start| Some((start, person_at(&rest[start..])?)));
    let of_dismissal = verb.iter().any(|word| word.is_one_of(DISMISSES));
    let at_once = || {
        let (name, behind) = rest.split_first().filter(|_| of_dismissal)?;
        let is_over = name.ends_part() || behind.first().is_none_or(Word::is_small);
        if is_over { rare_surname(name) } else { None }
    };
    let alone = || surname_behind_post(rest).or_else(|| Some((0, at_once()?))).map(|(at, person)| (at, (1, person)));
    // "fires CEO Stone as PC Sales Slump": who is named first.
    let (start, (length, person)) = [full, alone()].into_iter().flatten().min_by_key(|(start, _)| *start)?;
    let behind = &rest[start + length..];
    // "dismisses Ada Byron's warning".
    if rest[start + length - 1].is_owner() {
        return None;
    }
    let is_listed = rest[start + length - 1].written.ends_with(',');
    let is_named = is_listed || behind.first().is_some_and(|word| word.is_one_of(AS));
    let found = post_before(&rest[..start]).or_else(|| post(behind).filter(|_| is_named));
    let of_post = found.as_ref().and_then(|post| post.company.clone());
    let company = company_of_verb(before).or(of_post).or_else(|| company_behind(behind));
    // "announces the departure of Ada Byron", "demite Ada Byron da presidência".
    let is_said_by_people = person_before(before).is_some_and(|(_, acting)| is_surely_a_person(&acting));
    // "se sépare de son numéro 2, Ada Byron".
    let is_small = |word: &Word<'_>| !word.written.starts_with(char::is_uppercase);
    let is_described = start == 0 || rest[..start].iter().all(is_small) && rest[start - 1].ends_part();
    let is_sure = is_surely_a_person(&person) && is_described && !is_said_by_people;
    let is_of_job = verb.len() > 1 || of_dismissal;
    let is_stated = is_sure && (is_of_job && company.is_some() || place_of(behind, OFFICES).is_some());
    (found.is_some() || is_stated).then(|| moved(kind, person, company, found, None))
}

/// `Acme CEO Ada Byron steps down`, `Ada Byron resigns as CEO of Acme`.
pub(super) fn leaves(
    before: &[Word<'_>],
    verb: &[Word<'_>],
    rest: &[Word<'_>],
    kind: Move,
    is_managed: impl Fn() -> bool,
) -> Option<PersonMove> {
    let known = person_before(before)
        .or_else(|| person_owning(before))
        .or_else(|| surname_described(before))
        .or_else(|| family_beginning(before));
    let is_known = known.is_some();
    let (start, person) = known.or_else(|| person_beginning(before))?;
    // "Ada Byron, ousted Acme boss, says", "Grupo Ada Byron".
    let is_attribute = before.last().is_some_and(|word| word.written.ends_with(',')) && has_participle(verb);
    let is_group = before[..start].last().is_some_and(|word| word.is_one_of(&["group", "groupe", "gruppo", "grupo"]));
    if is_attribute || is_group {
        return None;
    }
    let rest = if verb.last().is_some_and(Word::ends_part) { &[] } else { rest };
    let held = post_before(&before[..start]);
    let left = post_left(verb, rest).or_else(|| post_aside(&before[start..]));
    // A name that is in no list is a person's where a post is left, or people alone do so.
    let has = |list: &[&str]| verb.iter().any(|word| word.is_one_of(list));
    let office = place_of(&rest[..rest.len().min(OFFICE_WITHIN)], OFFICES);
    let is_labelled = before[..start].last().is_some_and(|word| word.written.ends_with(':'));
    let is_from = rest.first().is_some_and(|word| word.bare == "from");
    let is_of_people = has(LEFT_BY_PEOPLE) && (is_from || is_labelled)
        || has(OFFICES)
        || office.is_some()
        || company_at(rest).is_some_and(|company| is_called_a_company(&company));
    if !is_known && left.is_none() && !is_of_people {
        return None;
    }
    let is_link = |word: &Word<'_>| word.bare == "from" || word.bare.ends_with("mente") || word.bare.ends_with("ement");
    let rest_from = &rest[usize::from(rest.first().is_some_and(is_link))..];
    let is_company = |word: &&Word<'_>| !word.is_of_posts() && word.bare != "for";
    let at_once = || rest_from.first().filter(is_company).and_then(|_| company_at(rest_from));
    let is_said = before[..start].iter().any(|word| word.is(Class::Act));
    // "Weltmeister Ada Byron" is no company.
    let is_apart = before[..start].last().is_some_and(|word| word.ends_part() || word.is_owner());
    let owner = || acting_company(&before[..start]).filter(|_| is_said || held.is_none() && is_apart);
    let company = left.iter().chain(&held).find_map(|post| post.company.clone());
    let lets = verb.len() == 1 && has(LETS) && left.is_none() && held.is_none();
    let elsewhere = || if lets { None } else { company_behind(rest).or_else(owner) };
    let company = company.or_else(at_once).or_else(elsewhere);
    let post = left.or(held);
    let aside = before[..start].last();
    let is_of_job = aside.is_some_and(|word| word.is(Class::From)) || is_of_people && company.is_some();
    let is_stated = || company.is_some() || is_of_people || is_labelled || is_managed();
    let is_job = post.is_some() || is_of_job || is_surely_a_person(&person) && is_stated();
    is_job.then(|| moved(kind, person, company, post, None))
}

/// Whether what is said of somebody may tell who they are, not what they do: `ousted`.
pub(super) fn has_participle(verb: &[Word<'_>]) -> bool {
    verb.len() == 1 && verb[0].is_one_of(&["ousted", "fired", "sacked", "axed", "dismissed"])
}

/// Who leaves, by a surname alone: `CFO Stone steps down`, but not `Directeur Quarry stapt op`.
fn surname_described(before: &[Word<'_>]) -> Option<(usize, PersonName)> {
    let (start, person) = surname_alone(before)?;
    let aside = before[..start].last()?;
    (describes(aside) || aside.is_one_of(&["as", "after"])).then_some((start, person))
}

/// The post that is left: `stopt als CEO`, `steps down as CEO`, `deja el cargo de consejero delegado`, `leaves the board`.
fn post_left(verb: &[Word<'_>], rest: &[Word<'_>]) -> Option<Post> {
    let is_led = verb.last().is_some_and(|word| word.is_one_of(AS) || word.is_one_of(OFFICES));
    let behind_as = || place_of(&rest[..rest.len().min(AS_WITHIN)], AS).map(|at| at + 1);
    let from = if is_led { Some(0) } else { behind_as() };
    let links = rest.iter().take(2).take_while(|word| word.is_one_of(BEFORE_LEFT)).count();
    let at_once = || rest.get(links).filter(|word| word.is_of_posts()).and_then(|_| post(&rest[links..]));
    from.and_then(|from| post(&rest[from..])).or_else(at_once)
}

/// The post between the commas behind a name: `Ada Byron, CEO of Acme,`.
fn post_aside(words: &[Word<'_>]) -> Option<Post> {
    let aside = &words[words.iter().position(|word| word.written.ends_with(','))? + 1..];
    aside.last().filter(|word| word.written.ends_with(','))?;
    post(aside)
}
