//! Pages of the ledger of an account.

use crate::operator::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::parameters::Parameters;
use domain::FieldError;

/// Reads after which ledger transaction a page begins, and how many it has. The position is a plain number: `cursor` takes what a page gave as `next_cursor`, `after` is the same for people.
pub fn parse(query: &str) -> Result<(i64, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["after", "cursor", "limit"]);
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    let number = |text: &str| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|_| is_plain).ok_or("must be the seq of a ledger transaction")
    };
    let after = parameters.one("after", number);
    let cursor = parameters.one("cursor", number);
    parameters.finish((cursor.or(after).unwrap_or(0), limit))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_page_begins_after_a_number() {
        assert_eq!(parse(""), Ok((0, 100)));
        assert_eq!(parse("after=7&limit=5"), Ok((7, 5)));
        assert_eq!(parse("cursor=9"), Ok((9, 100)));
        for query in ["after=-1", "after=x", "after=+1", "limit=0", "limit=1001", "page=2"] {
            assert!(parse(query).is_err(), "{query}");
        }
    }
}
