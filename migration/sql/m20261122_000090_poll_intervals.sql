-- How often a feed is polled, which follows how often it shows something new.

alter table feed add column poll_interval_micros {int} check (poll_interval_micros >= 0);
