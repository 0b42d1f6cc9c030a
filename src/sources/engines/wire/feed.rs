//! RSS 0.9 to 2.0, Atom and JSON Feed under the same names: `title`, `link` and `language` of the feed, and its `entries`
//! with `id`, `title`, `link`, `published`, `updated`, `summary`, `content`, `author`, `author_url`, `categories`, and the
//! whole `element` for what only this feed has.
//!
//! Dates become RFC 3339, a day alone `2026-11-19`; a date that cannot be read is left out.

use serde_json::{Map, Value, json};

use super::{WireError, xml};
use crate::bounds::ITEMS_MAX;
use crate::extraction::json::each;
use crate::text::dates::date_of_feed;
use outbound::reading;

/// What dates an entry, the best first.
const PUBLISHED: &[&str] =
    &["pubDate", "date_published", "published", "date", "issued", "updated", "modified", "date_modified"];
/// What dates its last change.
const UPDATED: &[&str] = &["updated", "modified", "date_modified", "pubDate", "date"];

/// Reads a feed of any kind.
pub fn read(body: &[u8], content_type: Option<&str>) -> Result<Value, WireError> {
    let first = body.iter().find(|byte| matches!(byte, b'<' | b'{'));
    if first == Some(&b'{') {
        return json_feed(super::json(body)?);
    }
    let Value::Object(mut document) = xml::read(body, content_type)? else { return Err(WireError::NoFeed) };
    if let Some(mut feed) = document.remove("feed") {
        let entries = entries(&mut feed, "entry");
        return Ok(feed_of(&feed, entries));
    }
    let is_rdf = !document.contains_key("rss");
    let mut root = document.remove(if is_rdf { "RDF" } else { "rss" }).ok_or(WireError::NoFeed)?;
    // RSS 0.9 and 1.0 have their items beside the channel.
    let items_in = if is_rdf { Some(&mut root) } else { root.get_mut("channel") };
    let entries = items_in.map(|holder| entries(holder, "item")).unwrap_or_default();
    Ok(feed_of(root.get("channel").ok_or(WireError::NoFeed)?, entries))
}

fn json_feed(mut feed: Value) -> Result<Value, WireError> {
    let is_feed = feed.get("version").and_then(Value::as_str).is_some_and(|version| version.contains("jsonfeed.org"));
    if !is_feed || !feed.get("items").is_some_and(Value::is_array) {
        return Err(WireError::NoFeed);
    }
    let entries = entries(&mut feed, "items");
    Ok(feed_of(&feed, entries))
}

fn feed_of(channel: &Value, entries: Vec<Value>) -> Value {
    json!({
        "title": text(channel, &["title"]),
        "link": alternate(channel.get("link")).or_else(|| text(channel, &["home_page_url"])),
        "language": text(channel, &["language", "@lang"]),
        "entries": entries,
    })
}

/// What stands under `key` of `holder`, once or several times, each with itself as its `element`. It is moved there: it may
/// be most of what a feed takes in memory.
fn entries(holder: &mut Value, key: &str) -> Vec<Value> {
    let elements = match holder.get_mut(key).map(Value::take) {
        None => Vec::new(),
        Some(Value::Array(elements)) => elements,
        Some(element) => vec![element],
    };
    let with_element = |element: Value| {
        let mut entry = entry(&element);
        entry.insert("element".to_owned(), element);
        Value::Object(entry)
    };
    elements.into_iter().take(ITEMS_MAX).map(with_element).collect()
}

/// What an entry says, under the names that RSS, Atom, JSON Feed and their usual extensions have for it.
fn entry(item: &Value) -> Map<String, Value> {
    let guid = text(item, &["guid"]);
    let is_link = item.pointer("/guid/@isPermaLink").and_then(Value::as_str) != Some("false");
    let link = alternate(item.get("link"))
        .or_else(|| text(item, &["url", "external_url"]))
        .or_else(|| guid.clone().filter(|guid| is_link && guid.starts_with("http")));
    let author = list(item.get("author")).chain(list(item.get("authors"))).next();
    let media = item.get("group").unwrap_or(&Value::Null);
    let texts = [
        ("id", text(item, &["guid", "id", "@about"]).or_else(|| link.clone())),
        ("title", text(item, &["title"])),
        ("link", link),
        ("published", date(item, PUBLISHED)),
        ("updated", date(item, UPDATED)),
        ("summary", text(item, &["description", "summary"]).or_else(|| text(media, &["description"]))),
        ("content", text(item, &["encoded", "content_html", "content_text", "content"])),
        ("author", text(item, &["creator"]).or_else(|| author.and_then(author_name))),
        ("author_url", author.and_then(|author| text(author, &["uri", "url"]))),
    ];
    let categories = ["category", "subject", "tags"].into_iter().flat_map(|name| list(item.get(name)));
    let categories = categories.filter_map(category).map(Value::String).collect();
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::String(text?))));
    texts.chain([("categories".to_owned(), Value::Array(categories))]).collect()
}

/// The first of several names whose value has text.
fn text(element: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| list(element.get(name)).find_map(own_text))
}

