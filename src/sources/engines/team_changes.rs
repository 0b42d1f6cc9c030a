//! What has changed on a team page since it was last read.
//!
//! Duty: the people on a page against what is remembered of it, as pure rules. What is remembered are ids, which only grow
//! in number: `PAGE person:ada byron#1:Engineer` says that Ada Byron was last seen as an engineer, `PAGE person:ada byron#2:` that
//! she is gone, `absent:ada byron#1` that she was missing once, `name:ada byron` that her name was on the page.
//! Never here: fetching, or what a radar type makes of a change.

use std::collections::{BTreeMap, HashSet};

use crate::bounds::cut;
use crate::extraction::team::{TeamMember, TeamPage, person_key};

/// So many changes at once may happen in any team.
const CHANGES_MIN: usize = 3;
/// A team in which more than one in so many changes between two looks was not changed: its page was.
const CHANGED_PART: usize = 3;
/// As much of a title, in bytes, stands in an id.
const TITLE_IN_ID_BYTES_MAX: usize = 200;

/// A change in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// By which it is remembered.
    pub id: String,
    /// What happened.
    pub event: Event,
}

/// What happened to a person of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody new.
    Joined(TeamMember),
    /// Another title.
    Retitled {
        /// The person, with the new title.
        member: TeamMember,
        /// The title before.
        previous_title: String,
    },
    /// The person's name is no longer on the page, for the second time in a row.
    Left {
        /// [`person_key`] of the name.
        key: String,
        /// The last title.
        previous_title: String,
    },
}

/// What a look at a page comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What happened.
    pub changes: Vec<Change>,
    /// Ids to remember beside those of the changes.
    pub remembered: Vec<String>,
    /// Whether the next look must read the page though it be unchanged: somebody may have left.
    pub is_unsure: bool,
}

/// The last that is remembered of a person.
struct Last {
    number: u64,
    /// The title; `None` for somebody who is gone.
    title: Option<String>,
}

/// Compares `page` with what is remembered in `known`; `scope` tells its people from those of other pages. Without anything remembered all of it is remembered in silence; so
/// it is where too much has changed at once.
pub fn changes(page: &TeamPage, scope: &str, known: &HashSet<String>) -> Changes {
    let last = remembered_people(scope, known);
    let person_id = |key: &str, number: u64, title: &str| person_id(scope, key, number, title);
    let mut changes = Changes::default();
    let (mut moved, mut missing) = (Vec::new(), Vec::new());
    for member in &page.members {
        let key = person_key(&member.name);
        let Some(before) = last.get(key.as_str()) else {
            let id = person_id(&key, 0, &member.title);
            match known.contains(&name_id(&key)) {
                true => changes.remembered.push(id),
                false => moved.push(Change { id, event: Event::Joined(member.clone()) }),
            }
            continue;
        };
        let id = person_id(&key, before.number + 1, &member.title);
        match &before.title {
            Some(title) if *title != in_id(&member.title) => {
                let event = Event::Retitled { member: member.clone(), previous_title: title.clone() };
                moved.push(Change { id, event });
            }
            Some(_) if !known.contains(&absent_id(&key, before.number)) => {}
            // Back, or back before anything was said: the next absence is a first one again.
            _ => changes.remembered.push(id),
        }
    }
    for (key, before) in &last {
        if let Some(title) = before.title.as_ref().filter(|_| !page.has_name(key)) {
            let event = Event::Left { key: (*key).to_owned(), previous_title: title.clone() };
            missing.push((absent_id(key, before.number), Change { id: person_id(key, before.number + 1, ""), event }));
        }
    }
    let names = page.names.iter().map(|key| name_id(key)).filter(|id| !known.contains(id));
    changes.remembered.extend(names);
    let team = last.values().filter(|before| before.title.is_some()).count();
    let is_new_page = moved.len() + missing.len() > CHANGES_MIN.max(team / CHANGED_PART);
    if last.is_empty() || is_new_page {
        changes.remembered.extend(moved.into_iter().chain(missing.into_iter().map(|(_, left)| left)).map(|one| one.id));
        return changes;
    }
    changes.changes = moved;
    for (absent_id, left) in missing {
        if known.contains(&absent_id) {
            changes.changes.push(left);
        } else {
            changes.remembered.push(absent_id);
            changes.is_unsure = true;
        }
    }
    changes
}

/// The last that is remembered of each person.
fn remembered_people<'a>(scope: &str, known: &'a HashSet<String>) -> BTreeMap<&'a str, Last> {
    let mut last: BTreeMap<&str, Last> = BTreeMap::new();
    let read = |id: &'a String| {
        let (key, rest) = id.strip_prefix(scope)?.strip_prefix(" person:")?.split_once('#')?;
        let (number, title) = rest.split_once(':')?;
        Some((key, number.parse().ok()?, title))
    };
    for (key, number, title) in known.iter().filter_map(read) {
        if last.get(key).is_none_or(|before| before.number < number) {
            let title = Some(title.to_owned()).filter(|title| !title.is_empty());
            last.insert(key, Last { number, title });
        }
    }
    last
}

fn person_id(scope: &str, key: &str, number: u64, title: &str) -> String {
    format!("{scope} person:{key}#{number}:{}", in_id(title))
}

