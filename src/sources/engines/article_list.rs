//! What of the articles that a page lists is news.
//!
//! Duty: pure rules. A page tells less than a feed: it is made anew, and where an article is taken away an older one moves up.
//! Never here: how articles are read.

use crate::feed::{FeedPoll, Known};
use crate::item::FoundItem;

/// So many articles may appear between two looks at any page.
const NEW_MAX: usize = 3;
/// Of a longer list one in so many.
const NEW_PART: usize = 2;

/// `poll` of a page that shows the articles `shown`, in its order, where what is no news is only looked at.
pub fn settled(mut poll: FeedPoll, known: &Known, shown: &[String]) -> FeedPoll {
    if known.first_poll || known.ids.is_empty() {
        return poll;
    }
    let is_known = |id: &String| known.ids.contains(id);
    let new = shown.iter().filter(|id| !is_known(id)).count();
    let last_known = shown.iter().rposition(is_known).filter(|_| new <= NEW_MAX.max(shown.len() / NEW_PART));
    // What stands below everything that is known is older, unless its day says otherwise.
    let below = last_known.map_or(shown, |last| &shown[last..]);
    let is_old = |item: &FoundItem| last_known.is_none() || item.dated_at.is_none() && below.contains(&item.native_id);
    let (old, items) = std::mem::take(&mut poll.items).into_iter().partition::<Vec<_>, _>(is_old);
    poll.looked_at.extend(old.into_iter().map(|item| item.native_id));
    FeedPoll { items, ..poll }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::settled;
    use crate::feed::{FeedPoll, Known};
    use crate::item::{FoundItem, content_of};
    use domain::RadarType;
    use serde_json::json;

    fn item(id: &str, is_dated: bool) -> FoundItem {
        let radar_type = RadarType::CompanySocialPosts;
        let url = json!(format!("https://acme.example/{id}"));
        let given =
            ["post_content", "post_url", "post_channel", "source_url", "source_name"].map(|key| (key, url.clone()));
        let item = FoundItem::new(radar_type, id.to_owned(), content_of(radar_type, given), &[]).unwrap();
        FoundItem { dated_at: is_dated.then(|| "2026-11-20T00:00:00Z".parse().unwrap()), ..item }
    }

    #[test]
    fn what_is_above_or_dated_is_news_and_a_page_that_was_made_anew_is_none() {
        for (known, shown, dated, news) in [
            ("b c d", "a b c d", "", "a"),
            ("b c d", "b c d e", "", ""),
            ("b c d", "b c e", "e", "e"),
            ("b c d", "e b c f", "", "e"),
            ("b c d", "e f g", "e f g", ""),
            ("b c d", "e f g h b c", "", ""),
            ("b c d e f g", "h i j b c d e f g", "", "h i j"),
            ("", "a b", "", "a b"),
        ] {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
            let (known, shown, dated) = (words(known), words(shown), words(dated));
            let new = shown.iter().filter(|id| !known.contains(id));
            let poll = FeedPoll { items: new.map(|id| item(id, dated.contains(id))).collect(), ..FeedPoll::default() };
            let known = Known { ids: Arc::new(known.into_iter().collect()), ..Known::default() };
            let found = settled(poll, &known, &shown);
            let found: Vec<&str> = found.items.iter().map(|item| item.native_id.as_str()).collect();
            assert_eq!(found.join(" "), news, "{shown:?}");
        }
    }
}
