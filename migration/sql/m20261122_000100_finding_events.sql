-- Which event a finding tells of, so that a radar reports the same event once, from however many sources.

alter table finding_seen add column event_id {uuid};
alter table finding_seen add column event_part text;
create index finding_seen_event on finding_seen (radar_id, event_id, seen_at) where event_id is not null;
