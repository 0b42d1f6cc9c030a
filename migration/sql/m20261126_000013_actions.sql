-- What operators did: written before it is done, ended after; one without a status was cut off.
create table operator_action (
    action_id {uuid} primary key not null,
    begun_at {int} not null,
    key_id text not null,
    client text,
    request_id text,
    method text not null,
    path text not null,
    about text,
    detail text,
    status {int}
){strict};
create index operator_action_about on operator_action (about, action_id) where about is not null;
create index operator_action_begun on operator_action (begun_at);
