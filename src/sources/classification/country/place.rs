//! A place as people write it, read into what its parts say of the country.

use super::forms::country_of_postcode;
use super::gazetteer::{Country, cities, countries_of, country_of, is_code, key};
use crate::text::pattern::WordSet;

/// What a name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The countries that it may stand for, the likeliest first.
    pub countries: Vec<Country>,
    /// How much it says.
    pub kind: Kind,
    /// Whether the name alone does not tell which of the countries.
    pub is_ambiguous: bool,
    /// The part of the text that it stands in.
    pub part: usize,
    /// Whether it is a small town.
    pub is_small: bool,
    /// Whether it is so small that only a text without other words means it.
    pub is_tiny: bool,
}

impl Sign {
    const fn new(countries: Vec<Country>, kind: Kind) -> Self {
        Self { countries, kind, is_ambiguous: false, part: 0, is_small: false, is_tiny: false }
    }

    /// Whether it names a country or a part of one, not only a town.
    pub const fn is_strong(&self) -> bool {
        matches!(self.kind, Kind::Country | Kind::Region | Kind::Code)
    }

    /// Whether the name alone tells: of small towns there are many of one name.
    pub fn is_sure(&self) -> bool {
        !(self.is_ambiguous || self.is_small && self.countries.len() > 1)
    }
}

/// How much a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A country's name.
    Country,
    /// A region's name, which holds in all of the countries that have it.
    Region,
    /// A code of a country or of a region.
    Code,
    /// A city that fills a part.
    City,
    /// A city beside other words, or one whose name does not tell.
    Hint,
}

/// Words that say how somebody works or what is at the place, not where it is.
static NO_PLACE: WordSet = WordSet::new(
    "remote remotely hybrid hibrido onsite on site office offices in within from home based homeoffice work anywhere \
     any all only fully the of or and area metro metropolitan region greater hq headquarters city distributed field \
     virtual preferred optional open to full part time teletravail telework wfh flexible multiple locations location \
     various near middle downtown town opportunity campus territory us a hub center centre central corporate global \
     worldwide international national nationwide regional asia europe africa america americas latin north south east \
     west emea apac latam eu store plant warehouse school street road avenue boulevard rue place park square mall \
     union internships talent pool na est pst mairie hotel ville departement remoto etats \
     da temporaneamente distanza sede zona provincia provinz province provincie comune gemeente municipio municipality \
     grossraum umgebung nahe landkreis kreis stadt bezirk kanton standort einsatzort bundesland prefecture oblast \
     distancia presencial semipresencial teletrabajo teletrabalho trabalho casa modalidad grande grand agglomeration \
     centrum zentrum centro kabupaten kota district distrito governorate province state alrededores interior \
     село деревня поселок рабочии город г городскои округ раион область обл край ст пгт віддалено дистанціино удаленно \
     удаленка дистанционно гибрид \
     amer namer amrs noram republic predominantly primarily mostly where possible occasional occasionally days day \
     week per minimum eller more others additional miejsce pracy siedziba firmy praca zdalna zdalnie hybrydowo \
     kommun kommune lan comuna grad obec okres gm gmina pow powiat woj wojewodztwo kecamatan qesm markaz district area commune \
     und et y oder ou raum environs peripherie nord sud ost ouest norte sul oeste based \
     university universite universidad universita universitat college airport aeropuerto aeroport flughafen \
     thuiswerken omgeving nabij locatie distance domicile telearbeit mobil mobiles arbeiten suburbs surrounding",
);

/// Whether `word` says nothing of where a place is.
pub fn is_no_place(word: &str) -> bool {
    NO_PLACE.contains(&key(word))
}

