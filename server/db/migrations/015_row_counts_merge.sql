-- Merges the keys that have more than one row and leaves the others untouched, so that a merge without writes
-- before it writes nothing. In one statement, so that a parallel reader sees the rows before the merge or
-- after it, and rows that are appended meanwhile stay for the next merge.
create or replace function merchant_tally_merge() returns void language sql as $$
  with appended as (
      select agent, bucket from merchant_tally group by agent, bucket having count(*) > 1),
    gone as (
      delete from merchant_tally t using appended a where t.agent = a.agent and t.bucket = a.bucket
      returning t.agent, t.bucket, t.n)
  insert into merchant_tally (agent, bucket, n)
    select agent, bucket, sum(n) from gone group by agent, bucket having sum(n) <> 0
$$;
