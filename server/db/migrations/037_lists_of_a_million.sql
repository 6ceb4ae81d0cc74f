-- Counts of merchants by agent and account status beside those of migration 005, in the buckets -1 - status,
-- so that the list of agents counts no rows. The bucket -9 of agent 0 numbers the states of the records: each
-- statement that writes merchants, agents or equipment adds 1, so that in any two snapshots an equal sum means
-- equal records (decision 31).
create or replace function merchant_tally_added() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1 - accountstatus, -1), count(*) from added
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024), (accountstatus),
      (masteragentid, accountstatus)) having count(*) > 0
    union all select 0, -9, 1 where exists (select from added);
  return null;
end $$;

create or replace function merchant_tally_removed() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1 - accountstatus, -1), -count(*) from removed
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024), (accountstatus),
      (masteragentid, accountstatus)) having count(*) > 0
    union all select 0, -9, 1 where exists (select from removed);
  return null;
end $$;

create or replace function merchant_tally_moved() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(moved.agent, 0), coalesce(moved.bucket, -1 - moved.status, -1), sum(moved.n) from (
      select after.masteragentid as agent, after.id / 1024 as bucket, after.accountstatus as status, 1 as n
        from added after join removed before on before.id = after.id
        where before.masteragentid <> after.masteragentid or before.accountstatus <> after.accountstatus
      union all select before.masteragentid, before.id / 1024, before.accountstatus, -1
        from added after join removed before on before.id = after.id
        where before.masteragentid <> after.masteragentid
          or before.accountstatus <> after.accountstatus) moved
    group by grouping sets ((moved.agent), (moved.agent, moved.bucket), (moved.status),
      (moved.agent, moved.status)) having sum(moved.n) <> 0
    union all select 0, -9, 1 where exists (select from added);
  return null;
end $$;

create function searched_state_changed() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n) values (0, -9, 1);
  return null;
end $$;
create trigger searched_state_changed after insert or update or delete on master_agent
  for each statement execute function searched_state_changed();
create trigger searched_state_changed after insert or update or delete on equipment
  for each statement execute function searched_state_changed();

insert into merchant_tally (agent, bucket, n)
  select coalesce(masteragentid, 0), -1 - accountstatus, count(*) from merchant
  group by grouping sets ((accountstatus), (masteragentid, accountstatus)) having count(*) > 0
  union all select 0, -9, 1;

-- What a picker looks into (lists 11): the two fields of a label. A word has no space, so it is in one.
create index merchant_names on merchant using gin (lower(xmid || ' ' || dba) gin_trgm_ops);
create index master_agent_names on master_agent using gin (lower(displayid || ' ' || name) gin_trgm_ops);

-- The orders of the list of merchants (lists 4). A page is found within an index alone, for any scope; long
-- texts are in it with as many characters as they are sorted by.
create index merchant_by_xmid on merchant (xmid, id) include (masteragentid);
create index merchant_by_dba on merchant (dba, id) include (masteragentid);
create index merchant_by_businesstype on merchant (businesstype, id) include (masteragentid);
create index merchant_by_product on merchant (product, id) include (masteragentid);
create index merchant_by_status on merchant (status, id) include (masteragentid);
create index merchant_by_sales_rep on merchant (sales_rep, id) include (masteragentid);
create index merchant_by_tinstatus on merchant (tinstatus, id) include (masteragentid);
create index merchant_by_accountstatus on merchant (accountstatus, id) include (masteragentid);
create index merchant_by_date_added on merchant (date_added, id) include (masteragentid);
create index merchant_by_date_approved on merchant (date_approved, id) include (masteragentid);
create index merchant_by_date_submitted on merchant (date_submitted, id) include (masteragentid);
create index merchant_by_date_closed on merchant (date_closed, id) include (masteragentid);
create index merchant_by_date_received on merchant (date_received, id) include (masteragentid);
create index merchant_by_notes on merchant (left(notes, 200), id) include (masteragentid);
