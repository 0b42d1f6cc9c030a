-- Alerts about endpoints: where an account hears them, of which endpoint it is still to hear and from when on, and what it
-- was told.

alter table account add column endpoint_alert_url text;
alter table endpoint_health add column alert_at {int};
create index endpoint_alert_due on endpoint_health (alert_at) where alert_at is not null;

create table endpoint_alert (
    alert_id {uuid} primary key not null,
    account_id {uuid} not null,
    endpoint_id {uuid} not null,
    alert_type text not null check (alert_type in ('endpoint_disabled', 'endpoint_failing')),
    created_at {int} not null,
    body text not null
){strict};
create index endpoint_alert_created on endpoint_alert (created_at, alert_id);
