//! Which addresses a search looked at, for the operator and for a customer whose target has no source.

use url::Url;

use domain::closed;
use outbound::fetch::FetchError;

/// Addresses that are named at most, of each outcome.
const SHOWN_MAX: usize = 10;
/// The longest address that is shown, in bytes.
const ADDRESS_SHOWN_MAX: usize = 120;

/// The addresses that a search looked at, in order.
#[derive(Clone, Debug, Default)]
pub struct Visits(Vec<(String, Outcome)>);

closed! {
    /// What a visit came to, in words for a sentence's end.
    Outcome {
        /// The page was read.
        Read = "visited",
        /// There is none.
        NotThere = "not there",
        /// It could not be read.
        Unreadable = "could not be read",
    }
}

impl Visits {
    /// Adds a visit of `url`. Addresses are kept without their query, which may say more than where they lead.
    pub fn add(&mut self, url: &Url, error: Option<FetchError>) {
        let outcome = match error {
            None => Outcome::Read,
            Some(FetchError::NotFound) => Outcome::NotThere,
            Some(_) => Outcome::Unreadable,
        };
        let address = format!("{}{}", url.origin().ascii_serialization(), url.path());
        let address = address[..address.floor_char_boundary(ADDRESS_SHOWN_MAX)].to_owned();
        if !self.0.iter().any(|(visited, _)| *visited == address) {
            self.0.push((address, outcome));
        }
    }

    /// Adds a visit of `url` that came to `result`, which is handed back.
    pub fn noted<T>(&mut self, url: &Url, result: Result<T, FetchError>) -> Result<T, FetchError> {
        self.add(url, result.as_ref().err().copied());
        result
    }

    /// How many addresses were looked at.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// What was looked at, in a sentence's end: `; visited: …; not there: …; could not be read: …`.
    pub fn summary(&self) -> String {
        let list = |outcome: &Outcome| {
            let of_outcome = self.0.iter().filter(|(_, other)| other == outcome);
            let mut addresses: Vec<&str> = of_outcome.map(|(address, _)| address.as_str()).collect();
            let more = addresses.len().saturating_sub(SHOWN_MAX);
            addresses.truncate(SHOWN_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            if addresses.is_empty() {
                String::new()
            } else {
                format!("; {}: {}{more}", outcome.as_str(), addresses.join(", "))
            }
        };
        Outcome::ALL.iter().map(list).collect()
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Visits;
    use outbound::fetch::FetchError;

    #[test]
    fn what_was_visited_is_said_without_queries_and_within_bounds() {
        let mut visits = Visits::default();
        let url = |text: &str| Url::parse(text).unwrap();
        assert_eq!(visits.summary(), "");
        visits.add(&url("https://acme.example/"), None);
        visits.add(&url("https://acme.example/?session=7"), None);
        visits.add(&url("https://acme.example/jobs"), Some(FetchError::NotFound));
        visits.add(&url("https://jobs.acme.example/"), Some(FetchError::Status(500)));
        let said = "; visited: https://acme.example/; not there: https://acme.example/jobs; \
                    could not be read: https://jobs.acme.example/";
        assert_eq!(visits.summary(), said);
        (0..99).for_each(|n| visits.add(&url(&format!("https://acme.example/{n}/{}", "x".repeat(500))), None));
        let summary = visits.summary();
        assert!(summary.contains(" and 90 more") && summary.len() < 2_500, "{}", summary.len());
        assert_eq!(visits.count(), 102);
    }
}
