//! What the pages of a list hold that is new.
//!
//! Duty: pure reading of answers into items. Never here: requests.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::announcements::{announce, own_announcements, tells_nothing};
use super::article_list::settled;
use super::mapping::{Around, content_of, date_of, department_words_of, is_wanted, native_id_of};
use crate::announced_move::{of_target, places_of};
use crate::feed::{FeedPoll, Known, PollError};
use crate::format::list_source::ListSource;
use crate::format::wire_format::WireFormat;
use crate::item::{FoundItem, ReadPage, sort_oldest_first};
use crate::shared_answers::Answer;
use crate::text::excerpt::excerpt;
use domain::content::ContentLayout;
use outbound::fetch::Validators;
use outbound::reading;

/// Reads a list page by page.
pub struct ListReader {
    /// What is read.
    pub list: Arc<ListSource>,
    /// What the feed's log already holds.
    pub known: Known,
    /// What all items have in common.
    pub around: Around,
    seen: HashSet<String>,
    /// The ids of the articles that a page lists, in its order.
    articles: Vec<String>,
    /// The page that is read.
    pub page: Option<Arc<ReadPage>>,
    /// New items whose details are not there yet, each with its page.
    pub waiting: Vec<(String, Value, Option<Arc<ReadPage>>)>,
    /// What the poll comes to so far.
    poll: FeedPoll,
    without_content: Vec<String>,
    without_id: usize,
    /// Whether nothing on the last page was new.
    pub is_all_known: bool,
}

impl ListReader {
    /// A reader of the list's first page.
    pub fn new(list: &Arc<ListSource>, known: &Known, around: Around) -> Self {
        Self {
            list: list.clone(),
            known: known.clone(),
            around,
            seen: HashSet::new(),
            articles: Vec::new(),
            page: None,
            waiting: Vec::new(),
            poll: FeedPoll::default(),
            without_content: Vec::new(),
            without_id: 0,
            is_all_known: false,
        }
    }

    /// Takes what is new on a page; how many items it lists.
    ///
    /// # Errors
    /// [`PollError::Unreadable`] for what is no list.
    pub fn read(&mut self, answer: &Answer) -> Result<usize, PollError> {
        let list = self.list.clone();
        let listed = items_in(&list, &answer.value)?;
        let count = listed.len();
        let wanted = match self.places(answer) {
            Some(places) => {
                self.poll.unmatched += count - places.len();
                places.into_iter().filter_map(|place| listed.get(place).copied()).collect()
            }
            None => list.items.path.as_ref().map_or(listed, |path| path.query(&answer.value).all()),
        };
        self.around.url = answer.url.clone();
        self.page = Some(ReadPage::new(&list.shown_url(&answer.url), &answer.validators));
        self.is_all_known = true;
        for item in wanted.into_iter().take(list.items_max()).take_while(|_| reading::goes_on()) {
            match native_id_of(&list, item, &self.around) {
                Some(native_id) => self.read_item(native_id, item),
                None => self.without_id += 1,
            }
        }
        Ok(count)
    }

    /// Whether the index of an answer of one page tells that nothing there is about the target: then nothing is left to read.
    pub fn is_done_with(&mut self, answer: &Answer) -> bool {
        let is_done = self.places(answer).is_some_and(|places| places.is_empty());
        if is_done {
            self.poll.unmatched += answer.announced.as_ref().map_or(0, |announced| announced.listed);
        }
        is_done
    }

    /// Where the items are that may be about the target, if the answer tells.
    fn places(&self, answer: &Answer) -> Option<Vec<usize>> {
        let (announced, matching) = (answer.announced.as_ref()?, self.list.matching.as_ref()?);
        Some(places_of(matching.by, &self.around.target, announced))
    }

    fn read_item(&mut self, native_id: String, item: &Value) {
        if matches!(self.list.format, WireFormat::Articles) {
            self.articles.push(native_id.clone());
        }
        let is_known = self.known.ids.contains(&native_id);
        self.poll.shows_known |= is_known;
        if !self.seen.insert(native_id.clone()) || is_known {
            return;
        }
        self.is_all_known = false;
        let list = self.list.clone();
        let Some(extract) = own_announcements(&list) else {
            match is_wanted(&list, item, &self.around) {
                true => self.read_wanted(native_id, item),
                false => self.poll.unmatched += 1,
            }
            return;
        };
        let mut announced = item.clone();
        // What is there at first is no news, whatever it tells.
        let is_read = !self.known.first_poll && announce(extract, &mut announced);
        if is_read && is_wanted(&list, &announced, &self.around) {
            return self.read_wanted(native_id, &announced);
        }
        self.poll.unmatched += usize::from(is_read);
        // So that it is not read again.
        self.poll.looked_at.push(native_id);
    }

