-- Lots, the ledger, the month's usage, alerts about the balance, and how far the ledger has been checked.
--
-- Ledger transactions and their entries are only ever added: the database itself refuses to change or remove them.

-- `origin_expires_at` is when the money of a refund lot first expired, which bounds how long refunds of it live.
create table lot (
    account_id {uuid} not null,
    lot_no {int} not null,
    kind text not null check (kind in ('paid', 'refund')),
    granted_micros {int} not null check (granted_micros >= 0),
    remaining_micros {int} not null check (remaining_micros >= 0 and remaining_micros <= granted_micros),
    expires_at {int},
    origin_expires_at {int},
    op_key text not null,
    parent_lot_no {int},
    created_at {int} not null,
    primary key (account_id, lot_no),
    unique (account_id, op_key)
){clustered};
create index lot_live on lot (account_id, expires_at, lot_no) where remaining_micros > 0;

create table ledger_tx (
    account_id {uuid} not null,
    tx_seq {int} not null,
    op_key text not null,
    kind text not null check (kind in ('top_up', 'subscription', 'finding', 'refund', 'expiry')),
    amount_micros {int} not null,
    balance_after_micros {int} not null check (balance_after_micros >= 0),
    at {int} not null,
    due_at {int} not null,
    radar_id {uuid},
    radar_type text,
    update_id {uuid},
    hash {bytes} not null check (length(hash) = 32),
    primary key (account_id, tx_seq),
    unique (account_id, op_key)
){clustered};

create table ledger_entry (
    account_id {uuid} not null,
    tx_seq {int} not null,
    entry_no {int} not null,
    bucket text not null check (bucket in
        ('credit', 'cash', 'revenue_subscription', 'revenue_finding', 'breakage')),
    lot_no {int},
    amount_micros {int} not null,
    primary key (account_id, tx_seq, entry_no),
    check ((bucket = 'credit') = (lot_no is not null))
){clustered};

create table usage_month (
    account_id {uuid} not null,
    month text not null,
    radars_activated {int} not null,
    radars_deactivated {int} not null,
    radars_failed {int} not null,
    updates_found {int} not null,
    used_micros {int} not null,
    primary key (account_id, month)
){clustered};

create table balance_alert (
    alert_id {uuid} primary key not null,
    account_id {uuid} not null,
    tx_seq {int} not null,
    threshold_micros {int} not null,
    balance_micros {int} not null,
    crossed_at {int} not null,
    body text not null,
    unique (account_id, tx_seq, threshold_micros)
){strict};
create index balance_alert_crossed on balance_alert (crossed_at);

create table ledger_check (
    account_id {uuid} primary key not null,
    tx_seq {int} not null,
    update_seq {int} not null,
    checked_at {int} not null
){strict};
