-- An index of the accounts that are stopped, which are few: whatever works for the others asks for them.

create index account_stopped on account (account_id) where status <> 'active';
