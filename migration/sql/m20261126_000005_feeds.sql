-- Feeds, their logs of items, how far each radar has read, and sources that are broken for everybody.

-- A feed is looked for by `next_poll_at` alone: it is null while nobody reads the feed, and the end of the lease while the
-- feed is polled. `open_attempts` counts in a row what was begun and did not end, `silent_micros` for how long it has been
-- polled in vain. `shard` follows the host that is asked, `claimed_by` is the process that polls or polled it last.
-- `failure_message` and `failure_class` say why, the one to customers whose radars read it;
-- `poll_interval_micros` follows how often it shows something new.
create table feed (
    feed_id {uuid} primary key not null,
    source_id text not null,
    token text not null,
    shard {int} not null,
    created_at {int} not null,
    head_seq {int} not null check (head_seq >= 0),
    fanned_seq {int} not null check (fanned_seq >= 0 and fanned_seq <= head_seq),
    next_poll_at {int},
    poll_interval_micros {int} check (poll_interval_micros >= 0),
    polled_at {int},
    succeeded_at {int},
    silent_micros {int} not null check (silent_micros >= 0),
    failures {int} not null check (failures >= 0),
    failure_class text,
    failure_message text,
    last_error text,
    etag text,
    last_modified text,
    body_hash text,
    lease_until {int},
    lease_no {int} not null,
    claimed_by {uuid},
    open_attempts {int} not null check (open_attempts >= 0),
    unique (source_id, token)
){strict};
create index feed_due on feed (next_poll_at) where next_poll_at is not null and open_attempts = 0;
create index feed_suspect on feed (next_poll_at) where next_poll_at is not null and open_attempts > 0;
create index feed_at_rest on feed (feed_id) where next_poll_at is null;
create index feed_unread on feed (feed_id) where head_seq > fanned_seq;
create index feed_silent on feed (silent_micros, feed_id) where silent_micros > 0;

-- `dated_at` is when an item happened by its own date: what is older than a radar is no news to it. `page_url`, `body_hash` and
-- `excerpt` say where it was read and what stood there, as far as its content does not.
create table feed_item (
    feed_id {uuid} not null,
    native_id text not null,
    seq {int},
    content text,
    role text,
    detected_at {int} not null,
    dated_at {int},
    page_url text,
    body_hash text,
    excerpt text,
    primary key (feed_id, native_id),
    check ((seq is null) = (content is null))
){strict};
create unique index feed_item_log on feed_item (feed_id, seq) where seq is not null;

-- `filtered_items` counts the items that the filter of the radar has kept out.
create table radar_feed (
    radar_id {uuid} not null,
    feed_id {uuid} not null,
    account_id {uuid} not null,
    read_seq {int} not null check (read_seq >= 0),
    filtered_items {int} not null check (filtered_items >= 0),
    primary key (radar_id, feed_id)
){clustered};
create index radar_feed_readers on radar_feed (feed_id, read_seq);

-- Sources most of whose feeds fail.
create table source_breakage (
    source_id text primary key not null,
    failure_class text not null,
    since {int} not null,
    flagged_at {int}
){strict};
