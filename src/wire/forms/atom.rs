//! Updates as an Atom feed (RFC 4287). Summaries have no character that XML does not have.

use quick_xml::escape::escape;

use super::summary::Summary;

/// The media type.
pub const MEDIA_TYPE: &str = "application/atom+xml; charset=utf-8";

/// A feed called `id` of these entries, the newest first. Without any it has changed at `made_at`.
pub fn feed(id: &str, made_at: &str, entries: &[Summary]) -> String {
    let updated = entries.first().map_or(made_at, |newest| &newest.discovered_at);
    let entries: String = entries.iter().map(entry).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>{}</id>\n\
         <title>Radar updates</title>\n<author><name>Radar</name></author>\n<updated>{}</updated>\n{entries}</feed>\n",
        escape(id),
        escape(updated),
    )
}

fn entry(summary: &Summary) -> String {
    let at = escape(&summary.discovered_at);
    let link = summary.link.as_ref().map(|link| format!("<link href=\"{}\"/>\n", escape(link.as_str())));
    format!(
        "<entry>\n<id>urn:uuid:{}</id>\n<title>{}</title>\n<published>{at}</published>\n<updated>{at}</updated>\n{}\
         <content type=\"text\">{}</content>\n</entry>\n",
        escape(&summary.update_id),
        escape(&summary.title),
        link.unwrap_or_default(),
        escape(summary.text()),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_xml::Reader;
    use quick_xml::events::Event;
    use serde_json::json;

    use super::*;

    /// The texts of the elements called `name`.
    fn texts(xml: &str, name: &str) -> Vec<String> {
        let mut reader = Reader::from_str(xml);
        let mut texts = Vec::new();
        let mut current: Option<String> = None;
        loop {
            match reader.read_event().expect("well-formed XML") {
                Event::Start(start) => current = (start.name().as_ref() == name).then(String::new),
                Event::Text(text) => current.iter_mut().for_each(|kept| kept.push_str(&text)),
                Event::GeneralRef(reference) => {
                    let reference = format!("&{};", &*reference);
                    let text = quick_xml::escape::unescape(&reference).expect("a reference").into_owned();
                    current.iter_mut().for_each(|kept| kept.push_str(&text));
                }
                Event::End(_) => texts.extend(current.take()),
                Event::Eof => return texts,
                _ => {}
            }
        }
    }

    fn mention(content: &str) -> Summary {
        let payload = json!({
            "update_id": "00000000-0000-0000-0000-000000000007", "update_type": "radar_finding",
            "radar_type": "company_mentions", "discovered_at": "2026-01-31T12:00:00.000000Z", "data": {},
            "content": {"mention_content": content, "mention_url": "https://example.com/?a=1&b=\"2\""},
        });
        Summary::of(&payload.to_string())
    }

    #[test]
    fn an_entry_has_a_stable_identifier_and_whatever_was_found_as_text() {
        let xml = feed("urn:uuid:1", "2026-01-01T00:00:00Z", &[mention("a <b> & \u{1} ]]> c")]);
        assert_eq!(texts(&xml, "id"), ["urn:uuid:1", "urn:uuid:00000000-0000-0000-0000-000000000007"]);
        assert_eq!(texts(&xml, "title"), ["Radar updates", "Company mentions: a <b> & ]]> c"]);
        assert_eq!(texts(&xml, "updated")[0], "2026-01-31T12:00:00.000000Z", "that of the newest entry");
        assert_eq!(texts(&xml, "content"), ["Mention content: a <b> & ]]> c\n"]);
        assert!(xml.contains("<link href=\"https://example.com/?a=1&amp;b=%222%22\"/>"), "{xml}");
        assert_eq!(texts(&feed("1", "2026-01-01T00:00:00Z", &[]), "updated"), ["2026-01-01T00:00:00Z"]);
    }

    proptest! {
        #[test]
        fn whatever_was_found_gives_well_formed_xml(content in any::<String>()) {
            let xml = feed("1", "2026-01-01T00:00:00Z", &[mention(&content)]);
            prop_assert_eq!(texts(&xml, "id").len(), 2);
            let is_forbidden = |letter: char| letter != '\n' && letter.is_control() || "\u{fffe}\u{ffff}".contains(letter);
            prop_assert!(!xml.contains(is_forbidden));
        }
    }
}
