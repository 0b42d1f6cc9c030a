//! The updates of an account: their order, their charges and their deliveries (Spec 2.4, 2.5; decisions 3.4, 3.5).

use super::rows::{Claims, Published};
use super::{At, Discrepancies, Location};
use crate::radar::PricingModel;
use crate::radar::update::UpdateType;

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
        let Published { update_seq, discovered_at, .. } = *published;
        let mut at = discrepancies.at(Location::Update(update_seq));
        let expected = self.expected_seq;
        at.unless(update_seq == expected, format_args!("stands where update {expected} should be"));
        let is_later = self.last.is_none_or(|(_, last_at)| discovered_at > last_at);
        at.unless(is_later, "was not discovered later than the update before it");
        self.expected_seq = update_seq + 1;
        self.last = Some((update_seq, discovered_at));
        let Some(model) = &published.model else {
            return at.note(format_args!("is of radar {}, which the account does not have", published.radar_id));
        };
        let is_finding = published.update_type == UpdateType::Finding.as_str();
        let is_charged = is_finding && model == PricingModel::UpdateBased.as_str();
        charged(is_charged, published, &mut at);
        match (published.delivery_seq, published.has_webhook) {
            (None, true) => at.note("has no delivery, though its radar has an address"),
            (Some(_), false) => at.note("has a delivery, though its radar has no address"),
            (Some(seq), true) => at.unless(seq == update_seq, format_args!("has a delivery that counts it as {seq}")),
            (None, false) => {}
        }
    }

    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let last_seq = self.last.map_or(self.start_seq, |(last_seq, _)| last_seq);
        // Where nothing is stored any more, retention may have taken all.
        let is_cut = last_seq != claims.update_seq && claims.first_update.is_some();
        let is_counted = !is_cut && last_seq <= claims.update_seq;
        let mut at = discrepancies.at(Location::Account);
        at.unless(is_counted, format_args!("counts {} updates, the last one is {last_seq}", claims.update_seq));
        let is_past = self.last.is_none_or(|(_, discovered_at)| discovered_at <= claims.last_at);
        at.unless(is_past, "has a last instant that is earlier than its last update");
    }
}

fn charged(is_charged: bool, published: &Published, at: &mut At<'_>) {
    match published.tx_seq {
        None => at.unless(!is_charged, "was never charged, though its radar pays by finding"),
        Some(tx_seq) if !is_charged => {
            at.note(format_args!("was charged by ledger transaction {tx_seq}, but is free"));
        }
        Some(tx_seq) => {
            at.unless(published.is_paid, format_args!("names ledger transaction {tx_seq}, which did not pay it"));
        }
    }
}
