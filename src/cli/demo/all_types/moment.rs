//! Whom and what the sample web is about, how far it has come, and what has happened by then.

use chrono::{DateTime, NaiveDate, Utc};

use crate::cli::demo::sample_pages::filled;

/// The company that the radars watch.
pub const DOMAIN: &str = "acme-robotics.com";
/// The theme that industry radars watch.
pub const KEYWORD: &str = "robotics";
/// The person whose career a radar watches.
pub const PERSON: &str = "Erik Sundberg";
/// People whom the company takes on, one after the other.
const HIRED: [&str; 6] = ["Nora Falk", "Ines Varga", "Pavel Novak", "Lena Roth", "Carla Mendes", "Jonas Weber"];
/// People who rise in it: the person whom a radar watches at the second time.
const PROMOTED: [&str; 6] = ["Oskar Lind", PERSON, "Hana Kimura", "Greta Olsen", "Luca Ferri", "Anna Berg"];
/// Companies that are founded, and that find money.
const YOUNG: [&str; 6] = ["Mossgrid", "Quarrelake", "Heliopath", "Stonewater", "Fenwright", "Larkfield"];

/// One moment of the sample web.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// How many things have happened of every kind.
    pub happened: u32,
    /// The instant at which the last of them did.
    pub now: DateTime<Utc>,
}

impl Moment {
    /// The day of that.
    pub fn today(self) -> NaiveDate {
        self.now.date_naive()
    }

    /// The numbers of what has happened, from 1.
    pub fn numbers(self) -> std::ops::RangeInclusive<u32> {
        1..=self.happened
    }

    /// A text about what happened for the time of that number, whose words in braces stand for what it was.
    pub fn told(self, text: &str, number: u32) -> String {
        let young = nth(&YOUNG, number);
        let words = [
            ("{number}", number.to_string()),
            ("{padded}", format!("{number:03}")),
            ("{tens}", (number + 1).to_string()),
            ("{hired}", nth(&HIRED, number)),
            ("{promoted}", nth(&PROMOTED, number)),
            ("{risen}", if self.happened < 2 { "Sales Manager" } else { "Vice President of Sales" }.to_owned()),
            ("{YOUNG}", young.to_uppercase()),
            ("{young}", young),
            ("{instant}", self.now.to_rfc3339()),
            ("{seconds}", self.now.timestamp().to_string()),
            ("{date}", self.now.to_rfc2822()),
            ("{day}", self.today().to_string()),
        ];
        filled(text, &words, str::to_owned)
    }
}

/// The name of that number; names that come again bear a number.
fn nth(names: &[&str], number: u32) -> String {
    let index = usize::try_from(number.saturating_sub(1)).unwrap_or_default();
    let name = names.get(index % names.len()).copied().unwrap_or_default();
    match index / names.len() {
        0 => name.to_owned(),
        round => format!("{name} {}", round + 1),
    }
}
