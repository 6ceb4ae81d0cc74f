alter table equipment add column warranty text not null default '';
alter table equipment drop column searched;
alter table equipment add column searched text not null generated always as (search_text(
  model || ' ' || serialnumber || ' ' || licensingkey || ' ' || trackingnumber || ' ' || warranty)) stored;
create index equipment_search on equipment using gin (searched gin_trgm_ops);
analyze equipment;
