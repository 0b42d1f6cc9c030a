//! How well mentions are distinguished from other uses of a name, on invented headlines with labels.

use url::Url;

use super::company::{Evidence, Mentioned};

const HEADLINES: &str = include_str!("headlines.tsv");

/// A company of the headlines.
fn company(key: &str) -> Mentioned {
    let of = |name: &str, domain: &str, ticker: &str, signs: &[&str]| Mentioned {
        name: Some(name.to_owned()),
        domain: Some(domain.to_owned()),
        ticker: Some(ticker.to_owned()).filter(|ticker| !ticker.is_empty()),
        signs: signs.iter().map(|sign| (*sign).to_owned()).collect(),
        own_places: Vec::new(),
    };
    match key {
        "notion" => {
            of("Notion", "notion.so", "", &["Notion Labs, Inc.", "Notion Labs", "Ivan Zhao", "Notion Calendar"])
        }
        "apple" => of("Apple", "apple.com", "AAPL", &["Apple Inc.", "Tim Cook", "iPhone"]),
        "square" => of("Square", "squareup.com", "XYZ", &["Jack Dorsey", "Cash App"]),
        "target" => of("Target", "target.com", "TGT", &["Brian Cornell", "Target Corporation"]),
        "slack" => of("Slack", "slack.com", "", &["Slack Technologies"]),
        "oscar" => of("Oscar", "hioscar.com", "OSCR", &["Oscar Health", "Mario Schlosser"]),
        "figma" => of("Figma", "figma.com", "", &[]),
        "quarrelake" => of("Quarrelake", "quarrelake.example", "", &[]),
        "orsted" => of("Ørsted", "orsted.com", "", &[]),
        "bestbuy" => of("Best Buy", "bestbuy.com", "BBY", &["Corie Barry"]),
        "ge" => of("General Electric", "ge.com", "GE", &[]),
        "amd" => of("AMD", "amd.com", "AMD", &[]),
        "att" => of("AT&T", "att.com", "T", &[]),
        "hp" => of("HP", "hp.com", "HPQ", &[]),
        "deutschebahn" => of("Deutsche Bahn", "deutschebahn.com", "", &[]),
        "toyota" => of("トヨタ", "toyota.jp", "", &[]),
        "monday" => of("Monday", "monday.com", "", &["Eran Zinman"]),
        "macys" => of("Macy's", "macys.com", "", &[]),
        "wise" => of("Wise", "wise.com", "WISE", &["Kristo Käärmann"]),
        "stripe" => of("Stripe", "stripe.com", "", &["Patrick Collison", "Stripe Terminal"]),
        other => panic!("{other} is no company of the headlines"),
    }
}

#[test]
fn mentions_are_told_from_other_uses_of_a_name() {
    let (mut right, mut wrong, mut missed) = (0, Vec::new(), Vec::new());
    for line in HEADLINES.lines().filter(|line| !line.starts_with('#')) {
        let [key, label, text] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let found = company(key).evidence(&[text.to_owned()], &[Url::parse("https://news.example/1").unwrap()]);
        match (found, label) {
            (Some(_), "yes") => right += 1,
            (Some(evidence), "no") => wrong.push((key, text, evidence)),
            (None, "yes") => missed.push((key, text)),
            (None, "no") => {}
            _ => panic!("{line}"),
        }
    }
    let (precision, recall) = (share(right, wrong.len()), share(right, missed.len()));
    assert!(precision >= 0.97 && recall >= 0.97, "precision {precision:.3} {wrong:#?}, recall {recall:.3} {missed:#?}");
    assert!(HEADLINES.lines().count() > 120);
}

fn share(right: usize, not: usize) -> f64 {
    right as f64 / (right + not) as f64
}

#[test]
fn the_evidence_says_what_the_match_stands_on() {
    let apple = company("apple");
    for (text, evidence) in [
        ("See apple.com", Some(Evidence::Domain)),
        ("Apple (AAPL) falls", Some(Evidence::NameAndTicker)),
        ("Apple and the iPhone", Some(Evidence::NameAndSign)),
        ("Apple Corp says no", Some(Evidence::NameAndLegalForm)),
        ("iPhone sales fall", None),
        ("AAPL falls", None),
        ("apple and iphone", None),
        ("See applecom and apple.com.evil.test", None),
    ] {
        assert_eq!(apple.evidence(&[text.to_owned()], &[]), evidence, "{text}");
    }
    assert_eq!(company("figma").evidence(&["figma".to_owned()], &[]), Some(Evidence::Name));
    let signs_of_another_text = ["Apple falls".to_owned(), "The iPhone is late".to_owned()];
    assert_eq!(apple.evidence(&signs_of_another_text, &[]), Some(Evidence::NameAndSign));
}

#[test]
fn what_a_company_publishes_itself_is_no_mention_and_a_link_to_it_is_one() {
    let mut figma = company("figma");
    figma.own_places =
        ["x.com/figma", "www.linkedin.com/company/figma", "social.example/@figma"].map(str::to_owned).to_vec();
    let text = ["Figma opens an office".to_owned()];
    for (address, is_mention) in [
        ("https://www.figma.com/blog/1", false),
        ("https://figma.com/", false),
        ("https://x.com/Figma/status/1", false),
        ("https://www.linkedin.com/company/figma/posts", false),
        ("https://social.example/@figma/1155", false),
        ("https://x.com/figmafan/status/1", true),
        ("https://notfigma.com/1", true),
        ("https://figma.com.evil.test/1", true),
        ("https://news.example/figma", true),
    ] {
        let address = [Url::parse(address).unwrap()];
        assert_eq!(figma.evidence(&text, &address).is_some(), is_mention, "{address:?}");
    }
    let links = ["https://news.example/1", "https://help.figma.com/x"].map(|url| Url::parse(url).unwrap());
    assert_eq!(figma.evidence(&["A design tool".to_owned()], &links), Some(Evidence::Domain));
    assert_eq!(figma.evidence(&["A design tool".to_owned()], &links[..1]), None);
}

#[test]
fn hosts_are_hosts_however_long_a_text_without_blanks_is() {
    let facebook = Mentioned {
        name: Some("Facebook".to_owned()),
        domain: Some("meta.example".to_owned()),
        ..Mentioned::default()
    };
    let figma = company("figma");
    let (share, paragraph) = ("https://www.facebook.com/sharer;", "这是一个消息。");
    for filler in 0..40 {
        // So that a piece of it ends at every letter of a host.
        let begin = "x;".repeat(filler);
        assert_eq!(facebook.evidence(&[format!("{begin}{}", share.repeat(100))], &[]), None, "{filler}");
        let list = format!("{begin}{}", "www.facebook.com;".repeat(100));
        assert_eq!(facebook.evidence(&[list], &[]), None, "{filler}");
        for address in ["figma.com", "https://www.figma.com/a", "ada@figma.com"] {
            let text = format!("{begin}{}（{address}）{paragraph}", paragraph.repeat(100));
            assert_eq!(figma.evidence(&[text], &[]), Some(Evidence::Domain), "{filler} {address}");
        }
    }
    // What follows an address in such a text is text again.
    let text = format!("详见：https://a.example/x。{}toyota.jp。", paragraph.repeat(100));
    assert_eq!(company("toyota").evidence(&[text], &[]), Some(Evidence::Domain));
}
