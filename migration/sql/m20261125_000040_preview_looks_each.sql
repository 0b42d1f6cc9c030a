-- Looks of previews, one row each, and whose they are: those of two processes are not taken for one another's failures.

drop table preview_look;
create table preview_look (
    account_id {uuid} not null,
    look_no {int} not null,
    process text not null,
    began_at {int} not null,
    lease_until {int} not null,
    primary key (account_id, look_no)
){strict};
