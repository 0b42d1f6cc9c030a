-- Attempts that have begun and not ended, and the set-ups that wait, each claimed by one process at a time.
--
-- `open_attempts` counts in a row what was begun and did not end. A feed is looked for by `next_poll_at` alone: it is
-- null while nobody reads the feed, and the end of the lease while the feed is polled.

alter table feed add column open_attempts {int} not null default 0 check (open_attempts >= 0);
drop index feed_due;
create index feed_due on feed (next_poll_at) where next_poll_at is not null and open_attempts = 0;
create index feed_suspect on feed (next_poll_at) where next_poll_at is not null and open_attempts > 0;
create index feed_at_rest on feed (feed_id) where next_poll_at is null;
create index feed_unread on feed (feed_id) where head_seq > fanned_seq;

create table set_up (
    radar_id {uuid} primary key not null,
    account_id {uuid} not null,
    due_at {int} not null,
    lease_until {int},
    lease_no {int} not null,
    open_attempts {int} not null check (open_attempts >= 0),
    failures {int} not null check (failures >= 0),
    failing_since {int},
    unknown_names {int} not null check (unknown_names >= 0),
    unknown_since {int},
    last_error text
){strict};
create index set_up_waiting on set_up (account_id, due_at, radar_id) where open_attempts = 0;
create index set_up_due on set_up (due_at) where open_attempts = 0;
create index set_up_suspect on set_up (due_at) where open_attempts > 0;

insert into set_up (radar_id, account_id, due_at, lease_no, open_attempts, failures, unknown_names)
    select radar_id, account_id, 0, 0, 0, 0, 0 from radar where set_up = 'pending' and wake_at is not null;
update radar set wake_at = next_charge_at where set_up = 'pending' and status = 'active';
update radar set wake_at = created_at + (period_no + 1) * 2592000000000
    where set_up = 'pending' and status = 'inactive' and wake_at is not null;
