//! Places whose country shows in how they are written: postcodes, numbers of departments, states behind a city.

use super::gazetteer::{Country, cities, countries_of, country_of, is_code, key};
use super::no_place::is_no_place;
use crate::text::folding::folded_words;
use crate::text::pattern::WordSet;

/// The country that the form of `text` shows, whatever names it has.
pub fn country_by_form(text: &str) -> Option<Country> {
    let text = text.trim();
    const FORMS: [fn(&str) -> Option<Country>; 7] = [
        department_number, codes_before_city, province_behind_town, state_of_brazil, state_behind_city, zip_code,
        town_behind_postcode,
    ];
    FORMS.iter().find_map(|form| form(text))
}

/// Words of the longest name of a town.
const LENGTH_MAX: usize = 5;

/// `44 - Nantes`, `Nantes - 44`, `Nantes (44)`: boards in France put the number of the department before or behind.
fn department_number(text: &str) -> Option<Country> {
    if let Some((name, _)) =
        text.split_once(" (").filter(|(_, number)| number.strip_suffix(')').is_some_and(is_department))
    {
        return is_in(&folded_words(name), "FR").then_some("FR");
    }
    let (first, last) = text.split_once(" - ")?;
    let is_name = |name: &str| name.starts_with(char::is_alphabetic) && !name.contains(|it: char| it.is_ascii_digit());
    let is_french =
        (is_department(first) && last.starts_with(char::is_alphabetic)) || (is_department(last) && is_name(first));
    (is_french || is_part_of_paris(first, last)).then_some("FR")
}

fn is_department(number: &str) -> bool {
    number.len() == 2 && number.chars().all(|digit| digit.is_ascii_digit()) && number != "00"
}

/// `Paris 12e - 75`.
fn is_part_of_paris(city: &str, number: &str) -> bool {
    let part = city.rsplit(' ').next().unwrap_or_default();
    is_department(number) && part.starts_with(|it: char| it.is_ascii_digit()) && part.ends_with(['e', 'r'])
}

/// `MX-BCN-MEXICALI-238`: the codes of a country and a region before a city of that country.
fn codes_before_city(text: &str) -> Option<Country> {
    let mut parts = text.split(' ').next()?.split('-');
    let country = parts.next().filter(|code| code.len() == 2).and_then(country_of)?;
    let city = parts.next().filter(|code| is_code(code)).and_then(|_| parts.next())?;
    cities(&key(city))?.countries.contains(&country).then_some(country)
}

/// `Vera - MT`: boards in Brazil put the state behind a dash, where others put it behind a comma; a code that no state of
/// the United States has shows it there too: `Franca, SP`.
fn state_of_brazil(text: &str) -> Option<Country> {
    let (city, state) =
        text.rsplit_once(" - ").or_else(|| text.rsplit_once(", ").filter(|(_, state)| !is_state_of_us(state)))?;
    let countries = countries_of(state);
    let is_state = is_code(state) && state.len() == 2 && countries.contains(&"BR");
    let is_first_there = |first: &Country| text.contains(" - ") || *first == "BR" || !countries.contains(first);
    let is_there = |known: &[Country]| known.contains(&"BR") && known.first().is_some_and(is_first_there);
    let is_city =
        !city.contains([',', '/', '|', ';', '(']) && cities(&key(city)).is_some_and(|it| is_there(&it.countries));
    (is_state && is_city).then_some("BR")
}

/// Countries whose people write the code of a province or canton behind the town.
static PROVINCES: [(Country, WordSet); 2] = [
    (
        "IT",
        WordSet::new(
            "AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CL CN CO CR CS CT CZ EN FC FE FG FI FM FR GE \
             GO GR IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OR PA PC PD PE PG PI PN PO PR PT PU PV PZ RA RC \
             RE RG RI RM RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD VA VB VC VE VI VR VT VV",
        ),
    ),
    ("CH", WordSet::new("AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH")),
];

/// `Carpi (MO)`, `Aarau AG`; behind a comma a code may be that of a state, where there is a town of the name.
fn province_behind_town(text: &str) -> Option<Country> {
    let bare = text.trim_end_matches(')');
    let (town, code) = bare.rsplit_once(['(', ',', '-', '/', ' '])?;
    let (town, code) = (cities(&key(town))?, code.trim());
    let (country, _) =
        PROVINCES.iter().find(|(country, codes)| town.countries.first() == Some(country) && codes.contains(code))?;
    let is_elsewhere = || countries_of(code).iter().any(|other| other != country && town.countries.contains(other));
    (bare.len() < text.len() || !is_elsewhere()).then_some(*country)
}

