-- The processes that share the database, and the shards of the work that each owns.
--
-- A process lives until `expires_at`, which it moves again and again. A shard without a process waits for one.
create table node (
    node_id {uuid} primary key not null,
    name text not null,
    version text not null,
    started_at {int} not null,
    expires_at {int} not null,
    is_draining {int} not null check (is_draining in (0, 1))
){strict};
-- How much of its rate limits an account has used, for all processes together: of no worth after a crash.
create {unlogged} table rate_bucket (
    account_id {uuid} not null,
    kind text not null,
    minute_units {int} not null check (minute_units >= 0),
    second_units {int} not null check (second_units >= 0),
    spent_at {int} not null,
    primary key (account_id, kind)
){clustered};
-- When each host may be asked next, and who asks it: for all processes together, and of no worth after a crash. A turn ends
-- with its request, or with the process that took it.
create {unlogged} table asked_host (
    host text primary key not null,
    last_turn_no {int} not null,
    next_at {int} not null
){clustered};
create {unlogged} table host_turn (
    host text not null,
    turn_no {int} not null,
    node_id {uuid} not null,
    lost_at {int} not null,
    primary key (host, turn_no)
){clustered};
create table shard (
    shard {int} primary key not null,
    node_id {uuid}
){strict};
with recursive numbers(shard) as (select 0 union all select shard + 1 from numbers where shard < 255)
    insert into shard (shard) select shard from numbers;
