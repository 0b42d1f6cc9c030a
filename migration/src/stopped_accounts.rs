//! An index of the accounts that are stopped, which are few: whatever works for the others asks for them.

super::family!(
    "m20261122_000002_stopped_accounts",
    "
    create index account_stopped on account (account_id) where status <> 'active'
    "
);
