//! A job title in parts: what stands between commas, dashes and prepositions, and in these what `and` joins.

use crate::text::folding::folded;
use crate::text::pattern::WordSet;

/// What begins a part of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The title itself, a comma, a dash, a bracket.
    Break,
    /// `to`, `for`, `with` and the like: what follows is for whom, with what or where.
    Preposition,
}

/// A part of a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it begins with.
    pub beginning: Beginning,
    /// Its words in lower case without accents, in pieces that `and`, `/` and `&` part. None is empty.
    pub pieces: Vec<Vec<String>>,
}

/// What a sign that begins a part is among the words of a title.
const BREAK: &str = ",";

static AND: WordSet = WordSet::new("& and und et y e og och oder ou or o ja i");

static PREPOSITIONS: WordSet = WordSet::new(
    "to for with at in from by within supporting fur im bei beim mit pour chez avec dans para con com em en til till \
     inom innen pa voor bij met per dla",
);

/// Words of which `in` is a part: `Engineer in Test`, `Manager in Training`.
static AFTER_IN: WordSet = WordSet::new("test training chief");

/// What languages hang on to a title to name every gender: `Ingénieur(e)`, `Entwickler:in`, `Consultor/a`.
static ENDINGS: WordSet =
    WordSet::new("a as e es in innen ne nes euse se rice trice ice ere iere r o n ora te ve fe x");

/// Signs of gender and contract: `(m/w/d)`, `H/F`, `CDI`.
static SIGNS: WordSet = WordSet::new("m w f h x gn mwd hf fh mfd wmd mf fm div cdi cdd gender genders");

/// The parts of `title`.
pub fn parts(title: &str) -> Vec<Part> {
    let tokens = tokens(title);
    let beginning = |at: usize| match tokens[at].as_str() {
        BREAK => Some(Beginning::Break),
        "in" if tokens.get(at + 1).is_some_and(|after| AFTER_IN.contains(after)) => None,
        word => PREPOSITIONS.contains(word).then_some(Beginning::Preposition),
    };
    let marked: Vec<(Option<Beginning>, &String)> = (0..tokens.len()).map(|at| (beginning(at), &tokens[at])).collect();
    let part = |marked: &[(Option<Beginning>, &String)]| {
        let ((beginning, _), words) = marked.split_first()?;
        let pieces = words.split(|(_, word)| AND.contains(word)).map(|piece| {
            let words = piece.iter().filter(|(_, word)| !SIGNS.contains(word));
            words.map(|(_, word)| (*word).clone()).collect::<Vec<String>>()
        });
        let pieces: Vec<Vec<String>> = pieces.filter(|piece| !piece.is_empty()).collect();
        // The `d` of `(m/w/d)` alone is one, elsewhere a word of French.
        let is_sign = pieces.iter().flatten().all(|word| word == "d");
        if is_sign { None } else { Some(Part { beginning: (*beginning)?, pieces }) }
    };
    marked.chunk_by(|_, (next, _)| next.is_none()).filter_map(part).collect()
}

/// The words of a title, folded, and `&` and [`BREAK`] for its signs; the title itself begins a part.
fn tokens(title: &str) -> Vec<String> {
    let letters: Vec<char> = title.chars().collect();
    let (mut tokens, mut word) = (vec![BREAK.to_owned()], String::new());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let ending = if word.is_empty() { 0 } else { ending_length(&letters[at..]) };
        if ending == 0 {
            if belongs_to(&word, &letters[at..]) {
                word.push(letter);
            } else if !is_within_a_word(&word, &letters[at..]) {
                finish(&mut word, &mut tokens);
                let before = at.checked_sub(1).and_then(|before| letters.get(before));
                tokens.extend(token_of_sign(letter, before, letters.get(at + 1)).map(str::to_owned));
            }
        }
        at += ending.max(1);
    }
    finish(&mut word, &mut tokens);
    tokens
}

/// Whether the first of `letters` goes on with `word`: letters, digits, accents, and the signs of `C++` and `C#`.
fn belongs_to(word: &str, letters: &[char]) -> bool {
    match letters {
        ['+', rest @ ..] => !word.is_empty() && (word.ends_with('+') || rest.first() == Some(&'+')),
        [letter, ..] => letter.is_alphanumeric() || matches!(letter, '#' | '\u{300}'..='\u{36f}'),
        [] => false,
    }
}

