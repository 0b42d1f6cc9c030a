-- What goes together, an update with its delivery and its attempts, has one instant in common: that of its publication. On
-- PostgreSQL the three tables are partitioned by it (`partitions.rs`).

alter table attempt add column published_at {int} not null default 0;
update delivery set created_at = u.discovered_at from radar_update u
    where u.update_id = delivery.update_id and u.discovered_at <> delivery.created_at;
update attempt set published_at = coalesce(
    (select d.created_at from delivery d where d.update_id = attempt.update_id), started_at);
