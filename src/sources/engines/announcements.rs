//! Announcements in the items of an answer: read once for all feeds that share the answer, as the source file says.
//!
//! Duty: texts of items to the `extracted` values of each. Pure. Never here: how a headline is read (`headlines`), or
//! whom an announcement concerns (`announced_move`).

use serde_json::{Number, Value, json};
use serde_json_path::JsonPath;

use super::mapping::{plain, texts_under};
use crate::announced_index::AnnouncedIndex;
use crate::announced_move::{AnnouncedMove, EXTRACTED, employer_key, is_reported, person_key};
use crate::bounds::cut;
use crate::extraction::headlines::{Funding, PersonMove, announced_funding, announced_move, moves_in_sentences};
use crate::format::fields::TextFormat;
use crate::format::list_source::{Extract, Extractor, ListSource, MatchBy};
use crate::mentions::hosts;
use crate::text::company_name::letters;
use domain::content::company_name::without_legal_form;
use outbound::reading;

/// How much of a headline is read.
pub const HEADLINE_BYTES_MAX: usize = 400;
/// How much of the text below it is read.
pub const TEXT_BYTES_MAX: usize = 2_000;
/// How much of a document as it stands is read, markup and all.
const DOCUMENT_BYTES_MAX: usize = 64 * 1024;
/// How much of a text as it stands, markup and all, is looked through for addresses.
const MARKUP_BYTES_MAX: usize = 16 * 1024;
/// Names that long are called like a domain by no accident.
const TELLING_LENGTH: usize = 4;

/// `answer`, where many feeds share it, with what is announced in each of its items; those that announce nothing are left
/// out, so that no feed looks at them.
pub fn with_announcements(list: &ListSource, mut answer: Value) -> Value {
    let Some(extract) = in_items(list).filter(|_| list.is_shared()) else { return answer };
    let place = list.place_of_items(&answer);
    let items = match place.and_then(|place| answer.pointer_mut(&place)) {
        Some(Value::Array(items)) => items,
        Some(one @ Value::Object(_)) => {
            announce(extract, one);
            return answer;
        }
        _ => return answer,
    };
    items.retain_mut(|item| reading::goes_on() && announce(extract, item));
    answer
}

/// What announcements are read by from an item alone, without a document among its details.
fn in_items(list: &ListSource) -> Option<&Extract> {
    list.extract.as_ref().filter(|extract| extract.document.is_none())
}

/// What announcements of the items of `list` are read by where no other feed shares its answers: then each is read once,
/// when it is new.
pub fn own_announcements(list: &ListSource) -> Option<&Extract> {
    in_items(list).filter(|_| !list.is_shared())
}

/// Whom the announcements of an `answer` of `list` name, where feeds go by people or employers alone.
pub fn index_of(list: &ListSource, answer: &Value) -> Option<AnnouncedIndex> {
    let by = list.matching.as_ref().map(|matching| matching.by);
    let is_plain = list.items.path.is_none() && list.paging.is_none() && list.answers.error_if.is_none();
    let has_names = in_items(list).is_some();
    if !(is_plain && has_names && matches!(by, Some(MatchBy::Employer | MatchBy::Person))) {
        return None;
    }
    let mut index = AnnouncedIndex::default();
    for item in answer.pointer(&list.place_of_items(answer)?)?.as_array()? {
        let found = AnnouncedMove::of(item)?;
        index.add(person_key(found.full_name), found.employer.map(employer_key));
    }
    Some(index)
}

/// Puts what the document among the details of `item` tells into it, where the list reads one: of several moves the first
/// that its radars report. Whether there is nothing to report.
pub fn tells_nothing(list: &ListSource, item: &mut Value) -> bool {
    let Some(document) = list.extract.as_ref().and_then(|extract| extract.document.as_ref()) else { return false };
    let text = document.of(item).unwrap_or_default();
    // Elements begin new lines, not the lines that they are written in.
    let text = cut(&text, DOCUMENT_BYTES_MAX).replace(['\r', '\n'], " ");
    let moves = moves_in_sentences(&plain(&text, TextFormat::Html));
    let found = moves.iter().find(|found| is_reported(list.radar_type, found.kind.as_str(), found.title.as_deref()));
    let (Some(found), Some(item)) = (found, item.as_object_mut()) else { return true };
    item.insert(EXTRACTED.to_owned(), of_move(found));
    false
}