/// `York PA`, `Garrett IN`, `Tantanoola SA`: a state behind a city, where some codes are not believed otherwise.
fn state_behind_city(text: &str) -> Option<Country> {
    let (name, state) = text
        .rsplit_once(' ')
        .filter(|(name, state)| state.len() == 2 && is_code(state) && !name.ends_with(",") && !is_no_place(name))?;
    let (known, countries) = (cities(&key(name))?.countries, countries_of(state));
    let first = known.first().filter(|first| countries.contains(first));
    let country = first.or_else(|| ["US", "AU"].iter().find(|it| known.contains(it) && countries.contains(it)))?;
    matches!(*country, "US" | "AU").then_some(country)
}

/// `Rutland, MA 01543`: a state and a ZIP code. `DE 10115` is one of Germany.
fn zip_code(text: &str) -> Option<Country> {
    let words = words(text);
    let is_zip = |word: &str| matches!(shape(word).as_str(), "99999" | "99999-9999");
    words.windows(2).any(|pair| pair[0] != "DE" && is_state_of_us(pair[0]) && is_zip(pair[1])).then_some("US")
}

/// Countries that put the postcode, of so many digits, before the town.
const OF_FIVE_DIGITS: &[Country] = &["DE", "FR", "ES", "IT", "FI", "EE", "HR", "RS", "TR", "UA", "LT", "MA", "MX"];
const OF_FOUR_DIGITS: &[Country] = &["AT", "CH", "BE", "DK", "NO", "LU", "HU", "SI", "BG"];

/// Words for a street, the country that has them and five digits in a postcode.
static STREETS: [(&str, WordSet); 3] = [
    ("FR", WordSet::new("rue chemin impasse allee allees quai za zac zi cedex")),
    ("IT", WordSet::new("via viale vicolo piazza piazzale corso largo strada contrada localita")),
    ("ES", WordSet::new("calle avenida avda carrer paseo plaza ronda carretera carr poligono")),
];

/// `Via Merini 43, 21100 Varese VA`: a town behind its postcode, or the words of the street before it.
fn town_behind_postcode(text: &str) -> Option<Country> {
    let words = words(text);
    let is_postcode = |word: &&str| matches!(shape(word).as_str(), "99999" | "9999" | "A-99999" | "A-9999");
    let at = words.iter().rposition(is_postcode)?;
    let behind = folded_words(&words[at + 1..].join(" "));
    let has_five = shape(words[at]).ends_with("99999");
    let that_have = if has_five { OF_FIVE_DIGITS } else { OF_FOUR_DIGITS };
    let town = (1..=behind.len().min(LENGTH_MAX)).rev().find_map(|length| {
        let (town, rest) = behind.split_at(length);
        cities(&town.join(" ")).map(|found| (found, rest))
    });
    let of_street = country_of_street(&words[..at]).filter(|_| has_five && !behind.is_empty());
    let is_elsewhere =
        |country: Country| behind.iter().any(|word| country_of(word).is_some_and(|other| other != country));
    // Mexico has the same words and as many digits as Spain.
    let Some((found, rest)) = town else { return of_street.filter(|it| *it != "ES" && !is_elsewhere(it)) };
    let (first, is_there) = (*found.countries.first()?, |country: &Country| found.countries.contains(country));
    of_street
        .filter(is_there)
        .or_else(|| (!found.is_ambiguous && that_have.contains(&first) && is_in(rest, first)).then_some(first))
}

/// Whether nothing stands behind a town of `country`, or what is in that country too.
fn is_in(rest: &[String], country: Country) -> bool {
    let name = rest.join(" ");
    let has_city = || cities(&name).is_some_and(|found| found.countries.contains(&country));
    let is_named = |name: &str| countries_of(name).contains(&country);
    rest.first().is_none_or(|word| word == "cedex") || is_named(&name) || is_named(&name.to_uppercase()) || has_city()
}

fn country_of_street(words: &[&str]) -> Option<Country> {
    let words = folded_words(&words.join(" "));
    let is_german = |word: &String| ["strasse", "str", "weg", "platz"].into_iter().any(|end| word.ends_with(end));
    let of_word = |word: &String| STREETS.iter().find(|(_, names)| names.contains(word)).map(|(country, _)| *country);
    words.iter().find_map(|word| of_word(word).or_else(|| is_german(word).then_some("DE")))
}

fn is_state_of_us(word: &str) -> bool {
    word.len() == 2 && is_code(word) && countries_of(word).contains(&"US")
}

