//! The tests inside source files: does the source still read its own example?

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;
use url::Url;

use crate::engines::list_reader::ListReader;
use crate::engines::mapping::Around;
use crate::engines::posting_findings::item_of_posting;
use crate::engines::team_page::{TeamToken, joined_on};
use crate::engines::{reading, wire};
use crate::extraction::shown_postings::read_careers_page;
use crate::feed::Known;
use crate::format::list_source::ListSource;
use crate::format::request::details::DetailsFormat;
use crate::format::source::{Source, SourceKind, SourceTest};
use crate::format::template::Values;
use crate::format::template::clock_value::clock_values;
use crate::item::FoundItem;
use outbound::fetch::Validators;

/// Checks what `source` asks for, and runs its tests; one sentence per failure, none when all is well.
pub fn check(source: &Source) -> Vec<String> {
    let failures = source.tests.iter().map(|test| run(source, test).unwrap_or_else(|failure| vec![failure]));
    page_size_problem(source).into_iter().chain(numbered("test", failures)).collect()
}

/// An answer may hold as many items as the request asks for, so a file that asks for a number must say it.
fn page_size_problem(source: &Source) -> Option<String> {
    let SourceKind::List(list) = &source.kind else { return None };
    let asked = list.request.asked_page_size()?;
    (list.page_size() != Some(asked))
        .then(|| format!("the request asks for {asked} items: `page_size` in `[items]` or `[paging]` must say so"))
}

/// All `failures`, each behind what it is of and the number of that.
fn numbered(what: &str, failures: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let numbered = (1..)
        .zip(failures)
        .flat_map(|(number, failures)| failures.into_iter().map(move |failure| format!("{what} {number}: {failure}")));
    numbered.collect()
}

fn run(source: &Source, test: &SourceTest) -> Result<Vec<String>, String> {
    let items = match &source.kind {
        SourceKind::List(list) => list_items(list, test)?,
        _ => page_items(source, &test.token, test.body(), instant(test)?)?,
    };
    if items.len() != test.expect.len() {
        return Err(format!("{} findings instead of {}", items.len(), test.expect.len()));
    }
    Ok(numbered("finding", items.iter().zip(&test.expect).map(|(item, expected)| compare(item, expected))))
}

/// What a source that is no list reads from the page at `token`.
fn page_items(source: &Source, token: &str, body: &[u8], at: DateTime<Utc>) -> Result<Vec<FoundItem>, String> {
    match &source.kind {
        SourceKind::Push | SourceKind::List(_) => Err("a push source reads nothing".into()),
        SourceKind::CareersPage | SourceKind::Sitemap => postings_on(source, token, body, at),
        SourceKind::TeamPage(radar_type) => {
            let read = TeamToken::parse(token).map(|token| joined_on(*radar_type, &token, body));
            read.ok_or_else(|| format!("token `{token}` is no address"))
        }
    }
}

/// What a list reads from the answer of a test, whether new or not.
fn list_items(list: &Arc<ListSource>, test: &SourceTest) -> Result<Vec<FoundItem>, String> {
    let format = list.details.as_ref().map_or(DetailsFormat::Json, |details| details.format).wire();
    let read_detail = |detail: &String| match &format {
        Some(format) => wire::read(format, detail.as_bytes(), None),
        None => Ok(Value::String(detail.clone())),
    };
    let detail_of = |native_id: &str| {
        let detail = test.details.get(native_id).map_or(Ok(Value::Null), read_detail);
        detail.map_err(|error| format!("details of {native_id}: {error}"))
    };
    let reader = read(list, &test.token, &test.values, test.body(), instant(test)?, detail_of)?;
    reader.all().map_err(|error| error.to_string())
}

/// Reads a stored answer of `source` as that of the feed of `token`, all of it as new and without details.
///
/// # Errors
/// What is wrong with the answer, the token or the source, in words.
pub fn read_answer(source: &Source, token: &str, body: &[u8], at: DateTime<Utc>) -> Result<Vec<FoundItem>, String> {
    let SourceKind::List(list) = &source.kind else { return page_items(source, token, body, at) };
    let given = source.tests.first().map(|test| test.values.clone()).unwrap_or_default();
    let reader = read(list, token, &given, body, at, |_| Ok(Value::Null))?;
    reader.finish(Validators::default()).map(|poll| poll.items).map_err(|error| error.to_string())
}

/// Reads `body` in the place of the answer of a test of `source`; what is wrong with it, in words.
pub(super) fn read_as_in_test(source: &Source, body: &[u8], at: DateTime<Utc>) -> Result<Vec<FoundItem>, String> {
    let token = source.tests.first().map(|test| test.token.as_str()).unwrap_or_default();
    read_answer(source, token, body, at)
}

