-- Where accounts get mail, who wants none of them, and the outbox of mails.

-- Whoever has the token confirms the address or stops what comes there: it stands in every mail.
create table mail_address (
    account_id {uuid} primary key not null,
    address text not null,
    token text not null unique,
    confirmed_at {int},
    digested_until {int},
    digested_seq {int}
){strict};

-- Whoever stopped the mails of an account is asked for no confirmation again.
create table mail_stop (
    account_id {uuid} not null,
    address_hash text not null,
    stopped_at {int} not null,
    primary key (account_id, address_hash)
){strict};

-- One without `due_at` is done: it was sent, or given up.
create table mail (
    mail_id {uuid} primary key not null,
    account_id {uuid} not null,
    kind text not null check (kind in ('confirmation', 'alert', 'digest')),
    recipient text not null,
    token text not null,
    subject text not null,
    body text not null,
    created_at {int} not null,
    due_at {int},
    attempts {int} not null check (attempts >= 0),
    lease_until {int}
){strict};
create index mail_due on mail (due_at) where due_at is not null;
create index mail_account on mail (account_id, created_at);
create index mail_token on mail (token);
create index mail_created on mail (created_at);
