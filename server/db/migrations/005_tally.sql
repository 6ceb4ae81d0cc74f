-- How many merchants each agent has, in all and by bucket of 1024 ids, so that a list finds its total and a
-- distant page without counting rows. Agent 0 stands for all agents, bucket -1 for all ids. Every write
-- appends its differences, which the server merges periodically; the exact count is always the sum of `n`.
create table merchant_tally (
  agent  integer not null,
  bucket integer not null,
  n      bigint not null
);
create index merchant_tally_key on merchant_tally (agent, bucket) include (n);

create function merchant_tally_added() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1), count(*) from added
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024)) having count(*) > 0;
  return null;
end $$;

create function merchant_tally_removed() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1), -count(*) from removed
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024)) having count(*) > 0;
  return null;
end $$;

create function merchant_tally_moved() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select moved.agent, coalesce(moved.bucket, -1), sum(moved.n) from (
      select after.masteragentid as agent, after.id / 1024 as bucket, 1 as n
        from added after join removed before on before.id = after.id
        where before.masteragentid <> after.masteragentid
      union all select before.masteragentid, before.id / 1024, -1
        from added after join removed before on before.id = after.id
        where before.masteragentid <> after.masteragentid) moved
    group by grouping sets ((moved.agent), (moved.agent, moved.bucket)) having sum(moved.n) <> 0;
  return null;
end $$;

create trigger merchant_tally_insert after insert on merchant referencing new table as added
  for each statement execute function merchant_tally_added();
create trigger merchant_tally_delete after delete on merchant referencing old table as removed
  for each statement execute function merchant_tally_removed();
create trigger merchant_tally_update after update on merchant
  referencing old table as removed new table as added
  for each statement execute function merchant_tally_moved();

insert into merchant_tally (agent, bucket, n)
  select coalesce(masteragentid, 0), coalesce(id / 1024, -1), count(*) from merchant
  group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024)) having count(*) > 0;

-- In one statement, so that a parallel reader sees the rows before the merge or after it.
create function merchant_tally_merge() returns void language sql as $$
  with gone as (delete from merchant_tally returning agent, bucket, n)
  insert into merchant_tally (agent, bucket, n)
    select agent, bucket, sum(n) from gone group by agent, bucket having sum(n) <> 0
$$;
