alter table equipment add column warranty text not null default '';
drop index equipment_search;
create index equipment_search on equipment using gin
  ((model || ' ' || serialnumber || ' ' || licensingkey || ' ' || trackingnumber || ' ' || warranty) gin_trgm_ops);