fn read(
    list: &Arc<ListSource>,
    token: &str,
    given: &Values,
    body: &[u8],
    at: DateTime<Utc>,
    detail_of: impl Fn(&str) -> Result<Value, String>,
) -> Result<ListReader, String> {
    let values = list.needs.values_of(token);
    let mut values = values.ok_or_else(|| format!("token `{token}` lacks a value that the source needs"))?;
    values.extend(given.clone());
    values.extend(clock_values(list.asked_names(), at));
    // Values of credentials, of other answers and of pages are made up.
    for name in list.request.names() {
        values.entry(name.to_owned()).or_insert_with(|| "1".to_owned());
    }
    let url = list.request.address(&values).ok_or_else(|| format!("token `{token}` makes no address"))?;
    let answer = reading::read_answer(list, body, None, url.clone()).map_err(|error| error.to_string())?;
    let mut reader = ListReader::new(list, &Known::default(), Around::new(values, url, at));
    reader.read(&answer).map_err(|error| error.to_string())?;
    for (native_id, item, _) in std::mem::take(&mut reader.waiting) {
        let detail = detail_of(&native_id)?;
        reader.take_detailed(native_id, item, detail);
    }
    Ok(reader)
}

fn postings_on(source: &Source, token: &str, body: &[u8], at: DateTime<Utc>) -> Result<Vec<FoundItem>, String> {
    let url = Url::parse(token).map_err(|error| format!("token: {error}"))?;
    let (_, found) = read_careers_page(body, None, &url, at);
    let current = found.iter().filter(|posting| !posting.is_over);
    Ok(current.filter_map(|posting| item_of_posting(String::new(), posting, &url, &source.id)).collect())
}

fn instant(test: &SourceTest) -> Result<DateTime<Utc>, String> {
    let at = test.at.as_deref().map(str::parse::<DateTime<Utc>>).transpose();
    Ok(at.map_err(|error| format!("at: {error}"))?.unwrap_or(DateTime::UNIX_EPOCH))
}

fn compare(item: &FoundItem, expected: &toml::Table) -> Vec<String> {
    let content = Value::Object(item.content.clone());
    // A dot leads into a nested object.
    let at = |path: &str| content.pointer(&format!("/{}", path.replace('.', "/"))).unwrap_or(&Value::Null);
    let compared = expected.iter().filter_map(|(key, wanted)| match (key.as_str(), wanted) {
        ("absent", toml::Value::Array(keys)) => {
            let keys = keys.iter().filter_map(toml::Value::as_str);
            let present: Vec<&str> = keys.filter(|key| item.content.get(*key) != Some(&Value::Null)).collect();
            (!present.is_empty()).then(|| format!("{} should be null", present.join(", ")))
        }
        ("native_id", toml::Value::String(wanted)) => {
            (*wanted != item.native_id).then(|| format!("native_id is `{}` instead of `{wanted}`", item.native_id))
        }
        (key, wanted) => {
            let is = at(key);
            let shown = wanted.as_str().map_or_else(|| wanted.to_string(), |text| format!("`{text}`"));
            (serde_json::to_value(wanted).ok().as_ref() != Some(is))
                .then(|| format!("{key} is {is} instead of {shown}"))
        }
    });
    compared.collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::format::catalog::Catalog;
    use crate::format::source::SourceKind;
    use crate::format::source_file::read_sources;

    #[test]
    fn every_built_in_source_reads_its_own_example() {
        for source in Catalog::load(None).unwrap().all() {
            let is_further = &source.id.contains('-');
            let is_read = !is_further && !matches!(source.kind, SourceKind::Push);
            assert!(!is_read || !source.tests.is_empty(), "{} has no test", &source.id);
            assert_eq!(check(source), Vec::<String>::new(), "{}", &source.id);
        }
    }

    #[test]
    fn decision_4_14_a_request_that_asks_for_a_number_of_items_needs_it_as_the_page_size() {
        let text = include_str!("builtin/social/mastodon_engagements.toml");
        for (size, is_said) in [("page_size = 40\n", true), ("page_size = 20\n", false), ("", false)] {
            let text = text.replacen("page_size = 40\n", size, 1);
            let failures = check(&read_sources("mastodon.toml", &text, &|_| None).unwrap()[0]);
            assert_eq!(failures.is_empty(), is_said, "{size}: {failures:?}");
            assert!(failures.iter().all(|failure| failure.contains("asks for 40 items")), "{failures:?}");
        }
    }

    #[test]
    fn a_test_that_fails_says_what_is_wrong() {
        let text = include_str!("builtin/pages/careers_page.toml");
        for (from, to, failure) in [
            ("country = \"FR\"", "country = \"DE\"", "country"),
            ("country = \"FR\"", "absent = [\"country\"]", "should be null"),
            ("\"2026-11-21T00:00:00Z\"", "\"2027-11-21T00:00:00Z\"", "0 findings instead of 1"),
        ] {
            let sources = read_sources("careers_page.toml", &text.replacen(from, to, 1), &|_| None).unwrap();
            let failures = check(&sources[0]);
            assert!(failures.len() == 1 && failures[0].contains(failure), "{failures:?}");
        }
    }
}
