//! The pages of a list: which comes first, and which next.

use url::Url;

use crate::bounds::LINE_BYTES_MAX;
use crate::extraction::json::scalar;
use crate::format::list_source::ListSource;
use crate::format::request::PageBy;
use crate::shared_answers::Answer;
use outbound::web_address;

/// A page of a list.
#[derive(Clone, Debug)]
pub enum PageAt {
    /// By a value: how many items to skip, the number of the page, or a cursor; none for the first by cursor.
    Value(Option<String>),
    /// At an address that the page before gave.
    Address(Url),
}

impl PageAt {
    /// The first page.
    pub fn first(list: &ListSource) -> Self {
        Self::Value(list.paging.as_ref().and_then(|paging| match paging.by {
            PageBy::Offset => Some("0".to_owned()),
            PageBy::Page => Some(paging.first_page.to_string()),
            PageBy::Cursor | PageBy::NextLink | PageBy::LinkHeader => None,
        }))
    }

    /// The page behind this one, whose `answer` lists so many items; `None` after the last.
    pub fn next(&self, list: &ListSource, answer: &Answer, listed: usize, is_all_known: bool) -> Option<Self> {
        let paging = list.paging.as_ref()?;
        if listed < paging.page_size.unwrap_or(1) || paging.newest_first && is_all_known {
            return None;
        }
        let number = || match self {
            Self::Value(Some(value)) => value.parse::<usize>().ok(),
            _ => None,
        };
        let given = || {
            let text = scalar(paging.next.as_ref()?.query(&answer.value).first()?)?;
            Some(text).filter(|text| !text.is_empty() && text.len() <= LINE_BYTES_MAX)
        };
        // An answer cannot lead to another host.
        let address = |text: &str| {
            let url = web_address::join(&answer.url, text)?;
            (url.origin() == answer.url.origin() && url != answer.url).then_some(Self::Address(url))
        };
        match paging.by {
            PageBy::Offset => Some(Self::Value(Some((number()? + paging.page_size?).to_string()))),
            PageBy::Page => Some(Self::Value(Some((number()? + 1).to_string()))),
            PageBy::Cursor => given()
                .filter(|next| !matches!(self, Self::Value(Some(cursor)) if cursor == next))
                .map(|next| Self::Value(Some(next))),
            PageBy::NextLink => address(&given()?),
            PageBy::LinkHeader => address(next_in_header(answer.link_header.as_deref()?)?),
        }
    }
}

/// The address with `rel="next"` in a `Link` header.
fn next_in_header(header: &str) -> Option<&str> {
    header.split(',').find_map(|link| {
        let (address, relation) = link.split_once('>')?;
        let is_next = relation.split(';').any(|part| matches!(part.trim(), "rel=\"next\"" | "rel=next"));
        is_next.then(|| address.trim().trim_start_matches('<'))
    })
}

#[cfg(test)]
mod tests {
    use super::next_in_header;

    #[test]
    fn the_next_page_is_found_in_a_header() {
        let header = "<https://a.example/?max_id=1>; rel=\"next\", <https://a.example/?min_id=2>; rel=\"prev\"";
        assert_eq!(next_in_header(header), Some("https://a.example/?max_id=1"));
        assert_eq!(next_in_header("<https://a.example/>; rel=\"prev\""), None);
    }
}
