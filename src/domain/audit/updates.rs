//! The updates of an account: their order, their charges and their deliveries (Spec 2.4, 2.5; decisions 3.4, 3.5).

use super::rows::{Claims, Published};
use super::{Discrepancies, Place};
use crate::domain::radar::PricingModel;
use crate::domain::radar::update::UpdateType;

/// Goes through the updates that are stored.
#[derive(Debug)]
pub(super) struct Updates {
    start_seq: i64,
    expected_seq: i64,
    last: Option<(i64, i64)>,
}

impl Updates {
    /// `first` is the oldest update that is stored: those before it, if any, were removed by retention.
    pub(super) fn new(start_seq: i64, first: Option<(i64, i64)>) -> Self {
        let expected_seq = first.map_or(1, |(update_seq, _)| update_seq).max(start_seq + 1);
        Self { start_seq, expected_seq, last: None }
    }

    pub(super) fn take(&mut self, published: &Published, discrepancies: &mut Discrepancies) {
        let place = || Place::Update(published.update_seq);
        if published.update_seq != self.expected_seq {
            discrepancies.add(place(), format!("stands where update {} should be", self.expected_seq));
        }
        if self.last.is_some_and(|(_, last_at)| published.discovered_at <= last_at) {
            discrepancies.add(place(), "was not discovered later than the update before it");
        }
        self.expected_seq = published.update_seq + 1;
        self.last = Some((published.update_seq, published.discovered_at));
        let Some(radar) = &published.radar else {
            discrepancies.add(place(), format!("is of radar {}, which the account does not have", published.radar_id));
            return;
        };
        let is_finding = published.update_type == UpdateType::Finding.as_str();
        let is_charged = is_finding && radar.model == PricingModel::UpdateBased.as_str();
        charged(is_charged, published, discrepancies);
        match published.delivery_seq {
            None if radar.has_webhook => discrepancies.add(place(), "has no delivery, though its radar has an address"),
            Some(_) if !radar.has_webhook => {
                discrepancies.add(place(), "has a delivery, though its radar has no address")
            }
            Some(update_seq) if update_seq != published.update_seq => {
                discrepancies.add(place(), format!("has a delivery that counts it as {update_seq}"));
            }
            _ => {}
        }
    }

    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let last_seq = self.last.map_or(self.start_seq, |(last_seq, _)| last_seq);
        // Where nothing is stored any more, retention may have taken all.
        let is_cut = last_seq != claims.update_seq && claims.first_update.is_some();
        if is_cut || last_seq > claims.update_seq {
            discrepancies
                .add(Place::Account, format!("counts {} updates, the last one is {last_seq}", claims.update_seq));
        }
        if self.last.is_some_and(|(_, discovered_at)| discovered_at > claims.last_at) {
            discrepancies.add(Place::Account, "has a last instant that is earlier than its last update");
        }
    }
}

fn charged(is_charged: bool, published: &Published, discrepancies: &mut Discrepancies) {
    let place = Place::Update(published.update_seq);
    match (published.tx_seq, &published.charge) {
        (None, _) if is_charged => discrepancies.add(place, "was never charged, though its radar pays by finding"),
        (Some(tx_seq), _) if !is_charged => {
            discrepancies.add(place, format!("was charged by ledger transaction {tx_seq}, but is free"))
        }
        (Some(tx_seq), charge) => {
            let pays = charge
                .as_ref()
                .is_some_and(|charge| charge.kind == "finding" && charge.update_id == Some(published.update_id));
            if !pays {
                discrepancies.add(place, format!("names ledger transaction {tx_seq}, which did not pay it"));
            }
        }
        (None, _) => {}
    }
}
