//! Facts about the installation itself, such as where a simulated clock stands.

super::family!(
    "m20261121_000001_settings",
    "
    create table setting (
        name text primary key not null,
        value text not null
    ){strict}
    "
);
