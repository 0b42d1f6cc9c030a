//! The press releases of the sample web, people who come and rise, and money; and the page of the company's team.

use super::moment::{COMPANY, KEYWORD, Moment, PERSON};
use crate::cli::demo::sample_pages::Page;

/// People whom the company takes on, one after the other.
const HIRED: [&str; 6] = ["Nora Falk", "Ines Varga", "Pavel Novak", "Lena Roth", "Carla Mendes", "Jonas Weber"];
/// People who rise in it.
const PROMOTED: [&str; 6] = ["Oskar Lind", PERSON, "Hana Kimura", "Greta Olsen", "Luca Ferri", "Anna Berg"];
/// Companies that are founded, and that find money.
const YOUNG: [&str; 6] = ["Mossgrid", "Quarrelake", "Heliopath", "Stonewater", "Fenwright", "Larkfield"];

/// The young company of that number.
pub fn young_company(number: u32) -> String {
    of(&YOUNG, number)
}

/// The feed of all releases.
pub fn releases(moment: Moment) -> Page {
    let items: String = moment.numbers().flat_map(headlines).map(|headline| item(&headline, moment)).collect();
    Page {
        content_type: "application/rss+xml",
        body: format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <rss version=\"2.0\" xmlns:dc=\"http://dublincore.org/documents/dcmi-namespace/\">\n\
             <channel><title>Sample wire</title>\n{items}</channel></rss>\n"
        ),
    }
}

/// The page of the company's team: who is taken on stands there, and the person whom a radar watches rises at the second
/// time.
pub fn team(moment: Moment) -> String {
    let risen = if moment.happened < 2 { "Sales Manager" } else { "Vice President of Sales" };
    let hired = moment.numbers().map(|number| (of(&HIRED, number), "Chief Financial Officer".to_owned()));
    let others =
        [("Ada Byron", "Managing Director"), ("Emil Krog", "Head of Engineering"), ("Sofia Dahl", "Accountant")];
    let others = others.into_iter().chain([(PERSON, risen)]).map(|(name, title)| (name.to_owned(), title.to_owned()));
    let card = |(name, title): (String, String)| {
        format!("<div class=\"card\"><h3 class=\"card-name\">{name}</h3><p class=\"card-role\">{title}</p></div>\n")
    };
    others.chain(hired).map(card).collect()
}

struct Headline {
    slug: String,
    title: String,
    text: String,
    by: String,
}

/// What happens for the time of that number. The person whom a radar watches rises at the second time.
fn headlines(number: u32) -> Vec<Headline> {
    let hired = of(&HIRED, number);
    let promoted = of(&PROMOTED, number);
    let young = young_company(number);
    let own = |slug: &str, title: String, text: String| Headline {
        slug: format!("{slug}-{number}"),
        title,
        text,
        by: COMPANY.to_owned(),
    };
    vec![
        own(
            "hire",
            format!("{COMPANY} Appoints {hired} as Chief Financial Officer"),
            format!("{COMPANY} today announced that {hired} joins as Chief Financial Officer."),
        ),
        own(
            "promotion",
            format!("{COMPANY} Promotes {promoted} to Vice President of Sales"),
            format!("{COMPANY}, a maker of {KEYWORD}, is pleased to promote {promoted}."),
        ),
        Headline {
            slug: format!("round-{number}"),
            title: format!("{young} Closes ${}0 Million Series B Financing Led by Tern Capital", number + 1),
            text: format!("{young} today announced a Series B round led by Tern Capital."),
            by: young,
        },
    ]
}

fn item(headline: &Headline, moment: Moment) -> String {
    let Headline { slug, title, text, by } = headline;
    let link = format!("https://wire.example/{slug}.html");
    let at = moment.now.to_rfc2822();
    format!(
        "<item><guid isPermaLink=\"true\">{link}</guid><link>{link}</link><title>{title}</title>\n\
         <description>GHENT, Belgium (SAMPLE WIRE) -- {text}</description>\n\
         <pubDate>{at}</pubDate><dc:contributor>{by}</dc:contributor><dc:language>en</dc:language></item>\n"
    )
}

/// The name of that number; names that come again bear a number.
fn of(names: &[&str], number: u32) -> String {
    let index = usize::try_from(number.saturating_sub(1)).unwrap_or_default();
    let name = names.get(index % names.len()).copied().unwrap_or_default();
    match index / names.len() {
        0 => name.to_owned(),
        round => format!("{name} {}", round + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chrono::DateTime;

    use super::{headlines, releases};
    use crate::cli::demo::all_types::moment::Moment;

    #[test]
    fn no_release_tells_the_same_twice() {
        let titles: Vec<String> = (1..40).flat_map(headlines).map(|headline| headline.title).collect();
        assert_eq!(titles.iter().collect::<HashSet<_>>().len(), titles.len());
        let feed = releases(Moment { happened: 2, now: DateTime::UNIX_EPOCH }).body;
        assert_eq!(feed.matches("<item>").count(), 6);
        assert!(feed.contains("Acme Robotics Promotes Erik Sundberg to Vice President of Sales"));
    }
}
