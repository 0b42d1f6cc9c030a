//! Places whose country shows in how they are written: postcodes, numbers of departments, states behind a city.

use super::gazetteer::{Country, cities, countries_of, is_code, key};

/// The country that the form of `text` shows, whatever names it has.
pub fn country_by_form(text: &str) -> Option<Country> {
    let text = text.trim();
    department_number(text).or_else(|| state_of_brazil(text)).or_else(|| state_of_us(text)).or_else(|| zip_code(text))
}

/// `44 - Nantes`, `Nantes - 44`: boards in France put the number of the department before or behind.
fn department_number(text: &str) -> Option<Country> {
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

/// `Vera - MT`: boards in Brazil put the state behind a dash, where others put it behind a comma.
fn state_of_brazil(text: &str) -> Option<Country> {
    let (city, state) = text.rsplit_once(" - ")?;
    let is_state = is_code(state) && state.len() == 2 && countries_of(state).contains(&"BR");
    let is_city = !city.contains([',', '/', '|', ';', '('])
        && cities(&key(city)).is_some_and(|found| found.countries.contains(&"BR"));
    (is_state && is_city).then_some("BR")
}

/// `YORK PA`: a state behind a city, without a comma and in capitals, where codes are not believed otherwise.
fn state_of_us(text: &str) -> Option<Country> {
    let is_capital_or_space = |letter: char| letter.is_uppercase() || letter == ' ';
    let (city, state) = text.rsplit_once(' ').filter(|(city, _)| city.chars().all(is_capital_or_space))?;
    (is_state_of_us(state) && cities(&key(city)).is_some_and(|found| found.countries.contains(&"US"))).then_some("US")
}

/// `Rutland, MA 01543`: a state and a ZIP code. `DE 10115` is one of Germany.
fn zip_code(text: &str) -> Option<Country> {
    let words = words(text);
    let is_zip = |word: &str| matches!(shape(word).as_str(), "99999" | "99999-9999");
    words.windows(2).any(|pair| pair[0] != "DE" && is_state_of_us(pair[0]) && is_zip(pair[1])).then_some("US")
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
        _ => None,
    }
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
            ("Rutland, MA 01543•Remote", Some("US")),
            ("Rutland, MA 0154", None),
            ("DE 10115 Berlin", None),
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
