//! What a radar watches, and when two radars watch the same (Spec 2.7, decision 1.5).

pub mod countries;
pub mod country_code;
pub mod domain_name;
pub mod email;
pub mod free_text;
pub mod profile;
pub mod profile_url;

use crate::radar_type::RadarType;

macro_rules! text_values {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Takes a text that was checked when it was stored.
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }

            /// The normalised text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    )*};
}

text_values! {
    /// A company's domain, normalised (Spec 2.7, decision 2.1).
    DomainName,
    /// The address of a person's profile, normalised (Spec 2.7, decision 2.8).
    ProfileUrl,
    /// An e-mail address.
    Email,
    /// A country as ISO 3166-1 alpha-2 in upper case (decision 2.4).
    CountryCode,
}

/// What a radar watches; the variant is the radar type's category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A company, by its domain.
    Company {
        /// The company's domain.
        domain: DomainName,
    },
    /// A person.
    Contact {
        /// The employer's domain; required for job changes.
        domain: Option<DomainName>,
        /// The person's profile; required for the social types.
        profile_url: Option<ProfileUrl>,
        /// The person's e-mail address.
        email: Option<Email>,
        /// The person's name.
        full_name: Option<String>,
    },
    /// A theme.
    Industry {
        /// The keyword, as given.
        keyword: Option<String>,
        /// Countries that a finding must be in; empty means anywhere.
        countries: Vec<CountryCode>,
    },
}

/// The fields of a target, whatever its category: each is as it was given, or absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetFields<'a> {
    /// The company's or the employer's domain.
    pub domain: Option<&'a str>,
    /// The person's profile.
    pub profile_url: Option<&'a str>,
    /// The person's e-mail address.
    pub email: Option<&'a str>,
    /// The person's name.
    pub full_name: Option<&'a str>,
    /// The keyword.
    pub keyword: Option<&'a str>,
    /// The countries.
    pub countries: &'a [CountryCode],
}

impl Target {
    /// Its fields.
    pub fn fields(&self) -> TargetFields<'_> {
        let domain = self.domain().map(DomainName::as_str);
        match self {
            Self::Company { .. } => TargetFields { domain, ..TargetFields::default() },
            Self::Contact { domain: _, profile_url, email, full_name } => TargetFields {
                domain,
                profile_url: profile_url.as_ref().map(ProfileUrl::as_str),
                email: email.as_ref().map(Email::as_str),
                full_name: full_name.as_deref(),
                ..TargetFields::default()
            },
            Self::Industry { keyword, countries } => {
                TargetFields { keyword: keyword.as_deref(), countries, ..TargetFields::default() }
            }
        }
    }

    /// The company's domain, where there is one.
    pub fn domain(&self) -> Option<&DomainName> {
        match self {
            Self::Company { domain } => Some(domain),
            Self::Contact { domain, .. } => domain.as_ref(),
            Self::Industry { .. } => None,
        }
    }

    /// The text that no two active radars of an account share (decision 1.5).
    pub fn key(&self, radar_type: RadarType) -> String {
        let identity = match self {
            Self::Company { domain } => format!("domain {}", domain.as_str()),
            Self::Contact { domain, profile_url, email, full_name } => match (profile_url, email) {
                (Some(profile_url), _) => format!("profile {}", same_host(profile_url.as_str())),
                (None, Some(email)) => format!("email {}", email.as_str().to_lowercase()),
                (None, None) => format!(
                    "name {} {}",
                    domain.as_ref().map(DomainName::as_str).unwrap_or_default(),
                    fold(full_name.as_deref().unwrap_or_default())
                ),
            },
            Self::Industry { keyword, countries } => {
                let mut countries: Vec<&str> = countries.iter().map(CountryCode::as_str).collect();
                countries.sort_unstable();
                format!("keyword {} {}", countries.join(","), fold(keyword.as_deref().unwrap_or_default()))
            }
        };
        format!("{radar_type} {identity}")
    }

    /// The request field that names the target, for the answer to a duplicate (decision 1.6).
    pub fn identifying_field(&self) -> &'static str {
        match self {
            Self::Company { .. } => "domain",
            Self::Contact { profile_url: Some(_), .. } => "profile_url",
            Self::Contact { email: Some(_), .. } => "email",
            Self::Contact { .. } => "full_name",
            Self::Industry { keyword: Some(_), .. } => "keyword",
            Self::Industry { .. } => "radar_type",
        }
    }
}

/// Case and runs of white space make no difference between two keywords or names.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The address without its scheme; x.com and twitter.com are one host (decision 2.8).
fn same_host(profile_url: &str) -> String {
    let address = profile_url.split_once("://").map_or(profile_url, |(_, address)| address);
    ["www.twitter.com/", "mobile.twitter.com/", "twitter.com/", "www.x.com/", "mobile.x.com/"]
        .iter()
        .find_map(|alias| address.strip_prefix(alias))
        .map_or_else(|| address.to_owned(), |path| format!("x.com/{path}"))
}

#[cfg(test)]
mod tests {
    use super::{CountryCode, DomainName, Email, ProfileUrl, Target};
    use crate::radar_type::RadarType;

    fn profile(url: &str) -> Target {
        let profile_url = Some(ProfileUrl::from_stored(url.into()));
        Target::Contact { domain: None, profile_url, email: None, full_name: None }
    }

    fn theme(keyword: &str, countries: &[&str]) -> Target {
        let countries = countries.iter().map(|code| CountryCode::from_stored((*code).into())).collect();
        Target::Industry { keyword: Some(keyword.into()), countries }
    }

    #[test]
    fn decision_1_5_the_same_target_has_the_same_key() {
        let posts = RadarType::ContactSocialPosts;
        assert_eq!(profile("https://x.com/ada").key(posts), profile("https://twitter.com/ada").key(posts));
        assert_eq!(profile("http://x.com/ada").key(posts), profile("https://www.twitter.com/ada").key(posts));
        assert_ne!(
            profile("https://x.com/ada").key(posts),
            profile("https://x.com/ada").key(RadarType::ContactSocialEngagements)
        );
        let jobs = RadarType::IndustryJobOpenings;
        assert_eq!(theme("Green  Steel", &["SE", "NO"]).key(jobs), theme("green steel", &["NO", "SE"]).key(jobs));
        assert_ne!(theme("green steel", &["NO"]).key(jobs), theme("green steel", &[]).key(jobs));
    }

    #[test]
    fn decision_1_5_a_contact_is_known_by_profile_then_email_then_name() {
        let contact = |profile_url: Option<&str>, email: Option<&str>| Target::Contact {
            domain: Some(DomainName::from_stored("example.com".into())),
            profile_url: profile_url.map(|url| ProfileUrl::from_stored(url.into())),
            email: email.map(|email| Email::from_stored(email.into())),
            full_name: Some("Ada L".into()),
        };
        assert_eq!(contact(Some("https://a.example/b"), Some("a@example.com")).identifying_field(), "profile_url");
        assert_eq!(contact(None, Some("a@example.com")).identifying_field(), "email");
        assert_eq!(contact(None, None).identifying_field(), "full_name");
    }
}