/// The signs of `text`, from left to right, and whether there are words that say nothing known.
pub fn signs(text: &str) -> (Vec<Sign>, bool) {
    let text = text
        .replace("U.S.A.", "USA")
        .replace("U.S.", "US")
        .replace("U.K.", "UK")
        .replace("D.C.", "DC")
        .replace("ON-SITE", "");
    let of_country = |country: Country| Sign::new(vec![country], Kind::Country);
    let mut signs: Vec<Sign> = Vec::new();
    let mut has_unknown = false;
    let is_shouted = !text.contains(char::is_lowercase);
    let marked = text.replace(" - ", "\n").replace("- ", "\n").replace(" -", "\n");
    let marked = if marked.contains(' ') { marked } else { marked.replace('.', ",") };
    let parts = marked.split(|letter| ",/()[]–—:;|•\n·&+（），、；／".contains(letter));
    for (number, part) in parts.enumerate() {
        let (found, is_known) =
            county(part).map_or_else(|| signs_of_part(part, is_shouted), |county| (vec![county], true));
        has_unknown |= !is_known;
        signs.extend(found.into_iter().map(|sign| Sign { part: number, ..sign }));
    }
    if !signs.iter().any(Sign::is_strong) {
        signs.extend(country_of_postcode(&text).map(of_country));
    }
    // Beside anything else that is known, a hamlet's name only helps to choose: it may be a street's or a house's.
    if signs.iter().any(|sign| !sign.is_tiny) || has_unknown {
        for sign in signs.iter_mut().filter(|sign| sign.is_tiny) {
            (sign.kind, sign.is_ambiguous) = (Kind::Hint, true);
        }
    }
    (signs, has_unknown)
}

/// `Prince George's County`: what ends so is one of the United States, or of the countries that translate theirs so.
fn county(part: &str) -> Option<Sign> {
    const OTHERS: &[Country] = &["RO", "HU", "KE", "HR", "EE", "LT", "AL", "LR"];
    let key = key(part);
    let name =
        key.strip_suffix(" county").filter(|name| name.split(' ').count() <= 3 && countries_of(&key).is_empty())?;
    let known = cities(name).map(|found| found.countries).unwrap_or_default();
    let others: Vec<Country> = known.iter().copied().filter(|country| OTHERS.contains(country)).collect();
    let is_other = known.first().is_some_and(|first| OTHERS.contains(first));
    let countries = if is_other { others } else { std::iter::once("US").chain(others).collect() };
    Some(Sign::new(countries, Kind::Region))
}

/// Words of the longest name that is looked for.
const LENGTH_MAX: usize = 5;

/// The signs of a part, and whether all of its words are known.
fn signs_of_part(part: &str, is_shouted: bool) -> (Vec<Sign>, bool) {
    let has_house_number = part.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> =
        part.split(|letter: char| letter.is_whitespace() || letter == '-').filter(|word| is_word(word)).collect();
    let keys: Vec<String> = words.iter().map(|word| key(word)).collect();
    let is_noise = |at: usize| NO_PLACE.contains(&keys[at]) && !is_state_or_country(words[at]);
    let (mut signs, mut is_known) = (Vec::new(), true);
    let mut at = 0;
    while at < words.len() {
        let found = (1..=LENGTH_MAX.min(words.len() - at)).rev().find_map(|length| {
            let until = at + length;
            let is_whole = (0..words.len()).all(|other| (at..until).contains(&other) || is_noise(other));
            let is_only = part.trim() == words[at];
            let is_prefix = part.trim_start().strip_prefix(words[at]).is_some_and(|rest| rest.starts_with('-'));
            let (window, of_window) = (&words[at..until], &keys[at..until]);
            let sign = Window { words: window, keys: of_window, is_whole, is_only, is_prefix, is_shouted }.sign()?;
            let sign = if has_house_number && until < words.len() { of_street(sign)? } else { sign };
            Some((length, sign))
        });
        let found = found.or_else(|| Some((1, beginning(words[at])?)));
        is_known &= found.is_some() || is_noise(at);
        at += found.as_ref().map_or(1, |(length, _)| *length);
        signs.extend(found.map(|(_, sign)| sign));
    }
    (signs, is_known)
}

/// `東京都品川区`: addresses in Chinese characters begin with the largest place, without a blank behind it.
fn beginning(word: &str) -> Option<Sign> {
    const LETTERS: std::ops::RangeInclusive<usize> = 2..=6;
    let is_chinese = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
    let ends =
        word.char_indices().take_while(|(_, letter)| is_chinese(*letter)).map(|(at, letter)| at + letter.len_utf8());
    let ends: Vec<usize> = ends.take(*LETTERS.end()).skip(LETTERS.start() - 1).collect();
    ends.into_iter().rev().find_map(|end| {
        let name = word.get(..end)?;
        let keys = [key(name)];
        Window { words: &[name], keys: &keys, is_whole: true, is_only: false, is_prefix: false, is_shouted: true }
            .sign()
    })
}

