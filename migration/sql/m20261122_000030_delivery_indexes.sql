-- Fewer places to write for each delivery: what is looked for by endpoint and state are the held ones alone, and nobody
-- looks for attempts by endpoint.

drop index delivery_endpoint;
create index delivery_held on delivery (endpoint_id) where state = 'held';
drop index attempt_endpoint;
