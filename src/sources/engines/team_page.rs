//! Companies' own team pages: who joins, who leaves, whose title changes.
//!
//! Duty: the engine of the kind `team_page`. Never here: how people are read, or what has changed (`team_changes`).

use serde_json::{Value, json};
use url::Url;

use super::pages::look_at_html;
use super::team_changes::{Change, Event, changes};
use crate::classification::seniorities_of;
use crate::extraction::headlines::person_name;
use crate::extraction::site::registrable_domain;
use crate::extraction::team::{TeamMember, TeamPage, person_key};
use crate::feed::{FeedPoll, Known, PollError};
use crate::format::template::Values;
use crate::item::{FoundItem, ReadPage, content_of};
use crate::text::canonical_url::identity;
use crate::text::plain::one_line;
use domain::{RadarType, Seniority};
use outbound::fetch::{Page, Validators, Web};

/// What findings call the source.
const SOURCE_NAME: &str = "Team page";

/// A team page and, for the radar of one person, whom it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamToken {
    /// The page.
    pub page: Url,
    /// The person's name.
    pub full_name: Option<String>,
}

impl TeamToken {
    /// The token of a feed.
    pub fn text(&self) -> String {
        match &self.full_name {
            None => self.page.to_string(),
            Some(name) => {
                let pairs = [("full_name", name.as_str()), ("page", self.page.as_str())];
                url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
            }
        }
    }

    /// What `token` says; `None` for what is no token.
    pub fn parse(token: &str) -> Option<Self> {
        if let Ok(page) = Url::parse(token) {
            return Some(Self { page, full_name: None });
        }
        let mut values: Values = url::form_urlencoded::parse(token.as_bytes()).into_owned().collect();
        Some(Self { page: Url::parse(values.get("page")?).ok()?, full_name: Some(values.remove("full_name")?) })
    }

    /// By which the person is known on the page.
    pub fn person(&self) -> Option<String> {
        person_name(self.full_name.as_ref()?).map(|name| person_key(&name))
    }
}

/// Polls the team page of `token` for findings of `radar_type`.
pub async fn poll(web: &Web, radar_type: RadarType, token: &str, known: Known) -> Result<FeedPoll, PollError> {
    let token = TeamToken::parse(token).ok_or_else(|| PollError::BadToken(token.into()))?;
    let page = look_at_html(web, &token.page, &known).await?;
    if page.not_modified && !known.first_poll {
        return Ok(FeedPoll { validators: page.validators, unchanged: true, ..FeedPoll::default() });
    }
    web.read(move || read(radar_type, &token, &page, &known)).await?
}

fn read(radar_type: RadarType, token: &TeamToken, page: &Page, known: &Known) -> Result<FeedPoll, PollError> {
    let team = TeamPage::read(&page.body, page.content_type(), &page.final_url);
    if team.members.is_empty() {
        return Err(PollError::Unreadable("it shows no team".into()));
    }
    let found = changes(&team, &identity(&token.page), &known.ids);
    let validators = if found.is_unsure { Validators::default() } else { page.validators.clone() };
    // A page on which too much has changed at once is remembered in silence.
    let mut poll = FeedPoll { looked_at: found.remembered, validators, shows_known: true, ..FeedPoll::default() };
    let read_page = ReadPage::new(&page.final_url, &page.validators);
    for change in found.changes {
        let id = change.id.clone();
        match item_of(radar_type, token, change, &page.final_url).filter(|_| !known.first_poll) {
            Some(item) => poll.items.push(FoundItem { page: Some(read_page.clone()), ..item }),
            None => poll.looked_at.push(id),
        }
    }
    Ok(poll)
}

/// All people on a page as if they had joined; for the tests of a source file and for stored answers.
pub fn joined_on(radar_type: RadarType, token: &TeamToken, body: &[u8]) -> Vec<FoundItem> {
    let joined = |member: TeamMember| {
        let change = Change { id: person_key(&member.name), event: Event::Joined(member) };
        item_of(radar_type, token, change, &token.page)
    };
    TeamPage::read(body, None, &token.page).members.into_iter().filter_map(joined).collect()
}

/// What a change means for radars of a type; `None` where it means nothing.
fn item_of(radar_type: RadarType, token: &TeamToken, change: Change, page: &Url) -> Option<FoundItem> {
    let given = match (radar_type, change.event) {
        (RadarType::CompanyNewHires, Event::Joined(member)) => {
            [person(&member).as_slice(), &[("title", json!(member.title))]].concat()
        }
        (RadarType::CompanyPromotions, Event::Retitled { member, previous_title })
            if is_promotion(&previous_title, &member.title) =>
        {
            let titles = [("previous_title", json!(previous_title)), ("current_title", json!(member.title))];
            [person(&member).as_slice(), &titles].concat()
        }
        (RadarType::ContactJobChanges, event) => job_change(token, event)?.to_vec(),
        _ => return None,
    };
    let evidence = [("source_url", json!(page.as_str())), ("source_name", json!(SOURCE_NAME))];
    let content = content_of(radar_type, given.into_iter().chain(evidence));
    FoundItem::new(radar_type, change.id, content, &[])
}

