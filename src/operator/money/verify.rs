//! `GET /operator/v1/ledger/verify`: whether the rows of accounts add up, as `radar ledger verify` finds it.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::audit::Discrepancy;
use domain::{AccountId, Missing};
use store::AuditedAccount;
use wire::operator::money::verify;
use wire::{Page, Usd, object};

/// Checks one account, or a page of all of them, each in one state of the database; nothing is changed.
pub(crate) async fn verify(call: Call) -> Answer {
    let (account_id, after, limit) = verify::parse(call.query())?;
    let store = call.store();
    let (accounts, next) = match account_id {
        Some(account_id) => (vec![account_id], None),
        None => {
            let mut found = store.all_account_ids(after, u64::from(limit) + 1).await?;
            let has_more = found.len() > limit as usize;
            found.truncate(limit as usize);
            let next = found.last().filter(|_| has_more).map(AccountId::to_string);
            (found, next)
        }
    };
    let mut records = Vec::with_capacity(accounts.len());
    for account in accounts {
        match store.audit_account(account).await? {
            Some(audited) => records.push(record(audited)),
            None if account_id.is_some() => return Err(Missing::Account.into()),
            // It is gone since the page was read.
            None => {}
        }
    }
    let page = Page::of(records, next);
    call.page("Audit", page)
}

fn record(audited: AuditedAccount) -> impl Serialize {
    let fault = |discrepancy: &Discrepancy| {
        object! { tx_seq: discrepancy.tx_seq(), r#where: discrepancy.place.to_string(), what: discrepancy.what.clone() }
    };
    object! {
        account_id: audited.account_id,
        sound: audited.discrepancies.is_empty(),
        movements: audited.ledger_txs,
        updates: audited.updates,
        balance_usd: Usd(audited.balance),
        faults: audited.discrepancies.iter().map(fault).collect::<Vec<_>>(),
    }
}
