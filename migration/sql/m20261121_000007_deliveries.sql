-- Endpoints, the outbox of deliveries and their attempts.
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

create table endpoint_health (
    endpoint_id {uuid} primary key not null,
    account_id {uuid} not null,
    state text not null check (state in ('enabled', 'disabled')),
    disabled_reason text check (disabled_reason in ('gone', 'failing', 'operator')),
    disabled_at {int},
    consecutive_failures {int} not null,
    attempts_since_success {int} not null,
    failing_since {int},
    last_success_at {int},
    breaker_open_until {int},
    breaker_opens {int} not null,
    next_allowed_at {int},
    check ((state = 'disabled') = (disabled_at is not null))
){strict};

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
    created_at {int} not null,
    finished_at {int},
    unique (endpoint_id, sequence),
    check ((state = 'pending') = (due_at is not null))
){strict};
create index delivery_due on delivery (due_at, endpoint_id) where due_at is not null;
create index delivery_endpoint_due on delivery (endpoint_id, due_at, sequence) where due_at is not null;
create index delivery_created on delivery (created_at, update_id);
create index delivery_endpoint on delivery (endpoint_id, state);
create index delivery_account on delivery (account_id, update_seq);

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
create index attempt_endpoint on attempt (endpoint_id, started_at);
