//! Reads a country code of ISO 3166-1 alpha-2 (decision 2.4).

use super::countries::Country;
use crate::targets::CountryCode;

/// The text is no officially assigned code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an ISO 3166-1 alpha-2 country code such as SE")]
pub struct UnknownCountry;

impl CountryCode {
    /// Reads an assigned code in any case; it becomes upper case.
    pub fn parse(text: &str) -> Result<Self, UnknownCountry> {
        let code = text.trim().to_ascii_uppercase();
        let is_assigned = Country::all().any(|country| country.alpha_2 == code);
        if is_assigned { Ok(Self::from_stored(code)) } else { Err(UnknownCountry) }
    }
}

#[cfg(test)]
mod tests {
    use super::{CountryCode, UnknownCountry};

    #[test]
    fn decision_2_4_reads_any_case_and_refuses_the_rest() {
        assert_eq!(CountryCode::parse("se").as_ref().map(CountryCode::as_str), Ok("SE"));
        for text in ["", "S", "SWE", "Sweden", "UK", "EU", "XX", "S E", "ſe", "D AE", "AE AF"] {
            assert_eq!(CountryCode::parse(text), Err(UnknownCountry), "{text}");
        }
    }
}
