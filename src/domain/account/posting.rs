//! Ledger transactions and the publication of updates: what every command is made of.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Account, EndpointState, KnownTx, NewDelivery, NewUpdate};
use crate::delivery::trace::Trace;
use crate::delivery::webhook_format::{FormattedPayload, WebhookFormat};
use crate::ids::{EndpointId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::money::ledger::{Bucket, LedgerEntry, LedgerTx, TxKind};
use crate::money::lots::burn;
use crate::radar::Radar;
use crate::radar::update::{Content, Publication, UpdateType};
use crate::radar_type::RadarType;

/// A ledger transaction to be written, before it has its place in the ledger.
pub(super) struct NewLedgerTx {
    pub op_key: String,
    pub kind: TxKind,
    pub due_at: DateTime<Utc>,
    pub radar: Option<(RadarId, RadarType)>,
    pub update_id: Option<UpdateId>,
}

impl NewLedgerTx {
    /// One that is about a radar.
    pub(super) const fn of_radar(
        radar: (RadarId, RadarType),
        kind: TxKind,
        op_key: String,
        due_at: DateTime<Utc>,
    ) -> Self {
        Self { op_key, kind, due_at, radar: Some(radar), update_id: None }
    }
}

/// An update to be published.
pub(super) struct NewPublication<'a> {
    pub update_id: UpdateId,
    pub record_id: Option<Uuid>,
    pub content: &'a Content,
    pub detected_at: DateTime<Utc>,
    pub tx_seq: Option<i64>,
    pub trace: Option<Trace>,
}

impl Account {
    /// Takes `amount` out of the lots live at the ledger transaction's due time. `None`, and no row, when they do not cover it.
    pub(super) fn charge(&mut self, amount: MicroUsd, tx: NewLedgerTx) -> Option<i64> {
        let shares = burn(&self.state.lots, amount, tx.due_at)?;
        let bucket = if tx.kind == TxKind::Finding { Bucket::RevenueFinding } else { Bucket::RevenueSubscription };
        let taken = |(lot_no, part): (i64, MicroUsd)| LedgerEntry {
            bucket: Bucket::Credit,
            lot_no: Some(lot_no),
            amount: part.negated(),
        };
        let earned = LedgerEntry { bucket, lot_no: None, amount };
        Some(self.post(tx, shares.into_iter().map(taken).chain([earned]).collect()))
    }

    /// Writes a ledger transaction and moves its lots and the balance with it. Every ledger transaction ends here.
    pub(super) fn post(&mut self, tx: NewLedgerTx, entries: Vec<LedgerEntry>) -> i64 {
        let at = self.tick();
        let mut moved = 0;
        for entry in &entries {
            let Some(lot_no) = entry.lot_no else { continue };
            moved += entry.amount.micros();
            self.dirty_lots.insert(lot_no);
            if let Some(lot) = self.state.lots.iter_mut().find(|lot| lot.lot_no == lot_no) {
                lot.remaining = MicroUsd::from_micros(lot.remaining.micros() + entry.amount.micros());
            }
        }
        let account = &mut self.state.account;
        account.tx_seq += 1;
        account.balance = MicroUsd::from_micros(account.balance.micros() + moved);
        let NewLedgerTx { op_key, kind, due_at, radar, update_id } = tx;
        self.state.ledger_txs.insert(op_key.clone(), KnownTx { at, entries: entries.clone() });
        let (tx_seq, balance) = (account.tx_seq, account.balance);
        let mut tx = LedgerTx {
            tx_seq,
            op_key,
            kind,
            amount: MicroUsd::from_micros(moved),
            balance_after: balance,
            at,
            due_at,
            radar,
            update_id,
            entries,
            hash: account.head_hash,
        };
        tx.hash = tx.chained_to(account.head_hash, account.account_id);
        account.head_hash = tx.hash;
        self.changes.ledger_txs.push(tx);
        if matches!(kind, TxKind::Subscription | TxKind::Finding) {
            self.note_spent(at, -moved);
        }
        self.alert(MicroUsd::from_micros(balance.micros() - moved), tx_seq, at);
        tx_seq
    }

    /// Stores an update and its outbox row.
    pub(super) fn publish(&mut self, radar: &Radar, new: NewPublication<'_>) {
        let discovered_at = self.tick();
        self.state.account.update_seq += 1;
        let update_seq = self.state.account.update_seq;
        let NewPublication { update_id, record_id, content, detected_at, tx_seq, trace } = new;
        let standard = WebhookFormat::Standard;
        let publication = Publication { update_id, record_id, discovered_at, radar, content, format: standard };
        let body = (self.render)(&publication);
        if let Some(url) = &radar.wanted.endpoint_url() {
            let format = radar.wanted.push_format();
            let formatted = (format != standard)
                .then(|| FormattedPayload { format, body: (self.render)(&Publication { format, ..publication }) });
            self.enqueue(url, (update_id, update_seq, discovered_at), formatted, trace);
        }
        let update_type = content.update_type();
        if update_type == UpdateType::Finding {
            self.changes.usage_of(discovered_at).updates_found += 1;
        }
        self.changes.updates.push(NewUpdate {
            update_seq,
            update_id,
            radar_id: radar.radar_id,
            radar_type: radar.wanted.radar_type,
            domain: radar.wanted.target.domain().map(|domain| domain.as_str().to_owned()),
            update_type,
            discovered_at,
            detected_at,
            tx_seq,
            body,
        });
    }

    /// Writes the outbox row of what was published under an identifier and a number at an instant.
    pub(super) fn enqueue(
        &mut self,
        url: &str,
        (update_id, update_seq, published_at): (UpdateId, i64, DateTime<Utc>),
        formatted: Option<FormattedPayload>,
        trace: Option<Trace>,
    ) {
        let account_id = self.state.account.account_id;
        let endpoint = self.state.endpoints.entry(url.to_owned()).or_insert_with(|| EndpointState {
            endpoint_id: EndpointId::of(account_id, url),
            head_sequence: 0,
            created_at: self.now,
        });
        endpoint.head_sequence += 1;
        let EndpointState { endpoint_id, head_sequence: sequence, .. } = *endpoint;
        self.dirty_endpoints.insert(url.to_owned());
        self.changes.deliveries.push(NewDelivery {
            update_id,
            update_seq,
            published_at,
            endpoint_id,
            sequence,
            formatted,
            trace,
        });
    }
}
