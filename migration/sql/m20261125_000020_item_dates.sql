-- When an item of a feed happened by its own date: what is older than a radar is no news to it.

alter table feed_item add column dated_at {int};
