-- Looking for sources: the set-ups that wait, what is known of companies beside their domains, and looks of previews.
--
-- Each is attempted by one process at a time, and is noted before it is begun: one that ends the process is known
-- afterwards.

create table set_up (
    radar_id {uuid} primary key not null,
    account_id {uuid} not null,
    due_at {int} not null,
    lease_until {int},
    lease_no {int} not null,
    claimed_by {uuid},
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

-- Once for all radars that watch a company.
create table company_profile (
    domain text{bytewise} primary key not null,
    looked_at {int},
    refresh_at {int} not null,
    last_error text
){strict};
create index company_profile_due on company_profile (refresh_at);

create table profile_entry (
    domain text{bytewise} not null,
    entry_key text not null,
    ordinal {int} not null check (ordinal >= 0),
    entry_value text not null,
    evidence text not null,
    evidence_url text not null,
    primary key (domain, entry_key, ordinal)
){clustered};

-- One row for each look, and whose it is: those of two processes are not taken for one another's failures.
create table preview_look (
    account_id {uuid} not null,
    look_no {int} not null,
    node_id {uuid},
    began_at {int} not null,
    lease_until {int} not null,
    primary key (account_id, look_no)
){strict};
