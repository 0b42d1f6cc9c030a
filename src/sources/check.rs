//! The tests inside source files: does the source still read its own example?

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use url::Url;

use crate::sources::engines::json_board::items_of;
use crate::sources::engines::posting_item::item_of_posting;
use crate::sources::extraction::job_posting::postings;
use crate::sources::extraction::page::read_page;
use crate::sources::format::source::{Source, SourceKind, SourceTest};
use crate::sources::item::FoundItem;

/// Runs the tests of `source`; one sentence per failure, none when all is well.
pub fn check(source: &Source) -> Vec<String> {
    let outcomes = source.tests.iter().enumerate().map(|(index, test)| (index + 1, run(source, test)));
    outcomes
        .flat_map(|(number, failures)| failures.into_iter().map(move |failure| format!("test {number}: {failure}")))
        .collect()
}

fn run(source: &Source, test: &SourceTest) -> Vec<String> {
    let items = match items(source, test) {
        Ok(items) => items,
        Err(failure) => return vec![failure],
    };
    if items.len() != test.expect.len() {
        return vec![format!("{} findings instead of {}", items.len(), test.expect.len())];
    }
    let pairs = items.iter().zip(&test.expect).enumerate();
    pairs
        .flat_map(|(index, (item, expected))| {
            compare(item, expected).into_iter().map(move |failure| format!("finding {}: {failure}", index + 1))
        })
        .collect()
}

fn items(source: &Source, test: &SourceTest) -> Result<Vec<FoundItem>, String> {
    match &source.kind {
        SourceKind::Push => Err("a push source reads nothing".into()),
        SourceKind::Json(board) => {
            if board.request.url_of(&test.token).is_none() {
                return Err(format!("token `{}` makes no address", test.token));
            }
            let answer: Value = serde_json::from_str(&test.response).map_err(|error| format!("response: {error}"))?;
            items_of(board, &answer).map_err(|error| error.to_string())
        }
        SourceKind::CareersPage | SourceKind::Sitemap => {
            let url = Url::parse(&test.token).map_err(|error| format!("token: {error}"))?;
            let at = test.at.as_deref().map(str::parse::<DateTime<Utc>>).transpose();
            let at = at.map_err(|error| format!("at: {error}"))?.unwrap_or(DateTime::UNIX_EPOCH);
            let page = read_page(test.response.as_bytes(), None, &url);
            let found = postings(&page.json_ld, &url, at);
            let current = found.iter().filter(|posting| !posting.is_over);
            Ok(current.map(|posting| item_of_posting(String::new(), posting, &url, source.id())).collect())
        }
    }
}

fn compare(item: &FoundItem, expected: &toml::Table) -> Vec<String> {
    let compared = expected.iter().filter_map(|(key, wanted)| match (key.as_str(), wanted) {
        ("absent", toml::Value::Array(keys)) => {
            let present =
                keys.iter().filter_map(toml::Value::as_str).filter(|key| item.content.get(*key) != Some(&Value::Null));
            let present: Vec<&str> = present.collect();
            (!present.is_empty()).then(|| format!("{} should be null", present.join(", ")))
        }
        ("native_id", toml::Value::String(wanted)) => {
            (*wanted != item.native_id).then(|| format!("native_id is `{}` instead of `{wanted}`", item.native_id))
        }
        (key, toml::Value::String(wanted)) => {
            let is = at(&item.content, key);
            (is.as_str() != Some(wanted)).then(|| format!("{key} is {is} instead of `{wanted}`"))
        }
        (key, wanted) => {
            let is = at(&item.content, key);
            (serde_json::to_value(wanted).ok().as_ref() != Some(is))
                .then(|| format!("{key} is {is} instead of {wanted}"))
        }
    });
    compared.collect()
}

/// The value at a key, or at a key of a nested object with a dot between.
fn at<'a>(content: &'a Map<String, Value>, path: &str) -> &'a Value {
    let (name, nested) = path.split_once('.').map_or((path, None), |(name, nested)| (name, Some(nested)));
    let value = content.get(name).unwrap_or(&Value::Null);
    nested.map_or(value, |nested| value.get(nested).unwrap_or(&Value::Null))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::sources::format::catalog::Catalog;
    use crate::sources::format::source_file::read_source;

    #[test]
    fn every_built_in_source_reads_its_own_example() {
        for source in Catalog::load(None).unwrap().all() {
            assert!(!source.tests.is_empty(), "{} has no test", source.id());
            assert_eq!(check(source), Vec::<String>::new(), "{}", source.id());
        }
    }

    #[test]
    fn a_test_that_fails_says_what_is_wrong() {
        let text = include_str!("builtin/jobs/careers_page.toml");
        for (from, to, failure) in [
            ("country = \"FR\"", "country = \"DE\"", "country"),
            ("country = \"FR\"", "absent = [\"country\"]", "should be null"),
            ("\"2026-11-21T00:00:00Z\"", "\"2027-11-21T00:00:00Z\"", "0 findings instead of 1"),
        ] {
            let failures = check(&read_source("careers_page.toml", &text.replacen(from, to, 1)).unwrap());
            assert!(failures.len() == 1 && failures[0].contains(failure), "{failures:?}");
        }
    }
}
