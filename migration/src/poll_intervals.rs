//! How often a feed is polled, which follows how often it shows something new.

super::family!(
    "m20261122_000090_poll_intervals",
    "
    alter table feed add column poll_interval_micros {int} check (poll_interval_micros >= 0)
    "
);
