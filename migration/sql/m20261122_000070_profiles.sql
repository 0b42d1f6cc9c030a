-- What is known of companies beside their domains: once for all radars that watch them.

create table company_profile (
    domain text primary key not null,
    looked_at {int},
    refresh_at {int} not null,
    last_error text
){strict};
create index company_profile_due on company_profile (refresh_at);

create table profile_entry (
    domain text not null,
    entry_key text not null,
    ordinal {int} not null check (ordinal >= 0),
    entry_value text not null,
    evidence text not null,
    evidence_url text not null,
    primary key (domain, entry_key, ordinal)
){clustered};

create index radar_domain on radar (domain) where status = 'active' and domain is not null;
