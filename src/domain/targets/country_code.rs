//! Reads a country code of ISO 3166-1 alpha-2 (decision 2.4).

use crate::domain::targets::CountryCode;

/// The text is no officially assigned code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an ISO 3166-1 alpha-2 country code such as SE")]
pub struct UnknownCountry;

impl CountryCode {
    /// Reads an assigned code in any case; it becomes upper case.
    ///
    /// # Errors
    /// [`UnknownCountry`] for anything else.
    pub fn parse(text: &str) -> Result<Self, UnknownCountry> {
        let code = text.trim().to_ascii_uppercase();
        if code.len() == 2 && ASSIGNED.split_ascii_whitespace().any(|assigned| assigned == code) {
            Ok(Self::from_stored(code))
        } else {
            Err(UnknownCountry)
        }
    }
}

/// The officially assigned codes, in alphabetical order.
const ASSIGNED: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR \
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT \
    JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY \
    MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM \
    PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ \
    TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::{ASSIGNED, CountryCode, UnknownCountry};

    #[test]
    fn decision_2_4_the_list_is_whole_and_sorted() {
        let codes: Vec<&str> = ASSIGNED.split_ascii_whitespace().collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn decision_2_4_reads_any_case_and_refuses_the_rest() {
        assert_eq!(CountryCode::parse("se").as_ref().map(CountryCode::as_str), Ok("SE"));
        for text in ["", "S", "SWE", "Sweden", "UK", "EU", "XX", "S E", "ſe", "D AE", "AE AF"] {
            assert_eq!(CountryCode::parse(text), Err(UnknownCountry), "{text}");
        }
    }
}