/// Puts what is announced in `item` into it; whether that is anything.
pub fn announce(extract: &Extract, item: &mut Value) -> bool {
    let extracted = extracted(extract, item);
    let (Some(extracted), Some(item)) = (extracted, item.as_object_mut()) else { return false };
    item.insert(EXTRACTED.to_owned(), extracted);
    true
}

fn extracted(extract: &Extract, item: &Value) -> Option<Value> {
    let raw = |paths: &[JsonPath]| texts_under(paths, item).find(|text| !text.is_empty());
    let read = |text: &str, bytes_max: usize| {
        let text = plain(cut(text, MARKUP_BYTES_MAX), TextFormat::Html);
        cut(&text, bytes_max).to_owned()
    };
    let headline = read(&raw(&extract.headline)?, HEADLINE_BYTES_MAX).replace('\n', " ");
    let markup = raw(&extract.text).unwrap_or_default();
    let text = read(&markup, TEXT_BYTES_MAX);
    let domain = |company: &str| domain_of(company, cut(&markup, MARKUP_BYTES_MAX));
    match extract.by {
        Extractor::PersonMove => announced_move(&headline, &text).map(|found| of_move(&found)),
        Extractor::Funding => {
            announced_funding(&headline, &text).map(|found| of_funding(&found, domain(&found.company)))
        }
    }
}

fn of_move(found: &PersonMove) -> Value {
    json!({
        "kind": found.kind.as_str(),
        "full_name": found.person.full,
        "first_name": found.person.first,
        "last_name": found.person.last,
        "title": found.title,
        "previous_title": found.previous_title,
        "employer": found.company,
        "previous_employer": found.previous_company,
        "effective_date": found.effective_on.map(|day| day.to_string()),
        "confidence": found.confidence,
        "evidence": found.evidence,
    })
}

fn of_funding(found: &Funding, domain: Option<String>) -> Value {
    json!({
        "company_name": found.company,
        "company_domain": domain,
        "round": found.round,
        "amount": found.amount.map(number),
        "currency": found.currency,
        "investors": found.investors,
        "confidence": found.confidence,
        "evidence": found.evidence,
    })
}

/// Whole amounts without a fraction.
fn number(amount: f64) -> Value {
    amount.to_string().parse::<Number>().map_or(Value::Null, Value::Number)
}

