-- Pushed findings name a target: the radars that watch it are found without reading all the others.

drop index radar_domain;
create index radar_watched_domain on radar (domain, radar_type) where domain is not null;
create index radar_watched_profile on radar (profile_url, radar_type) where profile_url is not null;
create index radar_watched_email on radar (email, radar_type) where email is not null;
create index radar_watched_keyword on radar (keyword, radar_type) where keyword is not null;
