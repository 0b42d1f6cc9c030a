//! The requests of a list, and what their answers come to.
//!
//! Duty: values and pages to requests, statuses to outcomes. Never here: what the items of an answer are.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use url::Url;

use super::list_reader::items_in;
use super::page_at::PageAt;
use super::pages::UNCACHED;
use super::reading::read_answer;
use super::wire::{self, WireError};
use crate::bounds::{ITEMS_MAX, LINE_BYTES_MAX};
use crate::extraction::json::scalar;
use crate::extraction::page::decode;
use crate::feed::PollError;
use crate::format::list_source::ListSource;
use crate::format::request::details::Details;
use crate::format::request::{BodyType, Resolve};
use crate::format::template::clock_value::clock_values;
use crate::format::template::{Template, Values};
use crate::format::wire_format::WireFormat;
use crate::shared_answers::Answer;
use domain::FailureClass;
use outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Validators, Web};
use outbound::reading;

const MIB: usize = 1024 * 1024;
/// How long what a step resolves serves all who share it.
const RESOLVED_FOR: Duration = Duration::from_secs(60);

/// How a page of a list is asked for.
#[derive(Clone, Copy, Default)]
pub struct Asking<'a> {
    /// What the last poll saw.
    pub validators: Option<&'a Validators>,
    /// Whether no answer counts that was given to an earlier look.
    pub is_second_look: bool,
}

/// A request for a page of the list.
struct Outgoing {
    url: Url,
    headers: Vec<(String, String)>,
    body: String,
}

/// The values of the feed of `token`: its own, the credentials, those of the clock, and what is to be resolved from them.
pub async fn values_of(web: &Web, list: &Arc<ListSource>, token: &str) -> Result<Values, PollError> {
    let bad_token = || PollError::BadToken(token.into());
    let mut values = list.needs.values_of(token).ok_or_else(bad_token)?;
    for (name, variable) in &list.credentials {
        values.insert(name.clone(), std::env::var(variable).unwrap_or_default());
    }
    values.extend(clock_values(list.asked_names(), web.now()));
    for step in &list.resolve {
        let url = step.url.url(&values).ok_or_else(bad_token)?;
        let answer = ask_step(web, list, url, step).await?;
        for name in step.given() {
            let missing = || PollError::Unreadable(format!("it holds no {name}"));
            let found = match step.captures.get(name) {
                Some(capture) => answer.as_str().and_then(|text| capture.of(text)).map(str::to_owned),
                None => step.values.get(name).and_then(|path| scalar(path.query(&answer).first()?)),
            };
            values.insert(name.to_owned(), found.filter(|text| text.len() <= LINE_BYTES_MAX).ok_or_else(missing)?);
        }
    }
    Ok(values)
}

/// The answer that a step resolves values from.
async fn ask_step(web: &Web, list: &Arc<ListSource>, url: Url, step: &Resolve) -> Result<Arc<Value>, PollError> {
    let format = step.captures.is_empty().then_some(WireFormat::Json);
    let asking = ask_value(web, list, url.clone(), step.robots, format);
    let answer = match list.is_shared() {
        true => {
            list.shared_answers.get(url.as_str(), web.steady_now(), list.shared_for.min(RESOLVED_FOR), asking).await?
        }
        false => asking.await?,
    };
    Ok(answer.value)
}

/// A page of the list; of a list that is the same for everybody perhaps the one that another feed has asked for.
pub async fn ask_list(
    web: &Web,
    list: &Arc<ListSource>,
    values: &Values,
    at: &PageAt,
    asking: Asking<'_>,
) -> Result<Answer, PollError> {
    let Asking { validators, is_second_look } = asking;
    let mut outgoing = list_request(list, values, at)?;
    if is_second_look {
        outgoing.headers.push(UNCACHED.map(str::to_owned).into());
    }
    if !list.is_shared() {
        return answer_of(web, list, outgoing, validators).await;
    }
    let question = format!("{}\n{}", outgoing.url, outgoing.body);
    let asking = async {
        let answer = answer_of(web, list, outgoing, None).await?;
        note_shown(web, list, &question, &answer).await?;
        Ok(answer)
    };
    let mut answer = list.shared_answers.get(&question, web.steady_now(), list.shared_for, asking).await?;
    let body_hash = &answer.validators.body_hash;
    answer.not_modified = body_hash.is_some() && validators.is_some_and(|sent| sent.body_hash == *body_hash);
    Ok(answer)
}

/// Notes what an answer shows, so that it is seen when the next one shows nothing of it. Later pages begin anywhere.
async fn note_shown(web: &Web, list: &Arc<ListSource>, question: &str, answer: &Answer) -> Result<(), PollError> {
    if list.paging.is_some() {
        return Ok(());
    }
    let (of_list, value) = (list.clone(), answer.value.clone());
    let ids = web.read(move || ids_in(&of_list, &value)).await?;
    if list.overlap.note(question, &ids, web.steady_now()) {
        tracing::warn!(url = %answer.url, "nothing of what was shown before is there any more: items may have been missed");
    }
    Ok(())
}

/// The ids that an answer shows, as the source has them.
fn ids_in(list: &ListSource, answer: &Value) -> Vec<String> {
    let id = |item: &&Value| list.items.id.iter().find_map(|path| scalar(path.query(item).first()?));
    let items = items_in(list, answer).unwrap_or_default();
    items.iter().take(ITEMS_MAX).take_while(|_| reading::goes_on()).filter_map(id).collect()
}