    fn read_wanted(&mut self, native_id: String, item: &Value) {
        if self.known.first_poll {
            self.poll.looked_at.push(native_id);
        } else if self.list.details.is_some() {
            self.waiting.push((native_id, item.clone(), self.page.clone()));
        } else {
            self.take(native_id, item);
        }
    }

    /// Takes an item with its details, which are its `detail`.
    pub fn take_detailed(&mut self, native_id: String, mut item: Value, detail: Value) {
        if let Some(item) = item.as_object_mut() {
            item.insert("detail".to_owned(), detail);
        }
        let drop_if = self.list.details.iter().flat_map(|details| &details.drop_if);
        let is_dropped = drop_if.into_iter().any(|path| !path.query(&item).is_empty());
        match is_dropped || tells_nothing(&self.list, &mut item) {
            true => self.poll.looked_at.push(native_id),
            false => self.take(native_id, &item),
        }
    }

    fn take(&mut self, native_id: String, item: &Value) {
        let excerpt = Some(excerpt(item));
        let department_words = department_words_of(&self.list, item);
        let own_date = self.list.items.dated.is_some().then(|| date_of(&self.list, item, &self.around));
        let item = of_target(&self.list, item, &self.around.target);
        let content = content_of(&self.list, &item, &self.around);
        match FoundItem::new(self.list.radar_type, native_id.clone(), content, &department_words) {
            // What bears no date of its own is of today: that of its content is of what it tells, and may be long ago.
            Some(item) => self.poll.items.push(FoundItem {
                dated_at: own_date.unwrap_or(item.dated_at),
                page: self.page.clone(),
                excerpt,
                ..item
            }),
            None => self.without_content.push(native_id),
        }
    }

    /// All items, whether or not they have what they need; for the tests of a source file.
    ///
    /// # Errors
    /// [`PollError::Unreadable`] names an item that lacks something.
    pub fn all(self) -> Result<Vec<FoundItem>, PollError> {
        match self.without_content.first() {
            Some(id) => Err(PollError::Unreadable(format!("item {id} has no {}", needed(&self.list)))),
            None => Ok(self.poll.items),
        }
    }

    /// The outcome of the poll. An answer of which nothing can be read has changed its shape; a single odd item is only
    /// looked at.
    ///
    /// # Errors
    /// [`PollError::Unreadable`] for a list of which nothing can be read.
    pub fn finish(mut self, validators: Validators) -> Result<FeedPoll, PollError> {
        if self.seen.is_empty() && self.without_id > 0 {
            return Err(PollError::Unreadable("no item has an id".into()));
        }
        if self.poll.items.is_empty() && self.without_content.len() > 1 {
            return Err(PollError::Unreadable(format!("no item has {}", needed(&self.list))));
        }
        self.poll.looked_at.append(&mut self.without_content);
        if !self.articles.is_empty() {
            self.poll = settled(self.poll, &self.known, &self.articles);
        }
        sort_oldest_first(&mut self.poll.items);
        Ok(FeedPoll { validators, ..self.poll })
    }
}

/// What an item must have, in the words of its content.
fn needed(list: &ListSource) -> String {
    let layout = ContentLayout::of(list.radar_type);
    layout.required.iter().chain([&layout.address]).copied().collect::<Vec<&str>>().join(" and ")
}

/// The items that `answer` lists.
///
/// # Errors
/// [`PollError::Unreadable`] for what is no list.
pub fn items_in<'a>(list: &ListSource, answer: &'a Value) -> Result<Vec<&'a Value>, PollError> {
    if list.answers.error_if.as_ref().is_some_and(|path| !path.query(answer).is_empty()) {
        return Err(PollError::Unreadable("it reports an error".into()));
    }
    match list.place_of_items(answer).and_then(|place| answer.pointer(&place)) {
        Some(Value::Array(items)) => Ok(items.iter().collect()),
        Some(one @ Value::Object(_)) => Ok(vec![one]),
        _ if list.items.empty_if.as_ref().is_some_and(|path| !path.query(answer).is_empty()) => Ok(Vec::new()),
        _ => Err(PollError::Unreadable("it holds no list of items".into())),
    }
}
