//! Sources that answer JSON: asking, recognising and polling them as their source files say.
//!
//! Duty: the engine of kind `json`. Never here: anything about one particular source.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::mapping::{content_of, department_words_of, native_id_of};
use crate::domain::content::ContentLayout;
use crate::outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Validators, Web};
use crate::sources::bounds::{ITEMS_MAX, JSON_MEMORY_MAX};
use crate::sources::extraction::json::read_json;
use crate::sources::feed::{FeedPoll, Known, PollError};
use crate::sources::format::json_source::{Alive, Conditional, JsonBoard, Robots};
use crate::sources::item::{FoundItem, sort_oldest_first};

const MIB: usize = 1024 * 1024;

/// The result of probing a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It is there.
    Alive,
    /// There is no such board.
    Dead,
    /// Unknown for now: a board that throttles or fails is not dead.
    Unknown(FetchError),
}

/// Whether the board of `token` is really there.
pub async fn probe(web: &Web, board: &Arc<JsonBoard>, token: &str) -> Probe {
    match count(web, board, token).await {
        Ok(0) if board.items.alive == Alive::NonEmpty => Probe::Dead,
        Ok(_) => Probe::Alive,
        Err(PollError::Fetch(error)) if error.is_transient() || matches!(error, FetchError::Forbidden { .. }) => {
            Probe::Unknown(error)
        }
        Err(_) => Probe::Dead,
    }
}

/// How many items the first page of the board lists.
async fn count(web: &Web, board: &Arc<JsonBoard>, token: &str) -> Result<usize, PollError> {
    let page = ask(web, board, token, 0, None).await?;
    let board = board.clone();
    web.read(move || read_list(&board, &page).map(|answer| list_len(&board, &answer))).await?
}

/// Polls the board of `token`.
pub async fn poll(web: &Web, board: &Arc<JsonBoard>, token: &str, known: Known) -> Result<FeedPoll, PollError> {
    let validators = (!known.first_poll && board.request.conditional != Conditional::None).then_some(&known.validators);
    let first_page = ask(web, board, token, 0, validators).await?;
    let validators = kept_validators(board, &first_page);
    if first_page.not_modified && validators != Validators::default() {
        return Ok(FeedPoll { validators, unchanged: true, ..FeedPoll::default() });
    }
    let reader = ListReader::new(board, &known);
    let (mut reader, mut listed) = read_page(web, reader, first_page).await?;
    if let Some(paging) = &board.paging {
        for page_no in 1..paging.pages_max {
            if listed < paging.page_size {
                break;
            }
            let page = ask(web, board, token, page_no * paging.page_size, None).await?;
            (reader, listed) = read_page(web, reader, page).await?;
        }
    }
    reader.finish(validators)
}

/// Reads one page of the list, and says how many items it lists.
async fn read_page(web: &Web, mut reader: ListReader, page: Page) -> Result<(ListReader, usize), PollError> {
    let read = move || {
        let answer = read_list(&reader.board, &page)?;
        reader.read(&answer);
        let listed = list_len(&reader.board, &answer);
        Ok((reader, listed))
    };
    web.read(read).await?
}

/// All the items that `answer` holds, whether new or not, for the tests of a source file.
pub fn items_of(board: &Arc<JsonBoard>, answer: &Value) -> Result<Vec<FoundItem>, PollError> {
    list(board, answer)?;
    let mut reader = ListReader::new(board, &Known::default());
    reader.read(answer);
    if let Some(id) = reader.without_content.first() {
        return Err(PollError::Unreadable(format!("item {id} has no {}", needed(board))));
    }
    Ok(reader.items)
}

/// Reads a list page by page.
struct ListReader {
    board: Arc<JsonBoard>,
    known: Known,
    seen: HashSet<String>,
    items: Vec<FoundItem>,
    looked_at: Vec<String>,
    without_content: Vec<String>,
    without_id: usize,
}

impl ListReader {
    fn new(board: &Arc<JsonBoard>, known: &Known) -> Self {
        let (seen, items, looked_at, without_content) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        let (board, known) = (board.clone(), known.clone());
        Self { board, known, seen, items, looked_at, without_content, without_id: 0 }
    }

