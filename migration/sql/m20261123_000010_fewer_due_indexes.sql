-- One place less to write for each delivery: what is due is looked for by endpoint, and the few that wait are found in
-- the same index.

drop index delivery_due;
