-- Accounts, their keys and their prices.
--
-- The account row is the only lock: whatever changes money, visibility or a radar's life locks it first. The counts of radars
-- are kept in it, under that lock: to count the rows would take longer the more there are.

create table account (
    account_id {uuid} primary key not null,
    name text not null,
    status text not null check (status in ('active', 'inactive')),
    approval text not null check (approval in ('auto', 'manual')),
    write_per_minute {int} check (write_per_minute > 0),
    read_per_minute {int} check (read_per_minute > 0),
    per_second {int} check (per_second > 0),
    radars_max {int} check (radars_max > 0),
    created_at {int} not null,
    balance_micros {int} not null check (balance_micros >= 0),
    tx_seq {int} not null check (tx_seq >= 0),
    update_seq {int} not null check (update_seq >= 0),
    hold_seq {int} not null check (hold_seq >= 0),
    lot_no {int} not null check (lot_no >= 0),
    active_radars {int} not null check (active_radars >= 0),
    ended_radars {int} not null check (ended_radars >= 0),
    purged_radars {int} not null check (purged_radars >= 0),
    last_at {int} not null,
    next_expiry_at {int},
    spend_cap_micros {int} check (spend_cap_micros >= 0),
    alert_url text,
    alert_thresholds text,
    endpoint_alert_url text,
    head_hash {bytes} not null check (length(head_hash) = 32),
    frozen_at {int},
    frozen_reason text,
    check ((frozen_at is null) = (frozen_reason is null)),
    check ((alert_url is null) = (alert_thresholds is null))
){strict};
create index account_frozen on account (account_id) where frozen_at is not null;
create index account_next_expiry on account (next_expiry_at) where next_expiry_at is not null;
-- Those that are stopped are few: whatever works for the others asks for them.
create index account_stopped on account (account_id) where status <> 'active';
create index account_named on account (lower(name{bytewise}), account_id);

create table api_key (
    key_id {uuid} primary key not null,
    account_id {uuid} not null,
    key_hash text not null unique,
    key_hint text not null,
    kind text not null check (kind in ('program', 'portal_session')),
    created_at {int} not null,
    scopes text not null check (scopes in ('read', 'write', 'read write')),
    expires_at {int},
    revoked_at {int}
){strict};
create index api_key_account on api_key (account_id);

-- Links to the portal that nobody has used yet. To use one removes it.
create table portal_link (
    token_hash text primary key not null,
    account_id {uuid} not null,
    scopes text not null check (scopes in ('read', 'read write')),
    expires_at {int} not null
){strict};
create index portal_link_account on portal_link (account_id);

create table price (
    account_id {uuid} not null,
    radar_type text not null,
    effective_from {int} not null,
    model text not null check (model in ('subscription', 'update_based')),
    rate_micros {int} not null check (rate_micros >= 0),
    grace_period text not null check (grace_period in ('none', 'paid_period')),
    findings_per_day {int} check (findings_per_day > 0),
    created_at {int} not null,
    primary key (account_id, radar_type, effective_from)
){strict};

-- Secret addresses for feed readers, of an account or of one of its radars.
create table feed_address (
    feed_id {uuid} primary key not null,
    account_id {uuid} not null,
    radar_id {uuid},
    token_hash text not null unique,
    created_at {int} not null,
    rotated_at {int}
){strict};
create index feed_address_account on feed_address (account_id, feed_id);
