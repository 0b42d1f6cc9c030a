//! What a commit has to read, told from its commands.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::domain::account::{Command, Creation, SetUpOutcome};
use crate::domain::money::ledger::{subscription_key, top_up_key};
use crate::store::Intent;

/// What the commands of a batch need besides what every account needs.
#[derive(Default)]
pub(super) struct ReadSet {
    pub(in crate::store) radars: BTreeSet<Uuid>,
    pub(super) target_keys: BTreeSet<(Uuid, String)>,
    pub(super) op_keys: BTreeSet<(Uuid, String)>,
    pub(in crate::store) reported: BTreeSet<(Uuid, Uuid)>,
    pub(in crate::store) readings: BTreeSet<Uuid>,
    pub(in crate::store) set_ups: BTreeSet<Uuid>,
    pub(in crate::store) urls: BTreeSet<(Uuid, String)>,
    pub(super) key_hashes: BTreeSet<(Uuid, String)>,
    pub(in crate::store) judged: BTreeSet<Uuid>,
    pub(super) can_drain: bool,
}

impl ReadSet {
    pub(in crate::store) fn of(intents: &[Intent]) -> Self {
        let mut read_set = Self::default();
        for intent in intents {
            read_set.add(intent.account_id.0, &intent.command);
        }
        read_set
    }

    fn add(&mut self, account_id: Uuid, command: &Command) {
        match command {
            Command::TopUp(top_up) => {
                self.op_keys.insert((account_id, top_up_key(&top_up.payment_ref)));
                self.can_drain = true;
            }
            Command::Create(creation) => self.add_creation(account_id, creation),
            Command::CreateOnce(once) => {
                self.key_hashes.insert((account_id, once.request.key_hash.clone()));
                once.creations.iter().for_each(|creation| self.add_creation(account_id, creation));
            }
            Command::FinishSetUp { radar_id, outcome, .. } => {
                self.radars.insert(radar_id.0);
                self.set_ups.insert(radar_id.0);
                if matches!(outcome, SetUpOutcome::Failed { .. }) {
                    self.op_keys.insert((account_id, subscription_key(*radar_id, 0)));
                    self.can_drain = true;
                }
            }
            Command::Report { radar_id, findings, reading } => {
                self.radars.insert(radar_id.0);
                self.reported.extend(findings.iter().map(|finding| (radar_id.0, finding.record_id)));
                if reading.is_some() {
                    self.readings.insert(radar_id.0);
                }
            }
            Command::Judge { update_id, .. } => {
                self.judged.insert(update_id.0);
            }
            Command::SetStatus { .. } => self.can_drain = true,
            Command::Deactivate { radar_id } => {
                self.radars.insert(radar_id.0);
            }
            Command::SettleDue { radar_id } => {
                self.radars.extend(radar_id.map(|radar_id| radar_id.0));
                self.can_drain = true;
            }
        }
    }

    fn add_creation(&mut self, account_id: Uuid, creation: &Creation) {
        self.target_keys.insert((account_id, creation.wanted.target.key(creation.wanted.radar_type)));
        self.urls.extend(creation.wanted.endpoint_url().map(|url| (account_id, url)));
    }
}
