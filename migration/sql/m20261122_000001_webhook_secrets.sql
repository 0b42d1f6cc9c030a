-- The secrets that sign webhooks, each in a row of its own and encrypted.
--
-- Until the service has encrypted it, a row without a `key_id` holds its secret in plain text: a migration has no keys.

create table webhook_secret (
    account_id {uuid} not null,
    secret_no {int} not null check (secret_no > 0),
    key_id text,
    secret {bytes} not null,
    signs_until {int},
    primary key (account_id, secret_no)
){clustered};
create index webhook_secret_key on webhook_secret (key_id);

insert into webhook_secret (account_id, secret_no, secret, signs_until)
    select account_id, 1, cast(previous_webhook_secret as {bytes}), previous_secret_until
    from account where previous_webhook_secret is not null and previous_secret_until is not null;
insert into webhook_secret (account_id, secret_no, secret)
    select account_id, 2, cast(webhook_secret as {bytes}) from account;
insert into setting (name, value)
    select 'secrets.plain_text_left', 'yes' where exists (select 1 from webhook_secret);

alter table account drop column webhook_secret;
alter table account drop column previous_webhook_secret;
alter table account drop column previous_secret_until;
