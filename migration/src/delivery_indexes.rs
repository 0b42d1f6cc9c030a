//! Fewer places to write for each delivery: what is looked for by endpoint and state are the held ones alone, and nobody
//! looks for attempts by endpoint.

super::family!(
    "m20261122_000030_delivery_indexes",
    "
    drop index delivery_endpoint;
    create index delivery_held on delivery (endpoint_id) where state = 'held';
    drop index attempt_endpoint
    "
);
