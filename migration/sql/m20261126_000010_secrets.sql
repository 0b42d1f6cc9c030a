-- The secrets that sign webhooks, each in a row of its own and encrypted.

create table webhook_secret (
    account_id {uuid} not null,
    secret_no {int} not null check (secret_no > 0),
    key_id text not null,
    secret {bytes} not null,
    signs_until {int},
    primary key (account_id, secret_no)
){clustered};
create index webhook_secret_key on webhook_secret (key_id);