/// The details of `item`.
pub async fn ask_details(
    web: &Web,
    list: &Arc<ListSource>,
    details: &Details,
    values: &Values,
    item: &Value,
) -> Result<Value, PollError> {
    let mut values = values.clone();
    for (name, place) in &details.with {
        let value = place.of(item).ok_or_else(|| PollError::BadToken(item.to_string()))?;
        values.insert(name.clone(), value);
    }
    let url = details.url.url(&values).ok_or_else(|| PollError::BadToken(item.to_string()))?;
    let answer = ask_value(web, list, url, details.robots, details.format.wire()).await?;
    Ok(Arc::unwrap_or_clone(answer.value))
}

/// An answer beside those of the list; a text where it has no format.
async fn ask_value(
    web: &Web,
    list: &Arc<ListSource>,
    url: Url,
    robots: RobotsPolicy,
    format: Option<WireFormat>,
) -> Result<Answer, PollError> {
    let request = Fetch {
        url: &url,
        accept: format.as_ref().map_or("text/plain,*/*;q=0.5", WireFormat::accept),
        headers: &[],
        validators: None,
        robots,
        redirects: Redirects::None,
        body_bytes_max: None,
    };
    let page = send(web, list, request, String::new()).await?;
    let read = web.read(move || {
        let value = match format {
            None => Value::String(decode(&page.body, page.content_type()).into_owned()),
            Some(format) => wire::read(&format, &page.body, page.content_type())?,
        };
        Ok(Answer::of(value, url))
    });
    let read: Result<_, WireError> = read.await?;
    read.map_err(|error| PollError::Unreadable(error.to_string()))
}

async fn answer_of(
    web: &Web,
    list: &Arc<ListSource>,
    outgoing: Outgoing,
    validators: Option<&Validators>,
) -> Result<Answer, PollError> {
    let request = Fetch {
        url: &outgoing.url,
        accept: list.format.accept(),
        headers: &outgoing.headers,
        validators,
        robots: list.request.robots,
        redirects: list.request.redirects,
        body_bytes_max: list.request.body_mib_max.map(|mib| mib.saturating_mul(MIB)),
    };
    let page = send(web, list, request, outgoing.body).await?;
    let validators = page.validators.clone();
    // What is unchanged is not read: most polls end here.
    if page.not_modified {
        return Ok(Answer { validators, not_modified: true, ..Answer::of(Value::Null, page.final_url) });
    }
    let link_header = page.header("link").map(str::to_owned);
    let list = list.clone();
    let read = web.read(move || read_answer(&list, &page.body, page.content_type(), page.final_url.clone()));
    let answer = read.await?.map_err(|error| PollError::Unreadable(error.to_string()))?;
    Ok(Answer { validators, link_header, ..answer })
}

async fn send(web: &Web, list: &ListSource, request: Fetch<'_>, body: String) -> Result<Page, PollError> {
    let sent = web.send(request, body.into(), list.pace.of_request()).await;
    let status = match &sent {
        Ok(page) => Some(page.status),
        Err(error) => error.status(),
    };
    match status.and_then(|status| Some((status, list.answers.class_of(status)?))) {
        Some((_, FailureClass::Dead)) => Err(FetchError::NotFound.into()),
        Some((_, FailureClass::Throttled)) => Err(FetchError::Throttled { retry_after: None }.into()),
        Some((status, FailureClass::Auth)) => Err(FetchError::Forbidden { status }.into()),
        Some((status, _)) => Err(PollError::Passing(status)),
        None => match sent? {
            page if matches!(page.status, 200..=299 | 304) => Ok(page),
            _ => Err(FetchError::NotFound.into()),
        },
    }
}

fn list_request(list: &ListSource, values: &Values, at: &PageAt) -> Result<Outgoing, PollError> {
    let bad_token = || PollError::BadToken(list.needs.token_of(values));
    let request = &list.request;
    let mut values = values.clone();
    let mut parameters: Vec<(String, String)> = Vec::new();
    if let (Some(paging), PageAt::Value(value)) = (&list.paging, at) {
        parameters.extend(paging.parameter.clone().zip(value.clone()));
        parameters.extend(paging.limit_parameter.clone().zip(paging.page_size.map(|size| size.to_string())));
        values.insert(paging.value_name().to_owned(), value.clone().unwrap_or_default());
    }
    let url = match at {
        PageAt::Address(url) => url.clone(),
        PageAt::Value(_) => {
            let mut url = request.address(&values).ok_or_else(bad_token)?;
            let query = request.query.iter().filter_map(|(name, value)| Some((name.clone(), value.text(&values)?)));
            parameters.splice(0..0, query.filter(|(_, value)| !value.is_empty()));
            if !parameters.is_empty() {
                url.query_pairs_mut().extend_pairs(parameters);
            }
            url
        }
    };
    let (content_type, body) = match (&request.body, request.body_type) {
        (None, _) => ("", Some(String::new())),
        (Some(body), BodyType::Json) => ("application/json", body.json(&values)),
        (Some(body), BodyType::Form) => ("application/x-www-form-urlencoded", body.form(&values)),
    };
    let body = body.ok_or_else(bad_token)?;
    let header = |(name, value): (&String, &Template)| Some((name.clone(), value.text(&values)?));
    let mut headers: Vec<(String, String)> = request.headers.iter().filter_map(header).collect();
    if let Some(user) = request.basic_user.as_ref().and_then(|user| user.text(&values)) {
        headers.push(("authorization".to_owned(), format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:")))));
    }
    if !body.is_empty() {
        headers.push(("content-type".to_owned(), content_type.to_owned()));
    }
    Ok(Outgoing { url, headers, body })
}
