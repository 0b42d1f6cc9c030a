//! A job title in parts: what stands between commas, dashes and prepositions, and in these what `and` joins.

use crate::sources::text::folding::folded;

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

const AND: &str = "and und et y e og och oder ou or o ja i";

const PREPOSITIONS: &str = "to for with at in from by within supporting fur im bei beim mit pour chez avec dans para con com em en til \
     till inom innen pa voor bij met per dla";

/// Words of which `in` is a part: `Engineer in Test`, `Manager in Training`.
const AFTER_IN: &str = "test training chief";

/// What languages hang on to a title to name every gender: `Ingénieur(e)`, `Entwickler:in`, `Consultor/a`.
const ENDINGS: &str = "a as e es in innen ne nes euse se rice trice ice ere iere r o n ora te ve fe x";

/// Signs of gender and contract: `(m/w/d)`, `H/F`, `CDI`.
const SIGNS: &str = "m w f h x gn mwd hf fh mfd wmd mf fm div cdi cdd gender genders";

/// Whether `word` is one of `words`, which are parted by spaces.
pub fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}

/// The parts of `title`.
pub fn parts(title: &str) -> Vec<Part> {
    let mut parts = vec![Part { beginning: Beginning::Break, pieces: vec![Vec::new()] }];
    let tokens = tokens(title);
    for (at, token) in tokens.iter().enumerate() {
        let after = tokens.get(at + 1).map(Token::text).unwrap_or_default();
        match token {
            Token::Break => begin(&mut parts, Beginning::Break),
            Token::And => begin_piece(&mut parts),
            Token::Word(word) if has(AND, word) => begin_piece(&mut parts),
            Token::Word(word) if has(PREPOSITIONS, word) && !(word == "in" && has(AFTER_IN, after)) => {
                begin(&mut parts, Beginning::Preposition);
            }
            Token::Word(word) => push(&mut parts, word),
        }
    }
    for part in &mut parts {
        part.pieces.iter_mut().for_each(|piece| piece.retain(|word| !has(SIGNS, word)));
        part.pieces.retain(|piece| !piece.is_empty());
    }
    parts.retain(|part| !part.pieces.is_empty());
    parts
}

enum Token {
    Word(String),
    And,
    Break,
}

impl Token {
    fn text(&self) -> &str {
        if let Self::Word(word) = self { word } else { "" }
    }
}

fn begin(parts: &mut Vec<Part>, beginning: Beginning) {
    parts.push(Part { beginning, pieces: vec![Vec::new()] });
}

fn begin_piece(parts: &mut [Part]) {
    if let Some(part) = parts.last_mut() {
        part.pieces.push(Vec::new());
    }
}

fn push(parts: &mut [Part], word: &str) {
    if let Some(piece) = parts.last_mut().and_then(|part| part.pieces.last_mut()) {
        piece.push(word.to_owned());
    }
}

fn tokens(title: &str) -> Vec<Token> {
    let letters: Vec<char> = title.chars().collect();
    let (mut tokens, mut word) = (Vec::new(), String::new());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let ending = if word.is_empty() { 0 } else { ending_length(&letters[at..]) };
        if ending == 0 {
            if belongs_to(&word, &letters[at..]) {
                word.push(letter);
            } else if !is_within_a_word(&word, &letters[at..]) {
                finish(&mut word, &mut tokens);
                let before = at.checked_sub(1).and_then(|before| letters.get(before));
                tokens.extend(token_of_sign(letter, before, letters.get(at + 1)));
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
    let is_capital = |letter: char| letter.is_uppercase();
    match letters {
        ['.', next, ..] => !word.is_empty() && next.is_alphanumeric(),
        ['&', rest @ ..] => {
            let after: Vec<char> = rest.iter().copied().take_while(|letter| letter.is_alphanumeric()).collect();
            matches!(word.len(), 1 | 2) && matches!(after.len(), 1 | 2) && word.chars().chain(after).all(is_capital)
        }
        _ => false,
    }
}

fn token_of_sign(sign: char, before: Option<&char>, after: Option<&char>) -> Option<Token> {
    let is_apart = |letter: Option<&char>| letter.is_none_or(|letter| letter.is_whitespace());
    match sign {
        '&' | '/' | '+' => Some(Token::And),
        ',' | ';' | '|' | ':' | '(' | ')' | '[' | ']' | '{' | '}' | '–' | '—' | '•' | '·' | '@' | '~' => {
            Some(Token::Break)
        }
        '"' | '„' | '“' | '”' | '«' | '»' => Some(Token::Break),
        '-' | '‐' | '‑' if is_apart(before) || is_apart(after) => Some(Token::Break),
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
    let is_known = has(ENDINGS, &folded(&ending)) && ending.chars().all(char::is_lowercase);
    let is_closed = if opens { after == ')' } else { !after.is_alphanumeric() && !matches!(after, '/' | '.') };
    if is_known && is_closed { signs + ending.chars().count() + usize::from(opens) } else { 0 }
}

/// `IT` is a department, `it` is not.
fn finish(word: &mut String, tokens: &mut Vec<Token>) {
    let is_pronoun = matches!(word.as_str(), "it" | "It");
    if !word.is_empty() && !is_pronoun {
        tokens.push(Token::Word(folded(word)));
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
            ("Entwickler:in (m/w/d) bei uns", "entwickler | d | >uns"),
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