/// The domain of `company`, where its text names one that is called like it.
fn domain_of(company: &str, markup: &str) -> Option<String> {
    let company = without_legal_form(company);
    let (name, first_word) = (letters(company), letters(company.split_whitespace().next().unwrap_or_default()));
    let is_telling = |name: &str| name.len() >= TELLING_LENGTH;
    let is_its = |host: &String| {
        let registrable = psl::domain_str(host).unwrap_or(host);
        let label = letters(registrable.split('.').next().unwrap_or_default());
        label == name || is_telling(&name) && label.starts_with(&name) || is_telling(&first_word) && label == first_word
    };
    let host = hosts(markup).find(is_its)?;
    Some(psl::domain_str(&host).unwrap_or(&host).to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use url::Url;

    use super::{domain_of, index_of, number, with_announcements};
    use crate::SourceKind;
    use crate::engines::list_reader::ListReader;
    use crate::engines::mapping::Around;
    use crate::feed::Known;
    use crate::format::catalog::Catalog;
    use crate::format::template::Values;
    use crate::shared_answers::Answer;
    use crate::worst_headlines::worst_headlines;
    use outbound::fetch::Validators;
    use outbound::reading::steps_of;

    #[test]
    fn answers_are_indexed_for_feeds_that_go_by_people_or_employers() {
        let catalog = Catalog::load(None).unwrap();
        let found =
            json!({"extracted": {"kind": "hire", "full_name": "Dr. Inés M. Varga", "employer": "Mossgrid, Inc."}});
        let answer = json!({"entries": [found]});
        for (source_id, wanted) in [
            ("prnewswire_all_people", true),
            ("prnewswire_all_people-contact_job_changes", true),
            ("prnewswire_all_funding", false),
            ("sec_8k_people", false),
        ] {
            let source = catalog.get(source_id).unwrap_or_else(|| panic!("{source_id}"));
            let SourceKind::List(list) = &source.kind else { panic!("{source_id}") };
            let index = index_of(list, &answer);
            assert_eq!(index.is_some(), wanted, "{source_id}");
            if let Some(index) = index {
                assert_eq!((index.listed, index.of_person("ines varga")), (1, vec![0]));
                assert_eq!(index.of_employer(["mossgrid".to_owned()].into_iter()), [0]);
            }
            assert!(index_of(list, &json!({"entries": [{"title": "Nobody moves"}]})).is_none(), "{source_id}");
        }
    }

    #[test]
    fn headlines_that_are_known_or_were_there_at_first_are_not_read() {
        let catalog = Catalog::load(None).unwrap();
        let SourceKind::List(list) = &catalog.get("newsroom_people").unwrap().kind else { panic!("a list") };
        let url: Url = "https://acme.example/feed.xml".parse().unwrap();
        let headlines = worst_headlines(400);
        let entry = |(id, title): (usize, &String)| json!({"id": id.to_string(), "title": title});
        let entries: Vec<_> = headlines.iter().enumerate().map(entry).collect();
        let answer = Answer::of(with_announcements(list, json!({"entries": entries})), url.clone());
        let read = |known: Known| {
            let around = Around::new(Values::default(), url.clone(), "2026-11-21T10:00:00Z".parse().unwrap());
            let mut reader = ListReader::new(list, &known, around);
            let steps = steps_of(|| reader.read(&answer).unwrap());
            (steps, reader.finish(Validators::default()).unwrap())
        };
        let (once, poll) = read(Known::default());
        assert_eq!((poll.items.len(), poll.looked_at.len()), (0, headlines.len()));
        let known = Known { ids: Arc::new(poll.looked_at.into_iter().collect()), ..Known::default() };
        let (again, _) = read(known);
        let (first, baseline) = read(Known { first_poll: true, ..Known::default() });
        assert_eq!(baseline.looked_at.len(), headlines.len());
        assert!(again * 20 < once && first * 20 < once, "{once}, {again}, {first}");
    }

    #[test]
    fn decision_4_14_a_move_is_dated_by_its_announcement_or_not_at_all() {
        let catalog = Catalog::load(None).unwrap();
        let SourceKind::List(list) = &catalog.get("newsroom_people").unwrap().kind else { panic!("a list") };
        let url: Url = "https://acme.example/feed.xml".parse().unwrap();
        let values = list.needs.values_of("domain=acme.example&name=Acme&feed_url=https://acme.example/feed.xml");
        for (published, wanted) in [
            (json!("2026-11-19T08:00:00Z"), Some("2026-11-19T08:00:00Z")),
            (json!("2026-11-19"), Some("2026-11-19T23:59:59.999999Z")),
            (json!(null), None),
        ] {
            let entry = json!({"id": "1", "link": "https://acme.example/1", "published": published,
                "title": "Acme Appoints Ines Varga as Chief Financial Officer",
                "content": "Acme today announced that Ines Varga joined as Chief Financial Officer, effective October 1, 2026."});
            let around = Around::new(values.clone().unwrap(), url.clone(), "2026-11-21T10:00:00Z".parse().unwrap());
            let mut reader = ListReader::new(list, &Known::default(), around);
            reader.read(&Answer::of(json!({"entries": [entry]}), url.clone())).unwrap();
            let poll = reader.finish(Validators::default()).unwrap();
            let [item] = &poll.items[..] else { panic!("{poll:?}") };
            assert_eq!(item.content["start_date"], "2026-10-01");
            assert_eq!(item.dated_at, wanted.map(|text| text.parse().unwrap()), "{published}");
        }
    }

    #[test]
    fn a_company_is_found_at_the_domain_that_is_called_like_it() {
        for (company, text, wanted) in [
            ("Quarrelake", "Read more at www.quarrelake.com today", Some("quarrelake.com")),
            ("Quarrelake", "<a href=\"https://blog.quarrelake.io/a\">here</a>", Some("quarrelake.io")),
            ("Quarrelake Robotics, Inc.", "See quarrelake.com or wire.example.com", Some("quarrelake.com")),
            ("Quarrelake", "See getaway.com", None),
            ("Abc", "See abcd.com", None),
            ("Applegate", "See apple.com", None),
            ("Quarrelake", "", None),
        ] {
            assert_eq!(domain_of(company, text).as_deref(), wanted, "{company}: {text}");
        }
    }

    #[test]
    fn whole_amounts_are_written_without_a_fraction() {
        assert_eq!((number(12e6).to_string(), number(2.5).to_string()), ("12000000".to_owned(), "2.5".to_owned()));
    }
}
