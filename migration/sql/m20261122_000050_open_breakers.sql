-- An index of the few endpoints whose breaker is open, for counting them.

create index endpoint_breaker_open on endpoint_health (endpoint_id) where breaker_open_until is not null;
