//! What was paid for a period and not served is given back (Spec 2.5; decisions 4.4, 4.11).

use super::posting::NewLedgerTx;
use super::{Account, KnownTx};
use crate::money::MicroUsd;
use crate::money::ledger::{Bucket, LedgerEntry, TxKind, refund_key, subscription_key};
use crate::money::lots::{Lot, LotKind, refund_lot_expires_at};
use crate::radar::Radar;

impl Account {
    /// Gives the charge of a period back into the lots it came from, last taken first (decision 4.4), and answers how much
    /// of it. What came from a lot that expired too long ago stays expired.
    pub(super) fn refund(&mut self, radar: &Radar, period_no: i64) -> MicroUsd {
        let charge_key = subscription_key(radar.radar_id, period_no);
        let Some(KnownTx { at: charged_at, entries: taken }) = self.state.ledger_txs.get(&charge_key).cloned() else {
            return MicroUsd::ZERO;
        };
        let charged: i64 = taken.iter().filter(|entry| entry.lot_no.is_none()).map(|entry| entry.amount.micros()).sum();
        if charged == 0 {
            return MicroUsd::ZERO;
        }
        let amount = MicroUsd::from_micros(charged);
        let mut entries: Vec<LedgerEntry> = Vec::with_capacity(taken.len());
        for entry in taken.iter().rev() {
            if let Some(lot_no) = entry.lot_no {
                let amount = entry.amount.negated();
                let lot_no = self.live_lot_for(lot_no, amount, &refund_key(&charge_key));
                let bucket = if lot_no.is_some() { Bucket::Credit } else { Bucket::Breakage };
                entries.push(LedgerEntry { bucket, lot_no, amount });
            }
        }
        let given_back: i64 =
            entries.iter().filter(|entry| entry.lot_no.is_some()).map(|entry| entry.amount.micros()).sum();
        entries.push(LedgerEntry { bucket: Bucket::RevenueSubscription, lot_no: None, amount: amount.negated() });
        let about = (radar.radar_id, radar.wanted.radar_type);
        let tx = NewLedgerTx::of_radar(about, TxKind::Refund, refund_key(&charge_key), self.now);
        self.post(tx, entries);
        self.note_spent(charged_at, -given_back);
        MicroUsd::from_micros(given_back)
    }

    /// The lot itself while it lives, else a short-lived lot that stands in for it; `None` when it expired too long ago.
    fn live_lot_for(&mut self, lot_no: i64, amount: MicroUsd, refund_key: &str) -> Option<i64> {
        let now = self.now;
        let lot = self.state.lots.iter().find(|lot| lot.lot_no == lot_no)?;
        if lot.is_live(now) {
            return Some(lot_no);
        }
        let origin_expires_at = lot.first_expires_at()?;
        let expires_at = refund_lot_expires_at(origin_expires_at, now)?;
        self.state.account.lot_no += 1;
        let stand_in_no = self.state.account.lot_no;
        self.state.lots.push(Lot {
            lot_no: stand_in_no,
            kind: LotKind::Refund,
            granted: amount,
            remaining: MicroUsd::ZERO,
            expires_at: Some(expires_at),
            op_key: format!("{refund_key}:{lot_no}"),
            parent_lot_no: Some(lot_no),
            origin_expires_at: Some(origin_expires_at),
            created_at: now,
        });
        Some(stand_in_no)
    }
}
