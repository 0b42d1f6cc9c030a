-- Answers to creations under an `Idempotency-Key`.

create table kept_answer (
    account_id {uuid} not null,
    key_hash text not null,
    request_hash text not null,
    status {int} not null check (status in (201, 207)),
    body text not null,
    used_at {int} not null,
    primary key (account_id, key_hash)
){strict};
create index kept_answer_age on kept_answer (used_at);
