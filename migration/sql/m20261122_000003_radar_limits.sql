-- How many radars an account has, how many of them have ended, and how many it may have. The counts are kept with the
-- account, under its lock: to count the rows would take longer the more there are. An index of the radars that have
-- ended, which retention removes in the end.

alter table account add column radars_max {int} check (radars_max > 0);
alter table account add column active_radars {int} not null default 0 check (active_radars >= 0);
alter table account add column ended_radars {int} not null default 0 check (ended_radars >= 0);
alter table account add column purged_radars {int} not null default 0 check (purged_radars >= 0);
update account set
    active_radars = (select count(*) from radar r where r.account_id = account.account_id and r.status = 'active'),
    ended_radars = (select count(*) from radar r where r.account_id = account.account_id and r.status <> 'active');
create index radar_ended on radar (deactivated_at, radar_id) where status = 'inactive' and wake_at is null;
create index judged_finding_radar on judged_finding (radar_id);
