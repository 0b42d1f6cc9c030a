-- Looks of previews under way, so that one that ends the process is known afterwards.

create table preview_look (
    account_id {uuid} primary key not null,
    open_attempts {int} not null,
    began_at {int} not null
){strict};
