-- Endpoints and alerts about them, the outbox of deliveries and their attempts, and what is sent again.
--
-- An endpoint's sequence belongs to the account's lock, its health to the dispatcher: two tables, so that a slow
-- receiver never waits for the ledger and the ledger never for a receiver.

create table endpoint (
    endpoint_id {uuid} primary key not null,
    account_id {uuid} not null,
    url text not null,
    head_sequence {int} not null check (head_sequence >= 0),
    created_at {int} not null,
    unique (account_id, url)
){strict};

-- `alert_at` is from when on the account is to hear of it.
create table endpoint_health (
    endpoint_id {uuid} primary key not null,
    account_id {uuid} not null,
    disabled_reason text check (disabled_reason in ('gone', 'failing', 'operator')),
    disabled_at {int},
    consecutive_failures {int} not null,
    attempts_since_success {int} not null,
    failing_since {int},
    last_success_at {int},
    breaker_open_until {int},
    breaker_opens {int} not null,
    next_allowed_at {int},
    alert_at {int},
    check ((disabled_reason is null) = (disabled_at is null))
){strict};
create index endpoint_disabled on endpoint_health (endpoint_id) where disabled_at is not null;
create index endpoint_breaker_open on endpoint_health (endpoint_id) where breaker_open_until is not null;
create index endpoint_alert_due on endpoint_health (alert_at) where alert_at is not null;

create table endpoint_alert (
    alert_id {uuid} primary key not null,
    account_id {uuid} not null,
    endpoint_id {uuid} not null,
    alert_type text not null check (alert_type in ('endpoint_disabled', 'endpoint_failing')),
    created_at {int} not null,
    body text not null
){strict};
create index endpoint_alert_created on endpoint_alert (created_at, alert_id);

-- `format` and `body` are of what is pushed in another form than the payload of the update.
create table delivery (
    update_id {uuid} primary key not null,
    account_id {uuid} not null,
    update_seq {int} not null,
    endpoint_id {uuid} not null,
    sequence {int} not null,
    state text not null check (state in ('pending', 'delivered', 'exhausted', 'held')),
    attempts {int} not null check (attempts >= 0),
    due_at {int},
    lease_until {int},
    lease_no {int} not null,
    claimed_by {uuid},
    created_at {int} not null,
    finished_at {int},
    format text check (format in ('cloudevents', 'slack', 'teams')),
    body text,
    trace text,
    unique (endpoint_id, sequence),
    check ((state = 'pending') = (due_at is not null)),
    check ((format is null) = (body is null))
){strict};
-- Few places to write for each delivery: what is due is looked for by endpoint, and the few that wait are found in the same
-- index; of the others the held ones alone are looked for by endpoint.
create index delivery_endpoint_due on delivery (endpoint_id, due_at, sequence) where due_at is not null;
create index delivery_held on delivery (endpoint_id) where state = 'held';
create index delivery_created on delivery (created_at, update_id);
-- The log of deliveries: an account's in order, and those few that failed, of an account or of all.
create index delivery_log on delivery (account_id, created_at, update_id);
create index delivery_failed on delivery (state, created_at, update_id) where state in ('held', 'exhausted');
create index delivery_failed_of on delivery (account_id, state, created_at, update_id)
    where state in ('held', 'exhausted');

create table attempt (
    update_id {uuid} not null,
    attempt_no {int} not null,
    account_id {uuid} not null,
    endpoint_id {uuid} not null,
    started_at {int} not null,
    duration_ms {int} not null,
    outcome text not null,
    status {int},
    remote text,
    response text,
    response_truncated {int} not null check (response_truncated in (0, 1)),
    primary key (update_id, attempt_no)
){strict};

-- Work on everything that matches: deliveries that are sent again or, where there is a search, radars that are ended.
create table job (
    job_id {uuid} primary key not null,
    account_id {uuid},
    since {int} not null,
    until {int} not null,
    radar_type text,
    with_delivered {int} not null check (with_delivered in (0, 1)),
    search text,
    created_at {int} not null,
    found {int} not null check (found >= 0),
    done {int} not null check (done >= 0),
    cursor_at {int} not null,
    cursor_id {uuid},
    advanced_at {int} not null,
    resumes_at {int},
    finished_at {int},
    is_stopped {int} not null check (is_stopped in (0, 1))
){strict};
create index job_unfinished on job (advanced_at, job_id) where finished_at is null;
create index job_finished on job (finished_at) where finished_at is not null;

-- Deliveries that a recovery has gone past because no turn was free at their host; it comes back for them.
create table recovery_left (
    recovery_id {uuid} not null,
    update_id {uuid} not null,
    host text not null,
    primary key (recovery_id, update_id)
){strict};
create index recovery_left_host on recovery_left (host, recovery_id);

-- How much of an account is sent again on a day, and when the next may go to a host.
create table redelivery_day (
    account_id {uuid} primary key not null,
    day {int} not null,
    used {int} not null check (used >= 0)
){strict};
create table redelivery_host (
    host text primary key not null,
    next_at {int} not null
){strict};
