//! Verbs of German and Dutch whose particle stands at the end: `tritt als CEO zurück` is read as `tritt zurück als CEO`.

use crate::extraction::headlines::word::Word;

/// Verbs of people who come and go that have such a particle.
const VERBS: &[&str] = &[
    "dockt", "fangt", "folgt", "gibt", "geben", "heuert", "hort", "horen", "kehrt", "kehren", "legt", "legen", "lost",
    "losen", "ruckt", "rucken", "scheidet", "scheiden", "steigt", "steigen", "stellt", "tritt", "treten", "wirbt",
    "zieht", "draagt", "keert", "neemt", "nemen", "stapt", "stappen", "stelt", "treedt", "treden", "trekt", "volgt",
    "zwaait", "gaat",
];
/// Their particles; `gaat Acme leiden` ends with its second verb in the same way.
const PARTICLES: &[&str] = &[
    "ab", "an", "auf", "aus", "ein", "nach", "nieder", "vor", "zuruck", "aan", "af", "neer", "op", "over", "terug",
    "toe", "voor", "leiden", "besturen",
];
/// Words between a verb and its particle.
const BETWEEN_MAX: usize = 12;

/// The words with the particles that end a part of the headline right behind their verbs.
pub(super) fn with_particles(mut words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    for at in 0..words.len() {
        let is_verb = words[at].is_small() && words[at].is_one_of(VERBS);
        if let Some(to) = is_verb.then(|| particle_of(&words, at)).flatten() {
            let particle = words.remove(to);
            // The sign behind it still ends the part.
            if let Some((_, sign)) = particle.written.split_once(particle.core).filter(|(_, sign)| !sign.is_empty()) {
                words.insert(to, Word::new(sign));
            }
            let is_reflexive = words[at + 1].is_one_of(&["sich", "zich"]);
            words.insert(at + 1 + usize::from(is_reflexive), Word::new(particle.core));
        }
    }
    words
}

/// Where the particle of the verb at `at` stands, if other words stand between them.
fn particle_of(words: &[Word<'_>], at: usize) -> Option<usize> {
    let last = words.len().min(at + 2 + BETWEEN_MAX);
    let whole = words[at + 1..last].iter().position(Word::ends_part).map_or(last, |end| at + 2 + end);
    let is_end = |next: &Word<'_>| next.is_dash() || next.is_one_of(&["und", "en", "als", "bei", "bij"]);
    let is_particle = |to: &usize| {
        let word = &words[*to];
        word.is_small() && word.is_one_of(PARTICLES) && (word.ends_part() || words.get(to + 1).is_none_or(is_end))
    };
    (at + 2..whole).find(is_particle)
}

#[cfg(test)]
mod tests {
    use super::with_particles;
    use crate::extraction::headlines::word::{Word, joined};

    #[test]
    fn a_particle_at_the_end_of_a_part_comes_to_its_verb() {
        for (headline, wanted) in [
            ("Ada Byron tritt als CEO zurück", "Ada Byron tritt zurück als CEO"),
            ("Ada Byron steigt bei Acme auf, Grace Hopper geht", "Ada Byron steigt auf bei Acme , Grace Hopper geht"),
            ("Acme stelt Ada Byron aan en groeit", "Acme stelt aan Ada Byron en groeit"),
            ("Ada Byron tritt ab, Grace Hopper tritt an", "Ada Byron tritt ab, Grace Hopper tritt an"),
            ("Ada Byron folgt auf Grace Hopper", "Ada Byron folgt auf Grace Hopper"),
            ("Ada Byron zieht sich aus Acme zurück", "Ada Byron zieht sich zurück aus Acme"),
            ("Acme gibt", "Acme gibt"),
        ] {
            assert_eq!(joined(&with_particles(Word::all_of(headline))), wanted);
        }
    }
}
