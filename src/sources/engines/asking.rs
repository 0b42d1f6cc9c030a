//! The requests of a list, and what their answers come to.
//!
//! Duty: values and pages to requests, statuses to outcomes. Never here: what the items of an answer are.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::page_at::PageAt;
use super::wire;
use crate::outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Validators, Web};
use crate::sources::bounds::LINE_BYTES_MAX;
use crate::sources::feed::PollError;
use crate::sources::format::answers::AnswerClass;
use crate::sources::format::list_source::ListSource;
use crate::sources::format::request::{BodyType, Details, PageBy, RedirectRule, Resolve, Robots};
use crate::sources::format::template::{Template, Values};
use crate::sources::format::wire_format::WireFormat;
use crate::sources::shared_answers::Answer;

const MIB: usize = 1024 * 1024;

/// A request that is ready to be sent.
struct Outgoing<'a> {
    url: Url,
    accept: &'a str,
    headers: Vec<(String, String)>,
    body: String,
    validators: Option<&'a Validators>,
    robots: Robots,
    redirects: RedirectRule,
    body_mib_max: Option<usize>,
}

/// The values of the feed of `token`: its own, the credentials, and what is to be resolved from them.
pub async fn values_of(web: &Web, list: &Arc<ListSource>, token: &str) -> Result<Values, PollError> {
    let bad_token = || PollError::BadToken(token.into());
    let mut values = list.needs.values_of(token).ok_or_else(bad_token)?;
    for (name, variable) in &list.credentials {
        values.insert(name.clone(), std::env::var(variable).unwrap_or_default());
    }
    for step in &list.resolve {
        let url = step.url.url(&values).ok_or_else(bad_token)?;
        let answer = ask_step(web, list, url, step).await?;
        for (name, path) in &step.values {
            let found = path.query(&answer).first().and_then(|value| match value {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
            let missing = || PollError::Unreadable(format!("it holds no {name}"));
            values.insert(name.clone(), found.filter(|text| text.len() <= LINE_BYTES_MAX).ok_or_else(missing)?);
        }
    }
    Ok(values)
}

/// The answer that a step resolves values from.
async fn ask_step(web: &Web, list: &Arc<ListSource>, url: Url, step: &Resolve) -> Result<Arc<Value>, PollError> {
    let asking = async {
        let value = Arc::new(ask_json(web, list, url.clone(), step.robots).await?);
        let (url, validators) = (url.clone(), Validators::default());
        Ok::<Answer, PollError>(Answer { value, url, validators, not_modified: false, link_header: None })
    };
    let answer = match list.is_shared() {
        true => list.shared_answers.get(url.as_str(), web.now(), list.shared_for, asking).await?,
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
    validators: Option<&Validators>,
) -> Result<Answer, PollError> {
    let outgoing = |validators| list_request(list, values, at, validators);
    if !list.is_shared() {
        return answer_of(web, list, outgoing(validators)?).await;
    }
    let request = outgoing(None)?;
    let question = format!("{}\n{}", request.url, request.body);
    let asking = answer_of(web, list, request);
    let mut answer = list.shared_answers.get(&question, web.now(), list.shared_for, asking).await?;
    let body_hash = &answer.validators.body_hash;
    answer.not_modified = body_hash.is_some() && validators.is_some_and(|sent| sent.body_hash == *body_hash);
    Ok(answer)
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
    for (name, path) in &details.with {
        let found = path.query(item).first().and_then(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        values.insert(name.clone(), found.ok_or_else(|| PollError::BadToken(format!("{item:.100}")))?);
    }
    let url = details.url.url(&values).ok_or_else(|| PollError::BadToken(format!("{item:.100}")))?;
    ask_json(web, list, url, details.robots).await
}

async fn ask_json(web: &Web, list: &Arc<ListSource>, url: Url, robots: Robots) -> Result<Value, PollError> {
    let outgoing = Outgoing {
        url,
        accept: WireFormat::Json.accept(),
        headers: Vec::new(),
        body: String::new(),
        validators: None,
        robots,
        redirects: RedirectRule::Dead,
        body_mib_max: None,
    };
    let page = send(web, list, outgoing).await?;
    web.read(move || wire::read(&WireFormat::Json, &page.body, page.content_type()))
        .await?
        .map_err(|error| PollError::Unreadable(error.to_string()))
}

async fn answer_of(web: &Web, list: &Arc<ListSource>, outgoing: Outgoing<'_>) -> Result<Answer, PollError> {
    let page = send(web, list, outgoing).await?;
    let mut answer = Answer {
        value: Arc::new(Value::Null),
        url: page.final_url.clone(),
        validators: page.validators.clone(),
        not_modified: page.not_modified,
        link_header: page.header("link").map(str::to_owned),
    };
    // What is unchanged is not read: most polls end here.
    if page.not_modified {
        return Ok(answer);
    }
    let list = list.clone();
    let read = web.read(move || wire::read(&list.format, &page.body, page.content_type())).await?;
    answer.value = Arc::new(read.map_err(|error| PollError::Unreadable(error.to_string()))?);
    Ok(answer)
}

async fn send(web: &Web, list: &ListSource, outgoing: Outgoing<'_>) -> Result<Page, PollError> {
    let request = Fetch {
        url: &outgoing.url,
        accept: outgoing.accept,
        headers: &outgoing.headers,
        validators: outgoing.validators,
        robots: match outgoing.robots {
            Robots::Obey => RobotsPolicy::Obey,
            Robots::DocumentedApi => RobotsPolicy::DocumentedApi,
        },
        redirects: match outgoing.redirects {
            RedirectRule::Dead => Redirects::None,
            RedirectRule::Follow => Redirects::Follow,
        },
        body_bytes_max: outgoing.body_mib_max.map(|mib| mib.saturating_mul(MIB)),
    };
    let sent = web.send(request, outgoing.body.into(), list.min_gap).await;
    let status = match &sent {
        Ok(page) => Some(page.status),
        Err(error) => error.status(),
    };
    match status.and_then(|status| Some((status, list.answers.class_of(status)?))) {
        Some((_, AnswerClass::Dead)) => Err(FetchError::NotFound.into()),
        Some((_, AnswerClass::Throttled)) => Err(FetchError::Throttled { retry_after: None }.into()),
        Some((status, AnswerClass::Auth)) => Err(FetchError::Forbidden { status }.into()),
        Some((status, _)) => Err(PollError::Passing { status }),
        None => match sent? {
            page if matches!(page.status, 200..=299 | 304) => Ok(page),
            _ => Err(FetchError::NotFound.into()),
        },
    }
}

fn list_request<'a>(
    list: &'a ListSource,
    values: &Values,
    at: &PageAt,
    validators: Option<&'a Validators>,
) -> Result<Outgoing<'a>, PollError> {
    let bad_token = || PollError::BadToken(list.needs.token_of(values));
    let request = &list.request;
    let mut values = values.clone();
    let mut parameters: Vec<(String, String)> = Vec::new();
    if let (Some(paging), PageAt::Value(value)) = (&list.paging, at) {
        let parameter = match paging.by {
            PageBy::Offset => &paging.offset_parameter,
            PageBy::Page => &paging.page_parameter,
            _ => &paging.cursor_parameter,
        };
        parameters.extend(parameter.clone().zip(value.clone()));
        parameters.extend(paging.limit_parameter.clone().zip(paging.page_size.map(|size| size.to_string())));
        values.insert(paging.value_name().to_owned(), value.clone().unwrap_or_default());
    }
    let mut url = match at {
        PageAt::Address(url) => url.clone(),
        PageAt::Value(_) => request.address(&values).ok_or_else(bad_token)?,
    };
    if matches!(at, PageAt::Value(_)) {
        let query = request.query.iter().filter_map(|(name, value)| Some((name.clone(), value.text(&values)?)));
        parameters.splice(0..0, query.filter(|(_, value)| !value.is_empty()));
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
    }
    let body = request.body.as_ref().map(|body| match request.body_type {
        BodyType::Json => body.json(&values),
        BodyType::Form => body.form(&values),
    });
    let body = body.map(|body| body.ok_or_else(bad_token)).transpose()?.unwrap_or_default();
    let header = |(name, value): (&String, &Template)| Some((name.clone(), value.text(&values)?));
    let mut headers: Vec<(String, String)> = request.headers.iter().filter_map(header).collect();
    if !body.is_empty() {
        let content_type = match request.body_type {
            BodyType::Json => "application/json",
            BodyType::Form => "application/x-www-form-urlencoded",
        };
        headers.push(("content-type".to_owned(), content_type.to_owned()));
    }
    Ok(Outgoing {
        url,
        accept: list.format.accept(),
        headers,
        body,
        validators,
        robots: request.robots,
        redirects: request.redirects,
        body_mib_max: request.body_mib_max,
    })
}