/// Whether the first of `letters` is a sign within a word: the dots of `V.P.`, the `&` of `R&D` and `FP&A`.
fn is_within_a_word(word: &str, letters: &[char]) -> bool {
    match letters {
        ['.', next, ..] => !word.is_empty() && next.is_alphanumeric(),
        ['&', rest @ ..] => {
            let after: Vec<char> = rest.iter().copied().take_while(|letter| letter.is_alphanumeric()).collect();
            matches!(word.len(), 1 | 2)
                && matches!(after.len(), 1 | 2)
                && word.chars().chain(after).all(char::is_uppercase)
        }
        _ => false,
    }
}

fn token_of_sign(sign: char, before: Option<&char>, after: Option<&char>) -> Option<&'static str> {
    let is_apart = |letter: Option<&char>| letter.is_none_or(|letter| letter.is_whitespace());
    match sign {
        '&' | '/' | '+' => Some("&"),
        ',' | ';' | '|' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '–' | '—' | '•' | '·' | '@' | '~' => {
            Some(BREAK)
        }
        '"' | '„' | '“' | '”' | '«' | '»' => Some(BREAK),
        '-' | '‐' | '‑' if is_apart(before) || is_apart(after) => Some(BREAK),
        _ => None,
    }
}

/// How many letters an ending for another gender takes, with its sign: 4 for `(in)`, 3 for `:in`, 2 for `/a`.
fn ending_length(letters: &[char]) -> usize {
    let opens = letters.first() == Some(&'(');
    if !opens && !letters.first().is_some_and(|sign| matches!(sign, '/' | ':' | '*' | '·' | '.' | '-' | '_' | '•')) {
        return 0;
    }
    let signs = 1 + usize::from(letters.get(1) == Some(&'-'));
    let ending: String = letters.iter().skip(signs).take_while(|letter| letter.is_alphabetic()).collect();
    let after = letters.get(signs + ending.chars().count()).copied().unwrap_or(' ');
    let is_known = ENDINGS.contains(&folded(&ending)) && ending.chars().all(char::is_lowercase);
    let is_closed = if opens { after == ')' } else { !after.is_alphanumeric() && !matches!(after, '/' | '.') };
    if is_known && is_closed { signs + ending.chars().count() + usize::from(opens) } else { 0 }
}

/// `IT` is a department, `it` is not.
fn finish(word: &mut String, tokens: &mut Vec<String>) {
    let is_pronoun = matches!(word.as_str(), "it" | "It");
    if !word.is_empty() && !is_pronoun {
        tokens.push(folded(word));
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::{Beginning, parts};

    fn text(title: &str) -> String {
        let part = |part: &super::Part| {
            let sign = if part.beginning == Beginning::Preposition { ">" } else { "" };
            let pieces: Vec<String> = part.pieces.iter().map(|piece| piece.join(" ")).collect();
            format!("{sign}{}", pieces.join(" + "))
        };
        parts(title).iter().map(part).collect::<Vec<String>>().join(" | ")
    }

    #[test]
    fn titles_are_parted() {
        for (title, wanted) in [
            ("Product Manager, Support Experience", "product manager | support experience"),
            ("VP, Sales & Marketing", "vp | sales + marketing"),
            ("Executive Assistant to the CEO", "executive assistant | >the ceo"),
            ("Full-Stack Engineer - C++", "full stack engineer | c++"),
            ("Head of R&D / FP&A", "head of rd + fpa"),
            ("Software Engineer in Test", "software engineer in test"),
            ("V.P. Sales", "vp sales"),
            ("Entwickler:in (m/w/d) bei uns", "entwickler | >uns"),
            ("Ingénieur(e) d’études H/F", "ingenieur d etudes"),
            ("Vendedor/a", "vendedor"),
            ("IT Manager", "it manager"),
            ("Make it happen", "make happen"),
            ("", ""),
        ] {
            assert_eq!(text(title), wanted, "{title}");
        }
    }
}