/// The text of an element; of one with markup inside all of it, one text after another.
fn own_text(element: &Value) -> Option<String> {
    let text = match element {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Object(_) => {
            let mut texts = Vec::new();
            collect_texts(element, &mut texts);
            texts.join(" ")
        }
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The texts in an element and those below it. The depth is bounded where the elements were read.
fn collect_texts<'a>(element: &'a Value, texts: &mut Vec<&'a str>) {
    match element {
        Value::String(text) => texts.push(text),
        Value::Array(several) => several.iter().for_each(|one| collect_texts(one, texts)),
        Value::Object(children) => {
            let children = children.iter().filter(|(name, _)| !name.starts_with('@'));
            children.for_each(|(_, child)| collect_texts(child, texts));
        }
        _ => {}
    }
}

fn date(element: &Value, names: &[&str]) -> Option<String> {
    let mut texts = names.iter().filter_map(|name| text(element, &[*name]));
    texts.find_map(|text| date_of_feed(&text))
}

/// The address of the page among links: one without a relation or with `alternate`; of RSS the text.
fn alternate(links: Option<&Value>) -> Option<String> {
    let attribute = |link: &Value, name: &str| link.get(name).and_then(Value::as_str).map(str::to_owned);
    let is_page = |link: &&Value| attribute(link, "@rel").is_none_or(|rel| rel == "alternate");
    list(links).filter(is_page).find_map(|link| attribute(link, "@href").or_else(|| own_text(link)))
}

fn author_name(author: &Value) -> Option<String> {
    if author.is_object() && author.get("#text").is_none() {
        return text(author, &["name"]);
    }
    let author = own_text(author)?;
    // RSS has `mail@example.com (Name)`.
    match author.split_once('(').map(|(_, name)| name.trim_end_matches(')').trim()) {
        Some(name) if author.contains('@') && !name.is_empty() => Some(name.to_owned()),
        _ if author.contains('@') => None,
        _ => Some(author),
    }
}

fn category(category: &Value) -> Option<String> {
    let attribute = |name: &str| category.get(name).and_then(Value::as_str).map(str::to_owned);
    attribute("@label").or_else(|| attribute("@term")).or_else(|| own_text(category)).filter(|text| !text.is_empty())
}

/// What stands once or several times.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.map(each).unwrap_or_default().iter().take(ITEMS_MAX).take_while(|_| reading::goes_on())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;

    fn first(feed: &str) -> Value {
        let mut feed = read(feed.as_bytes(), None).unwrap_or_else(|error| panic!("{error}: {feed}"));
        let mut entry = feed["entries"][0].take();
        entry.as_object_mut().unwrap().remove("element");
        entry
    }

    #[test]
    fn the_same_entry_is_read_from_every_kind_of_feed() {
        let wanted = json!({"id": "https://a.example/1", "title": "One", "link": "https://a.example/1", "summary": "<p>Short</p>",
            "published": "2026-11-19T13:00:00.000000Z", "author": "Ada", "categories": ["News"]});
        for feed in [
            "<rss version='2.0' xmlns:dc='x'><channel><title>A</title><item><guid>https://a.example/1</guid><title>One</title>\
             <pubDate>Thu, 19 Nov 2026 13:00 GMT</pubDate><description>&lt;p&gt;Short&lt;/p&gt;</description>\
             <dc:creator>Ada</dc:creator><category>News</category></item></channel></rss>",
            "<rss><channel><item><link>https://a.example/1</link><title><![CDATA[One]]></title><pubDate>2026-11-19T13:00:00Z</pubDate>\
             <description><![CDATA[<p>Short</p>]]></description><author>ada@a.example (Ada)</author><category>News</category></item></channel></rss>",
            "<rdf:RDF xmlns:rdf='r' xmlns='x'><channel rdf:about='y'><title>A</title></channel><item rdf:about='https://a.example/1'>\
             <title>One</title><link>https://a.example/1</link><dc:date>2026-11-19T13:00:00Z</dc:date><description>&lt;p&gt;Short&lt;/p&gt;</description>\
             <dc:creator>Ada</dc:creator><dc:subject>News</dc:subject></item></rdf:RDF>",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>https://a.example/1</id><title type='html'>One</title>\
             <link rel='self' href='https://a.example/self'/><link href='https://a.example/1'/><published>2026-11-19T14:00:00+01:00</published>\
             <summary type='html'>&lt;p&gt;Short&lt;/p&gt;</summary><author><name>Ada</name></author><category term='news' label='News'/></entry></feed>",
            r#"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "https://a.example/1", "url": "https://a.example/1", "title": "One",
             "summary": "<p>Short</p>", "date_published": "2026-11-19T13:00:00Z", "authors": [{"name": "Ada"}], "tags": ["News"]}]}"#,
        ] {
            let mut entry = first(feed);
            entry.as_object_mut().unwrap().remove("updated");
            assert_eq!(entry, wanted, "{feed}");
        }
    }

    #[test]
    fn what_only_one_feed_has_is_kept_beside_it() {
        let feed =
            "<rss><channel><item><guid isPermaLink='false'>7</guid><tt:city>Oslo</tt:city></item></channel></rss>";
        let read = read(feed.as_bytes(), None).unwrap();
        assert_eq!(read["entries"][0]["element"]["city"], "Oslo");
        assert_eq!((&read["entries"][0]["id"], &read["entries"][0]["link"]), (&json!("7"), &Value::Null));
    }

    #[test]
    fn markup_inside_of_an_entry_is_its_text() {
        let feed = "<feed><entry><id>1</id><title>T</title><content type='xhtml'><div>Hello <b>you</b></div></content></entry></feed>";
        assert!(first(feed)["content"].as_str().is_some_and(|text| text.contains("Hello") && text.contains("you")));
    }

    #[test]
    fn an_empty_feed_is_a_feed_and_others_are_none() {
        for feed in [
            "<rss><channel><title>A</title></channel></rss>",
            "<feed/>",
            r#"{"version":"https://jsonfeed.org/version/1","items":[]}"#,
        ] {
            assert_eq!(read(feed.as_bytes(), None).unwrap()["entries"], json!([]), "{feed}");
        }
        for other in ["<urlset/>", "{}", "[]", "", "<rss/>", "<rss><channel><item>"] {
            assert!(read(other.as_bytes(), None).is_err(), "{other}");
        }
    }
}
