-- Updates, the findings that were seen, and those that wait for money, for another day or for an operator.

create table radar_update (
    account_id {uuid} not null,
    update_seq {int} not null,
    update_id {uuid} not null unique,
    radar_id {uuid} not null,
    radar_type text not null,
    domain text,
    update_type text not null check (update_type in ('radar_finding', 'radar_failure')),
    discovered_at {int} not null,
    detected_at {int} not null,
    tx_seq {int},
    body text not null,
    primary key (account_id, update_seq)
){strict};
create index radar_update_radar on radar_update (radar_id, update_type, update_seq);
create index radar_update_type on radar_update (account_id, radar_type, update_type, update_seq);
create index radar_update_domain on radar_update (account_id, domain, radar_type, update_type, update_seq);
create index radar_update_time on radar_update (account_id, discovered_at);

-- `event_id` and `event_part` say which event a finding tells of, so that a radar reports the same event once, from however
-- many sources. Its evidence stands with the item (`feed_id`, `item_seq`) that it was; of what a provider has handed in only the
-- provider's source is kept besides.
create table finding_seen (
    radar_id {uuid} not null,
    record_id {uuid} not null,
    outcome text not null check (outcome in ('stored', 'held', 'dropped', 'pending', 'rejected')),
    update_id {uuid} not null,
    seen_at {int} not null,
    event_id {uuid},
    event_part text,
    feed_id {uuid},
    item_seq {int},
    source_id text,
    primary key (radar_id, record_id),
    check ((feed_id is null) = (item_seq is null))
){clustered};
create index finding_seen_event on finding_seen (radar_id, event_id, seen_at) where event_id is not null;

create table held_finding (
    account_id {uuid} not null,
    hold_seq {int} not null,
    radar_id {uuid} not null,
    radar_type text not null,
    record_id {uuid} not null,
    rate_micros {int} not null,
    content text not null,
    detected_at {int} not null,
    origin text not null check (origin in ('web', 'pushed')),
    reason text not null check (reason in ('money', 'daily_bound')),
    primary key (account_id, hold_seq),
    unique (radar_id, record_id)
){strict};
create index held_for_money on held_finding (account_id, hold_seq) where reason = 'money';
create index held_beyond_bound on held_finding (radar_id, hold_seq) where reason = 'daily_bound';

create table approval (
    update_id {uuid} primary key not null,
    account_id {uuid} not null,
    radar_id {uuid} not null,
    radar_type text not null,
    record_id {uuid} not null,
    content text not null,
    detected_at {int} not null,
    origin text not null check (origin in ('web', 'pushed')),
    state text not null check (state in ('pending', 'approved', 'rejected')),
    decided_at {int},
    check ((state = 'pending') = (decided_at is null))
){strict};
create index approval_list on approval (state, detected_at, update_id);
create index approval_radar on approval (radar_id);

-- What customers think of findings, one word of each; it goes with its update.
create table update_feedback (
    update_id {uuid} primary key not null,
    account_id {uuid} not null,
    radar_type text not null,
    source_id text,
    useful {int} not null check (useful in (0, 1)),
    reason text,
    given_at {int} not null
){strict};
