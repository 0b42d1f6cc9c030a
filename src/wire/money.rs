//! Amounts on the wire: JSON numbers that never pass through floating point (decision 4.1).

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use domain::{AmountError, MicroUsd};

/// An amount that prints as a JSON number with at most 6 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usd(pub MicroUsd);

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Reads an amount that is given as a decimal string or as a JSON number, from the very text of the request.
///
/// # Errors
/// [`AmountError`] says which rule the text breaks; any other JSON value is [`AmountError::NotANumber`].
pub fn read(amount: &RawValue) -> Result<MicroUsd, AmountError> {
    let text = amount.get();
    if text.starts_with('"') {
        let decimal: String = serde_json::from_str(text).map_err(|_| AmountError::NotANumber)?;
        MicroUsd::parse_usd(&decimal)
    } else {
        MicroUsd::parse_usd(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::{Usd, read};
    use domain::{AmountError, MicroUsd};

    fn read_text(text: &str) -> Result<MicroUsd, AmountError> {
        read(&RawValue::from_string(text.to_owned()).expect("JSON"))
    }

    #[test]
    fn reads_strings_and_numbers() {
        for text in ["0.1", "\"0.10\"", "0.100000", "\"0\\u002e1\""] {
            assert_eq!(read_text(text), Ok(MicroUsd::from_micros(100_000)), "{text}");
        }
        assert_eq!(read_text("123456789.123457"), Ok(MicroUsd::from_micros(123_456_789_123_457)));
        for text in ["null", "true", "[]", "{}", "\"\"", "1e2", "\"ten\""] {
            assert_eq!(read_text(text), Err(AmountError::NotANumber), "{text}");
        }
        assert_eq!(read_text("-1"), Err(AmountError::Negative));
        assert_eq!(read_text("0.0000001"), Err(AmountError::TooPrecise));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(micros in 0..=MicroUsd::INPUT_MAX.micros()) {
            let amount = MicroUsd::from_micros(micros);
            prop_assert_eq!(read_text(&serde_json::to_string(&Usd(amount)).expect("JSON")), Ok(amount));
        }
    }
}
