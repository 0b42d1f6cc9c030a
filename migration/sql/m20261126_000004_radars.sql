-- Radars, the pauses of their types, and alerts about those that find more than the bound of a day.

-- From `day_began_at` on: how many findings from the web a radar is charged in a day, and what it holds beyond that.
create table radar (
    radar_id {uuid} primary key not null,
    account_id {uuid} not null,
    shard {int} not null,
    radar_type text not null,
    target_key text not null,
    domain text{bytewise},
    profile_url text,
    email text,
    full_name text,
    keyword text,
    countries text,
    departments text,
    seniorities text,
    job_titles text,
    webhook_url text,
    webhook_format text check (webhook_format in ('standard', 'cloudevents', 'slack', 'teams')),
    custom_fields text not null,
    status text not null check (status in ('active', 'inactive')),
    status_reason text check (status_reason in ('user_deactivated', 'insufficient_funds', 'grace_period_ended',
        'system_deactivated', 'missing_prerequisites', 'setup_failure', 'source_inaccessible')),
    set_up text not null check (set_up in ('pending', 'ready', 'failed')),
    model text not null check (model in ('subscription', 'update_based')),
    grace_period text not null check (grace_period in ('none', 'paid_period')),
    created_at {int} not null,
    deactivated_at {int},
    period_no {int} not null check (period_no >= 0),
    next_charge_at {int},
    wake_at {int},
    crashes {int} not null check (crashes >= 0),
    last_error text,
    day_began_at {int},
    day_charged {int} not null check (day_charged >= 0),
    held_beyond_bound {int} not null check (held_beyond_bound >= 0),
    full_since {int},
    release_at {int},
    check ((status = 'active') = (deactivated_at is null)),
    check (status = 'active' or next_charge_at is null),
    check (status = 'active' or status_reason is not null),
    check (set_up <> 'failed' or status = 'inactive')
){strict};
create unique index radar_target on radar (account_id, target_key) where status = 'active';
create index radar_grace on radar (account_id, target_key) where status = 'inactive' and wake_at is not null;
create index radar_list on radar (account_id, created_at, radar_id);
create index radar_filtered on radar (account_id, radar_type, status, created_at, radar_id);
create index radar_renewal on radar (account_id, next_charge_at, radar_id) where next_charge_at is not null;
create index radar_wake on radar (shard, wake_at, radar_id) where wake_at is not null;
create index radar_release on radar (account_id, release_at, radar_id) where release_at is not null;
-- Those that have ended, which retention removes in the end.
create index radar_ended on radar (deactivated_at, radar_id) where status = 'inactive' and wake_at is null;
-- Operators look for radars of all accounts, newest first.
create index radar_kind on radar (radar_type, status, created_at, radar_id);
create index radar_named on radar (lower(full_name{bytewise}), radar_type, created_at, radar_id)
    where full_name is not null;
create index radar_keyword on radar (lower(keyword{bytewise}), radar_type, created_at, radar_id)
    where keyword is not null;
-- Pushed findings name a target, and operators look for it: the radars that watch it are found without reading all the
-- others.
create index radar_watched_domain on radar (domain, radar_type, created_at, radar_id) where domain is not null;
create index radar_watched_profile on radar (profile_url, radar_type, created_at, radar_id) where profile_url is not null;
create index radar_watched_email on radar (email, radar_type, created_at, radar_id) where email is not null;
create index radar_watched_keyword on radar (keyword, radar_type, created_at, radar_id) where keyword is not null;

create table type_pause (
    account_id {uuid} not null,
    radar_type text not null,
    since {int} not null,
    rate_micros {int} not null,
    primary key (account_id, radar_type)
){clustered};

create table bound_alert (
    alert_id {uuid} primary key not null,
    account_id {uuid} not null,
    radar_id {uuid} not null,
    created_at {int} not null,
    body text not null
){strict};
create index bound_alert_created on bound_alert (created_at, alert_id);
