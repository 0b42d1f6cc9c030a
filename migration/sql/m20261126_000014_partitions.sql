-- What goes together, an update with its delivery and its attempts, has one instant in common: that of its publication, by
-- the time of its account. On PostgreSQL the three tables are partitioned by it (`partitions.rs`).

alter table delivery add column published_at {int} not null default 0;
update delivery set published_at = coalesce(
    (select u.discovered_at from radar_update u where u.update_id = delivery.update_id), created_at);
alter table attempt add column published_at {int} not null default 0;
update attempt set published_at = coalesce(
    (select d.published_at from delivery d where d.update_id = attempt.update_id), started_at);
