-- Recoveries of deliveries, and what the log of deliveries is read by: an account's deliveries in order, and those few
-- that failed, of an account or of all.

create table recovery (
    recovery_id {uuid} primary key not null,
    account_id {uuid},
    since {int} not null,
    until {int} not null,
    radar_type text,
    with_delivered {int} not null check (with_delivered in (0, 1)),
    created_at {int} not null,
    found {int} not null check (found >= 0),
    resent {int} not null check (resent >= 0),
    cursor_at {int} not null,
    cursor_id {uuid},
    advanced_at {int} not null,
    finished_at {int}
){strict};
create index recovery_unfinished on recovery (advanced_at, recovery_id) where finished_at is null;
create index recovery_finished on recovery (finished_at) where finished_at is not null;

drop index delivery_account;
create index delivery_log on delivery (account_id, created_at, update_id);
create index delivery_failed on delivery (state, created_at, update_id) where state in ('held', 'exhausted');
create index delivery_failed_of on delivery (account_id, state, created_at, update_id)
    where state in ('held', 'exhausted');
create index endpoint_disabled on endpoint_health (endpoint_id) where state = 'disabled';
