-- How long a feed has been polled in vain, and why, for the customers whose radars read it; how many of its items the
-- filter of each radar has kept out.

alter table feed add column silent_micros {int} not null default 0 check (silent_micros >= 0);
alter table feed add column failure_message text;
alter table radar_feed add column filtered_items {int} not null default 0 check (filtered_items >= 0);
create index feed_silent on feed (silent_micros, feed_id) where silent_micros > 0;