/// `1240 East Normandy Blvd` is no place in France.
fn of_street(sign: Sign) -> Option<Sign> {
    match sign.kind {
        Kind::Code | Kind::Region => None,
        Kind::City | Kind::Hint => Some(Sign { kind: Kind::Hint, is_ambiguous: true, ..sign }),
        Kind::Country => Some(sign),
    }
}

/// Postcodes and house numbers are no words here.
fn is_word(word: &str) -> bool {
    word.contains(char::is_alphabetic) && !word.contains(|letter: char| letter.is_ascii_digit())
}

fn is_state_or_country(word: &str) -> bool {
    is_code(word) && !countries_of(word).is_empty()
}

/// Codes that mostly mean something else where other words stand beside them.
static RATHER_WORDS: WordSet = WordSet::new("IN OR DE LA DO TO ME IS AND ARE PER CAN AM AS AT BE IT MY NO SO AI TV");
/// Codes that mean something else: not available, a time zone, a town or a saint.
static NEVER: WordSet = WordSet::new("NA EST HQ ST");

/// Countries of the United Kingdom.
static OF_BRITAIN: WordSet = WordSet::new("england scotland wales");

/// Some words of a part.
struct Window<'a> {
    words: &'a [&'a str],
    keys: &'a [String],
    /// Whether the rest of the part says nothing.
    is_whole: bool,
    /// Whether the part has no other word at all.
    is_only: bool,
    /// Whether a hyphen binds it to what follows: `DE-Berlin`.
    is_prefix: bool,
    /// Whether the whole text is in capitals, which then say nothing.
    is_shouted: bool,
}

impl Window<'_> {
    fn sign(&self) -> Option<Sign> {
        self.code().or_else(|| self.name()).or_else(|| self.city())
    }

    fn code(&self) -> Option<Sign> {
        let [word] = self.words else { return None };
        let word = word.trim_matches('.');
        let code = word.to_uppercase();
        let may_be = if !is_code(word) {
            // "De" alone.
            self.is_only && word.len() == 2 && word.starts_with(char::is_uppercase)
        } else if self.is_shouted || RATHER_WORDS.contains(word) {
            self.is_whole || self.is_prefix || matches!(word, "US" | "USA" | "UK")
        } else {
            true
        };
        if !may_be || NEVER.contains(&code) {
            return None;
        }
        let countries = countries_of(&code);
        (!countries.is_empty()).then_some(Sign::new(countries, Kind::Code))
    }

    fn name(&self) -> Option<Sign> {
        let key = self.keys.join(" ");
        let countries = countries_of(&key);
        let is_country = countries.len() == 1 && (country_of(&key).is_some() || OF_BRITAIN.contains(&key));
        let is_pronoun = is_country && key == "us" && self.words != ["US"];
        let kind = if is_country { Kind::Country } else { Kind::Region };
        (!countries.is_empty() && !is_pronoun).then_some(Sign::new(countries, kind))
    }

    fn city(&self) -> Option<Sign> {
        let key = self.keys.join(" ");
        let is_name = self.words[0].starts_with(|letter: char| !letter.is_lowercase()) || self.is_whole;
        if !is_name || (self.keys.len() == 1 && NO_PLACE.contains(&key)) {
            return None;
        }
        let cities = cities(&key).filter(|cities| !cities.is_tiny || self.is_whole)?;
        // A small town is believed only where nothing else stands beside its name.
        let is_ambiguous = cities.is_ambiguous || (cities.is_small && !self.is_whole);
        let kind = if self.is_whole && !is_ambiguous { Kind::City } else { Kind::Hint };
        let (is_small, is_tiny) = (cities.is_small, cities.is_tiny);
        Some(Sign { is_ambiguous, is_small, is_tiny, ..Sign::new(cities.countries, kind) })
    }
}