fn absent_id(key: &str, number: u64) -> String {
    format!("absent:{key}#{number}")
}

fn name_id(key: &str) -> String {
    format!("name:{key}")
}

fn in_id(title: &str) -> &str {
    cut(title, TITLE_IN_ID_BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use url::Url;

    use super::{Changes, Event, changes};
    use crate::extraction::team::TeamPage;

    /// A page with these names and titles.
    fn page(people: &[(&str, &str)]) -> TeamPage {
        let card = |(name, title): &(&str, &str)| format!("<h3>{name}</h3><p>{title}</p>");
        let html: String = people.iter().map(card).collect();
        TeamPage::read(html.as_bytes(), None, &Url::parse("https://acme.example/team").unwrap())
    }

    /// A page that is looked at again and again.
    #[derive(Default)]
    struct Watched(HashSet<String>);

    impl Watched {
        fn look(&mut self, people: &[(&str, &str)]) -> Vec<String> {
            let Changes { changes, remembered, .. } = changes(&page(people), "acme.example/team", &self.0);
            self.0.extend(remembered.into_iter().chain(changes.iter().map(|change| change.id.clone())));
            let described = |event: Event| match event {
                Event::Joined(member) => format!("+{} {}", member.name.full, member.title),
                Event::Retitled { member, previous_title } => {
                    format!("{} {previous_title} > {}", member.name.full, member.title)
                }
                Event::Left { key, previous_title } => format!("-{key} {previous_title}"),
            };
            changes.into_iter().map(|change| described(change.event)).collect()
        }
    }

    const ADA: (&str, &str) = ("Ada Byron", "CEO");
    const MARY: (&str, &str) = ("Mary Shelley", "CTO");
    const JAMES: (&str, &str) = ("James Watt", "Sales Manager");
    const LINDA: (&str, &str) = ("Linda Stone", "Engineer");
    const TEAM: [(&str, &str); 4] = [ADA, MARY, JAMES, LINDA];

    #[test]
    fn who_is_added_is_told_and_who_was_there_is_not() {
        let mut watched = Watched::default();
        assert!(watched.look(&TEAM).is_empty(), "the baseline is silent");
        assert!(watched.look(&TEAM).is_empty());
        let with_robert = [&TEAM[..], &[("Robert Burns", "Account Executive")]].concat();
        assert_eq!(watched.look(&with_robert), ["+Robert Burns Account Executive"]);
        assert!(watched.look(&with_robert).is_empty(), "once");
    }

    #[test]
    fn another_title_is_told_with_the_one_before() {
        let mut watched = Watched::default();
        watched.look(&TEAM);
        let promoted = [ADA, MARY, ("James Watt", "VP of Sales"), LINDA];
        assert_eq!(watched.look(&promoted), ["James Watt Sales Manager > VP of Sales"]);
        assert_eq!(watched.look(&TEAM), ["James Watt VP of Sales > Sales Manager"], "each is an edition of its own");
    }

    #[test]
    fn who_is_missing_twice_in_a_row_has_left() {
        let mut watched = Watched::default();
        watched.look(&TEAM);
        let without_linda = [ADA, MARY, JAMES];
        assert!(changes(&page(&without_linda), "acme.example/team", &watched.0).is_unsure);
        assert!(watched.look(&without_linda).is_empty());
        assert!(watched.look(&TEAM).is_empty(), "she is back");
        assert!(watched.look(&without_linda).is_empty(), "and missing once again");
        assert_eq!(watched.look(&without_linda), ["-linda stone Engineer"]);
        assert!(watched.look(&without_linda).is_empty(), "once");
        assert!(watched.look(&TEAM).is_empty(), "who comes back was no guest of the page");
    }

    #[test]
    fn a_name_that_only_loses_or_gains_a_title_has_neither_left_nor_joined() {
        let mut watched = Watched::default();
        let keeper = [ADA, MARY, JAMES, ("Linda Stone", "She keeps the bees.")];
        watched.look(&keeper);
        assert!(watched.look(&TEAM).is_empty());
        for _ in 0..3 {
            assert!(watched.look(&keeper).is_empty());
        }
    }

    #[test]
    fn a_page_that_is_made_anew_or_cut_off_tells_nothing() {
        let mut watched = Watched::default();
        let names =
            ["Robert Burns", "Emma Watson", "Paul Jones", "Lisa Brown", "Peter Hill", "Sarah King", "Tom Baker"];
        let others: Vec<(&str, &str)> = names.iter().map(|name| (*name, "Engineer")).collect();
        let all = [&TEAM[..], &others].concat();
        watched.look(&all);
        for _ in 0..3 {
            assert!(watched.look(&all[..4]).is_empty(), "cut off");
        }
        assert!(watched.look(&all).is_empty(), "and whole again");
        let retitled: Vec<(&str, &str)> = all.iter().map(|(name, _)| (*name, "Sales Engineer")).collect();
        assert!(watched.look(&retitled).is_empty(), "made anew");
        assert!(watched.look(&retitled).is_empty());
        let with_one = [&retitled[..], &[("Grace Hopper", "CTO")]].concat();
        assert_eq!(watched.look(&with_one), ["+Grace Hopper CTO"], "it is watched as it is now");
    }
}