/// The country whose postcodes have the shape of one in `text`: `SW1E 6QP`, `M5V 3L9`, `1012AB`, `01310-100`.
pub fn country_of_postcode(text: &str) -> Option<Country> {
    let words = words(text);
    let of_two =
        || words.windows(2).find_map(|pair| of_shape(pair[0], &format!("{} {}", shape(pair[0]), shape(pair[1]))));
    words.iter().find_map(|word| of_shape(word, &shape(word))).or_else(of_two)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '-')).collect()
}

fn of_shape(word: &str, shape: &str) -> Option<Country> {
    match shape {
        "A9 9AA" | "A99 9AA" | "AA9 9AA" | "AA99 9AA" | "A9A 9AA" | "AA9A 9AA" | "A99AA" | "A999AA" | "AA99AA"
        | "AA999AA" | "A9A9AA" | "AA9A9AA" => match word.get(..2)? {
            "JE" => Some("JE"),
            "GY" => Some("GG"),
            "IM" => Some("IM"),
            _ => Some("GB"),
        },
        "A9A 9A9" | "A9A9A9" => Some("CA"),
        "9999AA" => Some("NL"),
        "9999-999" => Some("PT"),
        "99999-999" => Some("BR"),
        _ => shape.strip_prefix("A99 ").is_some_and(is_irish).then_some("IE"),
    }
}

/// `R93 XE12`: the second half of a postcode of Ireland.
fn is_irish(shape: &str) -> bool {
    shape.len() == 4 && shape.contains('A') && shape.chars().all(|sign| matches!(sign, 'A' | '9'))
}

/// `word` with `A` for each capital letter and `9` for each digit; nothing where it is longer than any postcode.
fn shape(word: &str) -> String {
    const LETTERS_MAX: usize = 10;
    let of_letter = |letter: char| match letter {
        'A'..='Z' => 'A',
        '0'..='9' => '9',
        other => other,
    };
    if word.len() > LETTERS_MAX { String::new() } else { word.chars().map(of_letter).collect() }
}

#[cfg(test)]
mod tests {
    use super::{country_by_form, country_of_postcode};

    #[test]
    fn forms_tell_the_country() {
        for (text, wanted) in [
            ("44 - Vair-sur-Loire", Some("FR")),
            ("69 - LYON 05", Some("FR")),
            ("Paris 12e - 75", Some("FR")),
            ("Lyon - 00", None),
            ("Vera - MT", Some("BR")),
            ("YORK PA", Some("US")),
            ("Garrett IN", Some("US")),
            ("Tantanoola SA", Some("AU")),
            ("Perth WA", Some("AU")),
            ("Hyderabad IN", None),
            ("Remote DE", None),
            ("London, LA", None),
            ("Franca, SP", Some("BR")),
            ("Barcelona, ES", None),
            ("Nantes (44)", Some("FR")),
            ("Berlin (24)", None),
            ("MX-BCN-MEXICALI-238 ~ Colorado", Some("MX")),
            ("US-CA-Remote", None),
            ("Carpi (MO)", Some("IT")),
            ("Verona, MS", None),
            ("Aarau AG", Some("CH")),
            ("Zürich (ZH)", Some("CH")),
            ("Via Merini 43, 21100 Varese VA", Some("IT")),
            ("4 Rue Ampère 22300 LANNION", Some("FR")),
            ("28 RUE DU LAC 66680 NOWHERE", Some("FR")),
            ("12 rue du Lac 10000 Nowhere, Senegal", None),
            ("Hauptstr. 3, 10243 Berlin Germany", Some("DE")),
            ("Avenida Luxemburgo, 30353 Cartagena, Murcia", Some("ES")),
            ("1240 Vienna Road", None),
            ("Rutland, MA 01543•Remote", Some("US")),
            ("Rutland, MA 0154", None),
            ("DE 10115 Berlin", Some("DE")),
            ("", None),
        ] {
            assert_eq!(country_by_form(text), wanted, "{text}");
        }
    }

    #[test]
    fn postcodes_have_the_shape_of_their_country() {
        for (text, wanted) in [
            ("SW1E6QP", Some("GB")),
            ("Nowhere, EC1A 1BB", Some("GB")),
            ("JE2 3AB", Some("JE")),
            ("M5V 3L9", Some("CA")),
            ("Carlow, R93 XE12", Some("IE")),
            ("Route A10 2000", None),
            ("1012AB", Some("NL")),
            ("1000-001", Some("PT")),
            ("01310-100", Some("BR")),
            ("75008", None),
            ("Floor 3", None),
        ] {
            assert_eq!(country_of_postcode(text), wanted, "{text}");
        }
    }
}
