-- What is sent again: how much of an account on a day, when the next may go to a host, and what a recovery waits for.

create table redelivery_day (
    account_id {uuid} primary key not null,
    day {int} not null,
    used {int} not null check (used >= 0)
){strict};
create table redelivery_host (
    host text primary key not null,
    next_at {int} not null
){strict};
alter table recovery add column resumes_at {int};
