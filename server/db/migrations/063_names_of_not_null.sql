-- PostgreSQL 18 names what is not null after its table, and keeps that name when the table gets another one.
-- Earlier versions give no such names.
do $$
declare
  named record;
begin
  for named in
    select c.conrelid::regclass as relation, c.conname as was,
      r.relname || '_' || a.attname || '_not_null' as name
    from pg_constraint c
      join pg_class r on r.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'n' and c.connamespace = 'public'::regnamespace
      and c.conname ~ '^(import_progress|many_action|many_change|merchant_tally)_'
  loop
    execute format('alter table %s rename constraint %I to %I', named.relation, named.was, named.name);
  end loop;
end
$$;
