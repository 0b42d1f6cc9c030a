//! What the commands of a commit read, of all of its accounts together.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::submission::Submission;
use domain::account::ReadSet;
use domain::ids::RadarId;

/// What is read of each account.
pub(super) struct ReadSets(BTreeMap<Uuid, ReadSet>);

impl ReadSets {
    pub(super) fn of(submissions: &[&Submission]) -> Self {
        let mut read_sets: BTreeMap<Uuid, ReadSet> = BTreeMap::new();
        for submission in submissions {
            let read_set = read_sets.entry(submission.account_id.0).or_default();
            submission.commands.iter().for_each(|command| command.read(read_set));
        }
        Self(read_sets)
    }

    /// How many charges the commands to an account can ask for.
    pub(super) fn charges_max(&self, account_id: Uuid) -> u64 {
        self.0.get(&account_id).map_or(0, |read_set| read_set.charges_max)
    }

    /// Whether held findings can be released in any of the accounts.
    pub(super) fn held_findings(&self) -> bool {
        self.0.values().any(|read_set| read_set.held_findings)
    }

    /// Identifiers that are unique among all accounts.
    pub(super) fn ids<T: Copy>(&self, of: fn(&ReadSet) -> &BTreeSet<T>, id: fn(T) -> Uuid) -> BTreeSet<Uuid> {
        self.0.values().flat_map(of).copied().map(id).collect()
    }

    /// Identifiers that are unique within their radar.
    pub(super) fn of_radars(&self, of: fn(&ReadSet) -> &BTreeSet<(RadarId, Uuid)>) -> BTreeSet<(Uuid, Uuid)> {
        self.0.values().flat_map(of).map(|(radar_id, id)| (radar_id.0, *id)).collect()
    }

    /// Texts that are unique within their account.
    pub(super) fn texts(&self, of: fn(&ReadSet) -> &BTreeSet<String>) -> BTreeSet<(Uuid, String)> {
        let of_account = |(&id, read_set)| of(read_set).iter().map(move |text| (id, text.clone()));
        self.0.iter().flat_map(of_account).collect()
    }
}
