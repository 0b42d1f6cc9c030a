//! Countries that show in the signs that a text is written in.

use super::gazetteer::{Country, country_of, the_one_country};
use super::place::is_no_place;
use crate::text::folding::folded_words;
use crate::text::pattern::WordSet;

/// What Russia calls its villages and districts, as [`folded_words`] writes it.
static OF_RUSSIA: WordSet = WordSet::new("деревня станица хутор раион");

/// `🇩🇪 Berlin`: a flag is two signs, one for each letter of the country's code.
pub fn country_of_flags(text: &str) -> Option<Country> {
    const FIRST: u32 = 0x1_f1e6;
    let letter = |sign: char| u8::try_from(u32::from(sign).checked_sub(FIRST)?).ok().filter(|at| *at < 26);
    let code: String = text.chars().filter_map(letter).map(|at| char::from(b'A' + at)).collect();
    let flags = code.as_bytes().chunks(2).filter_map(|code| std::str::from_utf8(code).ok());
    the_one_country(flags.filter_map(country_of))
}

/// The country whose script, or whose word for a village, a name is in that nobody knows.
pub fn country_of_script(text: &str) -> Option<Country> {
    let unknown = text.split_whitespace().filter(|word| !is_no_place(word));
    let is_russian = || folded_words(text).iter().any(|word| OF_RUSSIA.contains(word));
    let of_letter = unknown.flat_map(str::chars).find_map(|letter| match letter {
        '\u{3040}'..='\u{30ff}' => Some("JP"),
        '\u{ac00}'..='\u{d7a3}' => Some("KR"),
        '\u{590}'..='\u{5ff}' => Some("IL"),
        '\u{e00}'..='\u{e7f}' => Some("TH"),
        '\u{10a0}'..='\u{10ff}' => Some("GE"),
        'ґ' | 'є' | 'і' | 'ї' | 'Ґ' | 'Є' | 'І' | 'Ї' => Some("UA"),
        '\u{370}'..='\u{3ff}' => Some("GR"),
        '\u{530}'..='\u{58f}' => Some("AM"),
        '\u{a00}'..='\u{aff}' | '\u{c00}'..='\u{d7f}' => Some("IN"),
        '\u{d80}'..='\u{dff}' => Some("LK"),
        '\u{e80}'..='\u{eff}' => Some("LA"),
        '\u{1000}'..='\u{109f}' => Some("MM"),
        '\u{1780}'..='\u{17ff}' => Some("KH"),
        _ => None,
    });
    of_letter.or_else(|| is_russian().then_some("RU"))
}

#[cfg(test)]
mod tests {
    use super::{country_of_flags, country_of_script};

    #[test]
    fn scripts_and_flags_tell_the_country() {
        assert_eq!(
            (country_of_flags("🇩🇪 Berlin"), country_of_flags("🇩🇪 🇦🇹"), country_of_flags("Berlin")),
            (Some("DE"), None, None)
        );
        assert_eq!((country_of_script("деревня Мстихино"), country_of_script("Мстихино")), (Some("RU"), None));
        assert_eq!((country_of_script("ಬೆಂಗ"), country_of_script("කොළ")), (Some("IN"), Some("LK")));
        assert_eq!((country_of_script("село Підгірці"), country_of_script("Nowhere")), (Some("UA"), None));
    }
}
