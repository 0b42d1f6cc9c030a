-- Deliveries that a recovery has gone past because no turn was free at their host; it comes back for them.

create table recovery_left (
    recovery_id {uuid} not null,
    update_id {uuid} not null,
    host text not null,
    primary key (recovery_id, update_id)
){strict};
create index recovery_left_host on recovery_left (host, recovery_id);
