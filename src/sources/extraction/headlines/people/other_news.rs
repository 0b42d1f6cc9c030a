//! What makes a headline about a person something else than a move to or from a post at a company.

use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::Word;
use domain::closed;

closed! {
    /// Where a phrase makes it something else.
    Place {
        /// Anywhere.
        Any = "any",
        /// At the beginning.
        First = "first",
    }
}

/// Parties, alone or before a hyphen: `SPD-Spitze`.
const PARTIES: &[&str] = &[
    "ps", "psd", "spd", "cdu", "csu", "fdp", "afd", "grune", "grunen", "linke", "linken", "linkspartei", "psoe",
    "pvda", "vvd", "psb", "psdb", "mdb", "spo", "ovp", "fpo", "m5s", "lfi", "d66", "pvv", "fvd", "groenlinks",
    "christenunie",
];
/// What words of offices of states, parties and clubs end with that are one word in German and Dutch.
const OFFICE_ENDS: &[&str] = &[
    "minister", "ministerin", "trainer", "trainerin", "parteichef", "parteichefin", "fraktionschef", "fraktionschefin",
    "fraktionsvorsitzender", "fraktionsvorsitzende", "landeschef", "landeschefin", "generalsekretar",
    "generalsekretarin", "parteivorsitz", "parteivorsitzende", "parteivorsitzender", "kommissar", "kommissarin",
    "bischof", "papst", "polizeichef", "polizeiprasident", "polizeiprasidentin", "bundesprasident", "staatschef",
    "regierungschef", "regierungschefin", "senatorin", "botschafter", "botschafterin", "landrat", "landratin",
    "bundesamt", "bundesamts", "juryvorsitzende", "juryvorsitzender", "juryprasidentin", "juryprasident", "kandidat",
    "kandidatin", "partei", "verfassungsschutz", "verfassungsschutzes", "hockeyclub", "voetbalclub", "fussballclub",
];

static OTHER: Phrases<Place> = Phrases::new(include_str!("other_news.txt"));

/// Whether a headline of these `words` tells of something else.
pub fn is_of_other_news(words: &[Word<'_>]) -> bool {
    is_question(words) || words.iter().any(is_of_state) || (0..words.len()).any(|at| is_other_at(words, at))
}

fn is_other_at(words: &[Word<'_>], at: usize) -> bool {
    OTHER.at(&words[at..]).any(|phrase| {
        // "Prince Manufacturing", "Trump Media".
        let next = words.get(at + phrase.length);
        let is_company = || next.is_some_and(|next| next.is(Class::CompanyEnd) && next.is_large());
        // "Barbara Judge", "Sánchez de Lerín".
        let is_family_name = || {
            let is_behind_name = at > 0 && words[at - 1].is_given_name() && !words[at - 1].ends_part();
            phrase.length == 1 && words[at].is_large() && is_behind_name
        };
        let goes_on = || next.is_some_and(|next| next.is(Class::Particle) && next.is_small());
        match phrase.meaning {
            Place::Any => !is_family_name(),
            // "Sánchez Galán".
            Place::First => at == 0 && !is_company() && !goes_on() && !next.is_some_and(is_surname_too),
        }
    })
}

fn is_surname_too(next: &Word<'_>) -> bool {
    next.in_sentence && next.is_large() && next.is_surname()
}

fn is_of_state(word: &Word<'_>) -> bool {
    let is_party = word.bare.split(['-', '/', '\'', '’']).any(|part| PARTIES.contains(&part));
    is_party || OFFICE_ENDS.iter().any(|end| word.bare.ends_with(end))
}

/// Whether all of it is a question: one behind a statement does not ask about that.
fn is_question(words: &[Word<'_>]) -> bool {
    let is_stated = |word: &Word<'_>| word.written.ends_with(['.', '!']) && word.ends_part();
    let begins_late = || words.iter().skip(1).any(|word| word.written.starts_with('¿'));
    words.last().is_some_and(|word| word.written.ends_with('?')) && !words.iter().any(is_stated) && !begins_late()
}
