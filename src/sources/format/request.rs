//! What is asked: the requests of a source file, and how a list goes on in pages.
//!
//! Duty: the checked form of the tables `[request]`, `[paging]` and `[[resolve]]`. Never here: sending anything.

pub mod details;
mod page_size;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json_path::JsonPath;
use url::Url;

use super::capture::Capture;
use super::template::{Template, Values};
use crate::extraction::packed::Packing;
use outbound::fetch::{Redirects, RobotsPolicy};

/// The request that is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The address.
    pub url: Template,
    /// The path in place of that of the address, for addresses that are values as a whole.
    pub path: Option<Template>,
    /// Further query parameters; one whose value is missing or empty is left out.
    #[serde(default)]
    pub query: BTreeMap<String, Template>,
    /// Further headers.
    #[serde(default)]
    pub headers: BTreeMap<String, Template>,
    /// The user name of basic authentication, whose password is empty: some interfaces take their keys so.
    pub basic_user: Option<Template>,
    /// The body of a POST; without one it is a GET.
    pub body: Option<Template>,
    /// What the body is.
    #[serde(default)]
    pub body_type: BodyType,
    /// How an unchanged answer is recognised.
    #[serde(default)]
    pub conditional: Conditional,
    /// A documented interface is meant for programs; anything else obeys robots.txt.
    #[serde(default)]
    pub robots: RobotsPolicy,
    /// Whether redirects are followed. Several hosts answer unknown names with a redirect to their own marketing.
    #[serde(default)]
    pub redirects: Redirects,
    /// How the answer is packed; not at all when absent.
    pub packing: Option<Packing>,
    /// The longest answer that is read, in MiB; the general cap when absent.
    pub body_mib_max: Option<usize>,
}

/// What the body of a POST is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyType {
    /// JSON.
    #[default]
    Json,
    /// The fields of a form.
    Form,
}

/// How an unchanged answer is recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conditional {
    /// The validators that the host sends are sent back, and the body is compared.
    Etag,
    /// Only the body is compared.
    #[default]
    Hash,
    /// Every answer is read.
    None,
}

/// A request whose answer gives further values for the requests that follow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolve {
    /// The address.
    pub url: Template,
    /// The values, by name, and where they are in the answer, which is JSON.
    #[serde(default)]
    pub values: BTreeMap<String, JsonPath>,
    /// The same for an answer that is plain text: the first group of an expression.
    #[serde(default)]
    pub captures: BTreeMap<String, Capture>,
    /// Whether robots.txt is asked first.
    #[serde(default)]
    pub robots: RobotsPolicy,
}

impl Resolve {
    /// The names of the values that it gives.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        self.values.keys().chain(self.captures.keys()).map(String::as_str)
    }
}

impl Request {
    /// The address without further query parameters; `None` where a value is missing or would lead elsewhere.
    pub fn address(&self, values: &Values) -> Option<Url> {
        let mut url = self.url.url(values)?;
        if let Some(path) = &self.path {
            url.set_path(&path.text(values)?);
        }
        Some(url)
    }

    /// The names of all values that it needs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.query.values().chain(self.headers.values()).chain(&self.path).chain(&self.body);
        let others = others.chain(&self.basic_user);
        self.url.names().chain(others.flat_map(Template::names))
    }
}

/// How the next page is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// What changes from page to page.
    #[serde(default)]
    pub by: PageBy,
    /// Query parameter that holds what changes; without it `{offset}`, `{page}` or `{cursor}` stands in the request. Files
    /// name it by what that is.
    #[serde(rename = "offset_parameter", alias = "page_parameter", alias = "cursor_parameter")]
    pub parameter: Option<String>,
    /// Query parameter that says how many items to give.
    pub limit_parameter: Option<String>,
    /// Items per page; a shorter page is the last. Without it an empty page is.
    pub page_size: Option<usize>,
    /// The number of the first page.
    #[serde(default = "one")]
    pub first_page: usize,
    /// Selects the cursor or the address of the next page in an answer.
    pub next: Option<JsonPath>,
    /// Pages that are read at most.
    pub pages_max: usize,
    /// Whether the list is newest first, so that a page of known items is the last that is read.
    #[serde(default)]
    pub newest_first: bool,
}

/// What changes from page to page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageBy {
    /// The number of items to skip.
    #[default]
    Offset,
    /// The number of the page.
    Page,
    /// A text that the answer gives for the next page.
    Cursor,
    /// The address of the next page, which the answer gives.
    NextLink,
    /// The address in the `Link` header with `rel="next"`.
    LinkHeader,
}

const fn one() -> usize {
    1
}

impl Paging {
    /// The rule that the table breaks.
    pub fn problem(&self) -> Option<&'static str> {
        let needs_next = matches!(self.by, PageBy::Cursor | PageBy::NextLink);
        match self {
            _ if self.pages_max == 0 || self.page_size == Some(0) => {
                Some("needs a page_size and pages_max of at least 1")
            }
            _ if needs_next && self.next.is_none() => Some("needs `next`, the path of what leads on"),
            _ if self.by == PageBy::Offset && self.page_size.is_none() => Some("by offset needs a page_size"),
            _ => None,
        }
    }

    /// The name that the templates of a request may use.
    pub const fn value_name(&self) -> &'static str {
        match self.by {
            PageBy::Offset => "offset",
            PageBy::Page => "page",
            PageBy::Cursor => "cursor",
            PageBy::NextLink | PageBy::LinkHeader => "",
        }
    }
}
