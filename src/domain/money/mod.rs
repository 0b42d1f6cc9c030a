//! Money: whole micro-USD, checked arithmetic, no floating point anywhere (decision 4.1, Spec 2.5).

pub mod balance_alert;
pub mod chain;
pub mod ledger;
pub mod lots;
pub mod month;
pub mod pricing;
pub mod statement;

use std::fmt;

/// An amount in micro-USD: 1,000,000 are one US dollar. Entries of the ledger may be negative; balances never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroUsd(i64);

/// Decimal places of a micro-USD amount.
const DECIMALS: usize = 6;
const MICROS_PER_USD: i64 = 1_000_000;

/// Why a text is no amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Not a plain decimal number such as `12.50`.
    #[error("must be a decimal number such as 12.50")]
    NotANumber,
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// Finer than a micro-USD.
    #[error("must have at most 6 decimals")]
    TooPrecise,
    /// Above [`MicroUsd::INPUT_MAX`].
    #[error("must be at most 1000000000")]
    TooLarge,
}

impl MicroUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest price or top-up that is accepted: a billion dollars.
    pub const INPUT_MAX: Self = Self(1_000_000_000 * MICROS_PER_USD);

    /// The amount of `micros` micro-USD.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The amount in micro-USD.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether this is no money at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, or `None` beyond what 64 bits hold.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` beyond what 64 bits hold.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The same amount in the other direction.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Reads an amount that somebody typed: a price or a top-up in USD, `0` to a billion, at most 6 decimals.
    pub fn parse_usd(text: &str) -> Result<Self, AmountError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || (digits.contains('.') && !is_digits(fraction)) {
            return Err(AmountError::NotANumber);
        }
        if text.starts_with('-') {
            return Err(AmountError::Negative);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > DECIMALS {
            return Err(AmountError::TooPrecise);
        }
        let micros = format!("{fraction:0<DECIMALS$}").parse::<i64>().map_err(|_| AmountError::NotANumber)?;
        let of_whole = whole.parse::<i64>().ok().and_then(|dollars| dollars.checked_mul(MICROS_PER_USD));
        let amount = of_whole.and_then(|whole| whole.checked_add(micros)).map(Self);
        amount.filter(|amount| *amount <= Self::INPUT_MAX).ok_or(AmountError::TooLarge)
    }
}

/// Prints USD as a JSON number would: `12.5`, `0`, `-0.000001`.
impl fmt::Display for MicroUsd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micros = self.0.unsigned_abs();
        let scale = MICROS_PER_USD.unsigned_abs();
        let (whole, fraction) = (micros / scale, micros % scale);
        if fraction == 0 {
            return write!(out, "{sign}{whole}");
        }
        let fraction = format!("{fraction:06}");
        write!(out, "{sign}{whole}.{}", fraction.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::{AmountError, MicroUsd};
    use proptest::prelude::*;

    #[test]
    fn reads_and_prints_amounts() {
        for (text, micros, printed) in [
            ("0", 0, "0"),
            ("0.10", 100_000, "0.1"),
            ("12.500000", 12_500_000, "12.5"),
            ("0.000001", 1, "0.000001"),
            ("007", 7_000_000, "7"),
            ("1.0000000", 1_000_000, "1"),
            ("1000000000", 1_000_000_000_000_000, "1000000000"),
        ] {
            let amount = MicroUsd::parse_usd(text).expect(text);
            assert_eq!((amount.micros(), amount.to_string().as_str()), (micros, printed), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_amount() {
        for (text, error) in [
            ("", AmountError::NotANumber),
            ("1e3", AmountError::NotANumber),
            ("1.", AmountError::NotANumber),
            (".5", AmountError::NotANumber),
            ("+1", AmountError::NotANumber),
            ("NaN", AmountError::NotANumber),
            ("-1", AmountError::Negative),
            ("0.0000001", AmountError::TooPrecise),
            ("1000000000.000001", AmountError::TooLarge),
            ("99999999999999999999", AmountError::TooLarge),
        ] {
            assert_eq!(MicroUsd::parse_usd(text), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn printing_and_reading_are_inverse(micros in 0..=MicroUsd::INPUT_MAX.micros()) {
            let amount = MicroUsd::from_micros(micros);
            prop_assert_eq!(MicroUsd::parse_usd(&amount.to_string()), Ok(amount));
        }
    }
}
