-- In which way the last poll of a feed failed, and sources most of whose feeds fail.

alter table feed add column failure_class text;
create table source_breakage (
    source_id text primary key not null,
    failure_class text not null,
    since {int} not null,
    flagged_at {int}
){strict};
