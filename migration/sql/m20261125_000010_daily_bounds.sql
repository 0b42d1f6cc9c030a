-- How many findings from the web a radar is charged in a day, what it holds beyond that, and who was told.

alter table price add column findings_per_day {int} check (findings_per_day > 0);

alter table radar add column day_began_at {int};
alter table radar add column day_charged {int} not null default 0 check (day_charged >= 0);
alter table radar add column held_beyond_bound {int} not null default 0 check (held_beyond_bound >= 0);
alter table radar add column full_since {int};
alter table radar add column release_at {int};
create index radar_release on radar (account_id, release_at, radar_id) where release_at is not null;

alter table held_finding add column origin text not null default 'web' check (origin in ('web', 'pushed'));
alter table held_finding add column reason text not null default 'money' check (reason in ('money', 'daily_bound'));
create index held_for_money on held_finding (account_id, hold_seq) where reason = 'money';
create index held_beyond_bound on held_finding (radar_id, hold_seq) where reason = 'daily_bound';
alter table judged_finding add column origin text not null default 'web' check (origin in ('web', 'pushed'));

create table bound_alert (
    alert_id {uuid} primary key not null,
    account_id {uuid} not null,
    radar_id {uuid} not null,
    created_at {int} not null,
    body text not null
){strict};
create index bound_alert_created on bound_alert (created_at, alert_id);
