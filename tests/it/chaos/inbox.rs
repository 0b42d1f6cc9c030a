//! The receiving end of every push: each is verified as it comes, because a signature is good for some minutes only, and
//! kept until the check (Spec 5; decision 5.1).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;

use super::Progress;
use super::checker::Complaints;
use super::history::Account;
use crate::support::customer::{parse, text};
use crate::support::receiver::{Received, Receiver, verify};

/// How often nothing may be pushed when something is due. The leases of the dead have to run out: 150 seconds, counted,
/// so that a machine that stood still is not held against the service.
const SILENCES_MAX: u32 = 150;
const SILENCE: Duration = Duration::from_secs(1);

/// What was pushed to the accounts.
pub struct Inbox<'a> {
    accounts: &'a [Account],
    receiver: Receiver,
    /// The first body of each update, by account and update.
    first: BTreeMap<(usize, String), Bytes>,
    pub repeated: usize,
}

impl<'a> Inbox<'a> {
    pub fn new(accounts: &'a [Account], receiver: Receiver) -> Self {
        Self { accounts, receiver, first: BTreeMap::new(), repeated: 0 }
    }

    /// Takes what comes until the run is over.
    pub async fn take_in(&mut self, progress: &Progress) {
        while !progress.is_over.get() {
            self.drain();
            tokio::time::sleep(SILENCE).await;
        }
    }

    /// Waits until everything with an address was pushed at least once; nothing else ever is. Answers how many there were.
    pub async fn check(&mut self, hooked: &BTreeSet<(usize, String)>, complaints: &mut Complaints) -> usize {
        self.drain();
        let mut silences = 0;
        while silences < SILENCES_MAX && hooked.iter().any(|update| !self.first.contains_key(update)) {
            match tokio::time::timeout(SILENCE, self.receiver.next()).await {
                Ok(received) => self.take(&received),
                Err(_) => silences += 1,
            }
        }
        for update in hooked.iter().filter(|update| !self.first.contains_key(*update)) {
            complaints.missing(format!("a push of {update:?}"));
        }
        for update in self.first.keys().filter(|update| !hooked.contains(*update)) {
            complaints.wrong(format!("a push of what cannot be read: {update:?}"));
        }
        self.first.len()
    }

    fn drain(&mut self) {
        for received in self.receiver.drain() {
            self.take(&received);
        }
    }

    /// Notes a push; one that is repeated is the same to the byte.
    fn take(&mut self, received: &Received) {
        let number: usize = received.path.trim_start_matches('/').parse().expect("an account");
        verify(received, &self.accounts[number].customer.webhook_secret);
        let body = parse(text(&received.body));
        let update_id = body["update_id"].as_str().expect("an identifier").to_owned();
        let header = received.headers.get("webhook-id").and_then(|value| value.to_str().ok());
        assert_eq!(header, Some(update_id.as_str()), "{body}");
        match self.first.get(&(number, update_id.clone())) {
            Some(first) => {
                assert_eq!(*first, received.body, "a repeated push is the same");
                self.repeated += 1;
            }
            None => {
                self.first.insert((number, update_id), received.body.clone());
            }
        }
    }
}