    fn read(&mut self, answer: &Value) {
        let board = self.board.clone();
        let wanted = board.items.path.as_ref().map(|path| path.query(answer).all());
        let wanted =
            wanted.unwrap_or_else(|| list(&board, answer).map(|list| list.iter().collect()).unwrap_or_default());
        for item in wanted.into_iter().take(ITEMS_MAX) {
            match native_id_of(&board, item) {
                Some(native_id) => self.read_item(native_id, item),
                None => self.without_id += 1,
            }
        }
    }

    fn read_item(&mut self, native_id: String, item: &Value) {
        if !self.seen.insert(native_id.clone()) || self.known.ids.contains(&native_id) {
            return;
        }
        if self.known.first_poll {
            self.looked_at.push(native_id);
            return;
        }
        let department_words = department_words_of(&self.board, item);
        let content = content_of(&self.board, item);
        match FoundItem::new(self.board.radar_type, native_id.clone(), content, &department_words) {
            Some(item) => self.items.push(item),
            None => self.without_content.push(native_id),
        }
    }

    /// An answer of which nothing can be read has changed its shape; a single odd item is only looked at.
    fn finish(mut self, validators: Validators) -> Result<FeedPoll, PollError> {
        if self.seen.is_empty() && self.without_id > 0 {
            return Err(PollError::Unreadable("no item has an id".into()));
        }
        if self.items.is_empty() && self.without_content.len() > 1 {
            return Err(PollError::Unreadable(format!("no item has {}", needed(&self.board))));
        }
        self.looked_at.append(&mut self.without_content);
        sort_oldest_first(&mut self.items);
        Ok(FeedPoll { items: self.items, looked_at: self.looked_at, validators, unchanged: false })
    }
}

/// What an item must have, in the words of its content.
fn needed(board: &JsonBoard) -> String {
    let layout = ContentLayout::of(board.radar_type);
    layout.required.iter().chain([&layout.address]).copied().collect::<Vec<&str>>().join(" and ")
}

async fn ask(
    web: &Web,
    board: &JsonBoard,
    token: &str,
    offset: usize,
    validators: Option<&Validators>,
) -> Result<Page, PollError> {
    let url = request_url(board, token, offset).ok_or_else(|| PollError::BadToken(token.into()))?;
    let headers: Vec<(String, String)> = board.request.headers.clone().into_iter().collect();
    let page = web
        .fetch(Fetch {
            url: &url,
            accept: "application/json",
            headers: &headers,
            validators,
            robots: match board.request.robots {
                Robots::Obey => RobotsPolicy::Obey,
                Robots::DocumentedApi => RobotsPolicy::DocumentedApi,
            },
            // Several boards answer unknown names with a redirect to their own marketing.
            redirects: Redirects::None,
            body_bytes_max: board.request.body_mib_max.map(|mib| mib.saturating_mul(MIB)),
        })
        .await?;
    match page.status {
        200..=299 | 304 => Ok(page),
        _ => Err(PollError::Fetch(FetchError::NotFound)),
    }
}

fn request_url(board: &JsonBoard, token: &str, offset: usize) -> Option<Url> {
    let mut url = board.request.url_of(token)?;
    if let Some(paging) = &board.paging {
        url.query_pairs_mut()
            .append_pair(&paging.offset_parameter, &offset.to_string())
            .append_pair(&paging.limit_parameter, &paging.page_size.to_string());
    }
    Some(url)
}

/// What the next poll sends and compares; nothing where later pages could change behind an unchanged first one.
fn kept_validators(board: &JsonBoard, page: &Page) -> Validators {
    let validators = page.validators.clone();
    match board.request.conditional {
        Conditional::None => Validators::default(),
        _ if board.paging.is_some() => Validators::default(),
        Conditional::Hash => Validators { etag: None, last_modified: None, ..validators },
        Conditional::Etag => validators,
    }
}

fn read_list(board: &JsonBoard, page: &Page) -> Result<Value, PollError> {
    let answer = read_json(&page.body, JSON_MEMORY_MAX).map_err(|error| PollError::Unreadable(error.to_string()))?;
    list(board, &answer)?;
    Ok(answer)
}

fn list<'a>(board: &JsonBoard, answer: &'a Value) -> Result<&'a Vec<Value>, PollError> {
    let list = board.items.list.query(answer).first().and_then(Value::as_array);
    list.ok_or_else(|| PollError::Unreadable("it holds no list of items".into()))
}

fn list_len(board: &JsonBoard, answer: &Value) -> usize {
    list(board, answer).map_or(0, Vec::len)
}
