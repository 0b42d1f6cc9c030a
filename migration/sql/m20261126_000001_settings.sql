-- Facts about the installation itself, such as where a simulated clock stands.

create table setting (
    name text primary key not null,
    value text not null
){strict};