fn person(member: &TeamMember) -> [(&'static str, Value); 4] {
    [
        ("full_name", json!(member.name.full)),
        ("first_name", json!(member.name.first)),
        ("last_name", json!(member.name.last)),
        ("profile_url", json!(member.profile_url.as_ref().map(Url::as_str))),
    ]
}

/// The move of the person whom the token names; `None` for others, and for a title that is no higher.
fn job_change(token: &TeamToken, event: Event) -> Option<[(&'static str, Value); 3]> {
    let person = token.person()?;
    let role = |title: Option<String>| {
        let domain = title.as_ref().and_then(|_| token.page.host_str()).map(registrable_domain);
        json!({"title": title.map(|title| one_line(&title)), "company_name": null, "company_domain": domain, "start_date": null, "end_date": null})
    };
    let (change_type, new, previous) = match event {
        Event::Left { key, previous_title } if key == person => ("departure", None, Some(previous_title)),
        Event::Retitled { member, previous_title }
            if person_key(&member.name) == person && is_promotion(&previous_title, &member.title) =>
        {
            ("promotion", Some(member.title), Some(previous_title))
        }
        _ => return None,
    };
    Some([("change_type", json!(change_type)), ("new_role", role(new)), ("previous_role", role(previous))])
}

/// Whether the second title is of a higher rank than the first.
fn is_promotion(before: &str, after: &str) -> bool {
    rank(after) > rank(before)
}

/// How high a title stands, from 0.
fn rank(title: &str) -> usize {
    let of = |seniority: &Seniority| match seniority {
        Seniority::Training => 0,
        Seniority::Entry => 1,
        Seniority::Senior => 3,
        Seniority::Manager => 4,
        Seniority::Director => 5,
        Seniority::VicePresident => 6,
        Seniority::Cxo | Seniority::Partner | Seniority::Owner => 7,
    };
    seniorities_of(title).iter().map(of).max().unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use url::Url;

    use super::{TeamToken, is_promotion, item_of};
    use crate::engines::team_changes::{Change, Event};
    use crate::extraction::headlines::person_name;
    use crate::extraction::team::TeamMember;
    use domain::RadarType;

    fn member(title: &str) -> TeamMember {
        TeamMember { name: person_name("Ada Byron").unwrap(), title: title.to_owned(), profile_url: None }
    }

    #[test]
    fn a_higher_rank_is_a_promotion_and_another_word_for_it_is_none() {
        for (before, after, wanted) in [
            ("Software Engineer", "Senior Software Engineer", true),
            ("Senior Engineer", "Engineering Manager", true),
            ("Sales Manager", "Director of Sales", true),
            ("Head of Sales", "VP Sales", true),
            ("VP Finance", "Chief Financial Officer", true),
            ("CTO", "CTO & Co-Founder", false),
            ("Sales Manager", "Marketing Manager", false),
            ("Director of Sales", "Sales Manager", false),
            ("Intern", "Software Engineer", true),
        ] {
            assert_eq!(is_promotion(before, after), wanted, "{before} to {after}");
        }
    }

    #[test]
    fn each_type_makes_of_a_change_what_is_its_own() {
        let page = Url::parse("https://www.acme.example/team").unwrap();
        let token = TeamToken { page: page.clone(), full_name: Some("Ada Byron".into()) };
        let joined = || Event::Joined(member("CTO"));
        let promoted = || Event::Retitled { member: member("VP Sales"), previous_title: "Sales Manager".into() };
        let left = || Event::Left { key: "ada byron".into(), previous_title: "CTO".into() };
        let other = || Event::Left { key: "mary shelley".into(), previous_title: "CTO".into() };
        let content = |radar_type: RadarType, event: Event| {
            let change = Change { id: "1".into(), event };
            item_of(radar_type, &token, change, &page).map(|item| serde_json::Value::Object(item.content))
        };
        let hire = content(RadarType::CompanyNewHires, joined()).unwrap();
        assert_eq!(
            (&hire["full_name"], &hire["last_name"], &hire["title"]),
            (&json!("Ada Byron"), &json!("Byron"), &json!("CTO"))
        );
        let promotion = content(RadarType::CompanyPromotions, promoted()).unwrap();
        assert_eq!(
            (&promotion["previous_title"], &promotion["current_title"]),
            (&json!("Sales Manager"), &json!("VP Sales"))
        );
        let departure = content(RadarType::ContactJobChanges, left()).unwrap();
        assert_eq!((&departure["change_type"], &departure["new_role"]["title"]), (&json!("departure"), &json!(null)));
        assert_eq!(departure["previous_role"]["company_domain"], json!("acme.example"));
        assert_eq!(departure.get("full_name"), None, "whom it is about never leaves");
        for (radar_type, event) in [
            (RadarType::CompanyNewHires, promoted()),
            (RadarType::CompanyPromotions, joined()),
            (RadarType::CompanyPromotions, left()),
            (RadarType::ContactJobChanges, joined()),
            (RadarType::ContactJobChanges, other()),
        ] {
            assert_eq!(content(radar_type, event.clone()), None, "{radar_type} {event:?}");
        }
    }

    #[test]
    fn a_token_is_read_as_it_is_written() {
        let page = Url::parse("https://acme.example/team?of=1&x=y").unwrap();
        for full_name in [None, Some("Ada & Byron".to_owned())] {
            let token = TeamToken { page: page.clone(), full_name };
            assert_eq!(TeamToken::parse(&token.text()), Some(token));
        }
        assert_eq!(TeamToken::parse("full_name=Ada"), None);
    }
}
