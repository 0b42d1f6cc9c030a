//! What the service fetched lately, as one line.

use std::collections::BTreeMap;

use super::company_site::Fetch;

/// Fetches since they were last told, by status.
#[derive(Debug, Default)]
pub(super) struct Polls(BTreeMap<u16, u32>);

impl Polls {
    /// One more.
    pub(super) fn count(&mut self, fetch: &Fetch) {
        *self.0.entry(fetch.status).or_default() += 1;
    }

    /// Tells them, and begins anew.
    pub(super) fn take(&mut self) -> String {
        let total: u32 = self.0.values().sum();
        let kinds = std::mem::take(&mut self.0).into_iter().map(|(status, count)| match status {
            200 => format!("{count} new"),
            304 => format!("{count} unchanged"),
            404 => format!("{count} missing"),
            other => format!("{count} answered {other}"),
        });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        if total == 0 { "no page was due".to_owned() } else { format!("{total} pages: {kinds}") }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fetch, Polls};

    #[test]
    fn many_polls_are_one_line() {
        let mut polls = Polls::default();
        for status in [304, 200, 304, 503] {
            polls.count(&Fetch { url: "https://acme-robotics.com/".to_owned(), status });
        }
        assert_eq!(polls.take(), "4 pages: 1 new, 2 unchanged, 1 answered 503");
        assert_eq!(polls.take(), "no page was due");
    }
}
