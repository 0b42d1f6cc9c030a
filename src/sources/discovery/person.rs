//! A person who is looked for on a company's pages.
//!
//! Duty: the person of a target against the people on a page. Pure. Never here: which pages are read.

use crate::extraction::headlines::person_name;
use crate::extraction::team::{TeamMember, TeamPage, person_key};
use domain::ProfileUrl;

/// Somebody who is looked for on team pages.
#[derive(Clone, Debug)]
pub struct Sought {
    key: Option<String>,
    profile_url: Option<ProfileUrl>,
}

impl Sought {
    /// Somebody with this name, this profile, or both.
    pub fn new(full_name: Option<&str>, profile_url: Option<&ProfileUrl>) -> Self {
        Self { key: full_name.and_then(person_name).map(|name| person_key(&name)), profile_url: profile_url.cloned() }
    }

    /// The person's name as the page writes it; `None` if it does not show them with a title.
    pub fn name_on(&self, team: &TeamPage) -> Option<String> {
        let is_profile = |member: &TeamMember| {
            let shown = member.profile_url.as_ref().and_then(|url| ProfileUrl::parse(url.as_str()).ok());
            shown.is_some() && shown == self.profile_url
        };
        let is_sought = |member: &&TeamMember| match &self.key {
            Some(key) => person_key(&member.name) == *key,
            None => is_profile(member),
        };
        team.members.iter().find(is_sought).map(|member| member.name.full.clone())
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Sought;
    use crate::extraction::team::TeamPage;
    use domain::ProfileUrl;

    #[test]
    fn somebody_is_found_by_name_or_else_by_profile() {
        let card = |name: &str| {
            format!("<h3>{name}</h3><p>Engineer</p><a href='https://uk.linkedin.com/in/{}/'>in</a>", &name[..3])
        };
        let html = ["Ada Byron", "Mary Shelley", "James Watt"].map(card).join("");
        let team = TeamPage::read(html.as_bytes(), None, &Url::parse("https://acme.example/team").unwrap());
        let profile = |url: &str| ProfileUrl::parse(url).unwrap();
        for (name, profile_url, wanted) in [
            (Some("ada byron"), None, None),
            (Some("Dr. ADA Byron"), None, Some("Ada Byron")),
            (None, Some(profile("https://www.linkedin.com/in/Mar")), Some("Mary Shelley")),
            (Some("Grace Hopper"), Some(profile("https://www.linkedin.com/in/Mar")), None),
            (None, Some(profile("https://www.linkedin.com/in/Gra")), None),
        ] {
            let found = Sought::new(name, profile_url.as_ref()).name_on(&team);
            assert_eq!(found.as_deref(), wanted, "{name:?} {profile_url:?}");
        }
    }
}
