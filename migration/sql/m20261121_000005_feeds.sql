-- Feeds, their logs of items, and how far each radar has read.

create table feed (
    feed_id {uuid} primary key not null,
    source_id text not null,
    token text not null,
    created_at {int} not null,
    head_seq {int} not null check (head_seq >= 0),
    fanned_seq {int} not null check (fanned_seq >= 0 and fanned_seq <= head_seq),
    next_poll_at {int},
    polled_at {int},
    succeeded_at {int},
    failures {int} not null check (failures >= 0),
    last_error text,
    etag text,
    last_modified text,
    body_hash text,
    lease_until {int},
    lease_no {int} not null,
    unique (source_id, token)
){strict};
create index feed_due on feed (next_poll_at) where next_poll_at is not null;

create table feed_item (
    feed_id {uuid} not null,
    native_id text not null,
    seq {int},
    content text,
    position text,
    detected_at {int} not null,
    primary key (feed_id, native_id),
    check ((seq is null) = (content is null))
){strict};
create unique index feed_item_log on feed_item (feed_id, seq) where seq is not null;

create table radar_feed (
    radar_id {uuid} not null,
    feed_id {uuid} not null,
    account_id {uuid} not null,
    read_seq {int} not null check (read_seq >= 0),
    primary key (radar_id, feed_id)
){clustered};
create index radar_feed_readers on radar_feed (feed_id, read_seq);
