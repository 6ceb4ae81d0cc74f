-- The counts of merchants whose agent or account status changed are compared as sums. A connection plans the
-- statements of a trigger once, at the first write: a join of the rows before with those after, planned for
-- the one row of a save, compares each with each when the next write is an import of many.
create or replace function merchant_tally_moved() returns trigger language plpgsql as $$
begin
  insert into merchant_tally (agent, bucket, n)
    select coalesce(moved.agent, 0), coalesce(moved.bucket, -1 - moved.status, -1), sum(moved.n) from (
      select agent, bucket, status, sum(n) as n from (
        select masteragentid as agent, id / 1024 as bucket, accountstatus as status, 1 as n from added
        union all select masteragentid, id / 1024, accountstatus, -1 from removed) written
      group by agent, bucket, status having sum(n) <> 0) moved
    group by grouping sets ((moved.agent), (moved.agent, moved.bucket), (moved.status),
      (moved.agent, moved.status)) having sum(moved.n) <> 0
    union all select 0, -9, 1 where exists (select from added);
  return null;
end $$;
