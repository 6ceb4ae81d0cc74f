-- The table of the counts of merchants is called as the code calls them, and so are the functions that hold a
-- lock of a month back. PostgreSQL reads the bodies of functions at their call, so those that name what is
-- renamed are written again; nothing else of them differs.

-- Rows (agent, bucket, n), of which the sums of `n` count. Agent 0 stands for all agents; an agent's bucket -1
-- counts all its merchants, -1 - status those of an account status, and a bucket from 0 on the ids from 1024
-- times the bucket on. Bucket -9 of agent 0 is no count of merchants: it is the number of writes.
alter table merchant_tally rename to merchant_count;
alter index merchant_tally_key rename to merchant_count_key;
alter trigger merchant_tally_insert on merchant rename to merchant_count_insert;
alter trigger merchant_tally_delete on merchant rename to merchant_count_delete;
alter trigger merchant_tally_update on merchant rename to merchant_count_update;
alter function merchant_tally_added() rename to merchant_count_added;
alter function merchant_tally_removed() rename to merchant_count_removed;
alter function merchant_tally_moved() rename to merchant_count_moved;
alter function merchant_tally_merge() rename to merchant_count_merge;
alter function searched_state_changed() rename to count_write;
alter trigger searched_state_changed on master_agent rename to count_write;
alter trigger searched_state_changed on equipment rename to count_write;
alter trigger searched_state_changed on adjustment rename to count_write;
alter trigger searched_state_changed on bank_change rename to count_write;
alter trigger searched_state_changed on collection_subscription rename to count_write;
alter trigger searched_state_changed on payout_hold rename to count_write;
alter trigger searched_state_changed on payout_hold_end rename to count_write;
alter trigger searched_state_changed on audit rename to count_write;

create or replace function merchant_count_added() returns trigger language plpgsql as $$
begin
  insert into merchant_count (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1 - accountstatus, -1), count(*) from added
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024), (accountstatus),
      (masteragentid, accountstatus)) having count(*) > 0
    union all select 0, -9, 1 where exists (select from added);
  return null;
end $$;

create or replace function merchant_count_removed() returns trigger language plpgsql as $$
begin
  insert into merchant_count (agent, bucket, n)
    select coalesce(masteragentid, 0), coalesce(id / 1024, -1 - accountstatus, -1), -count(*) from removed
    group by grouping sets ((), (masteragentid), (id / 1024), (masteragentid, id / 1024), (accountstatus),
      (masteragentid, accountstatus)) having count(*) > 0
    union all select 0, -9, 1 where exists (select from removed);
  return null;
end $$;

create or replace function merchant_count_moved() returns trigger language plpgsql as $$
begin
  insert into merchant_count (agent, bucket, n)
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

create or replace function merchant_count_merge() returns void language sql as $$
  with appended as (
      select agent, bucket from merchant_count group by agent, bucket having count(*) > 1),
    gone as (
      delete from merchant_count t using appended a where t.agent = a.agent and t.bucket = a.bucket
      returning t.agent, t.bucket, t.n)
  insert into merchant_count (agent, bucket, n)
    select agent, bucket, sum(n) from gone group by agent, bucket having sum(n) <> 0
$$;

create or replace function count_write() returns trigger language plpgsql as $$
begin
  insert into merchant_count (agent, bucket, n) values (0, -9, 1);
  return null;
end $$;

-- What writes into a month blocks its lock (blockMonthLock in server/money/months.ts), and a lock begins by
-- waiting for those that block it (beginMonthLock).
alter function hold_month(date) rename to block_month_lock;
alter function hold_month_for_lock(date, text) rename to begin_month_lock;

create or replace function equipment_paid() returns trigger language plpgsql as $$
declare
  paid boolean := new.soldfor > 0 and new.paidsofar >= new.soldfor;
  counted date := new.paidmonth;
  copied date;
  refusal text;
begin
  if paid = (new.paidmonth is not null) then return new; end if;
  loop
    if paid then
      copied := (select max(l.month) from locked_terminal t join month_lock l on l.id = t.lockid
        where t.id = new.id
          and not exists (select from month_lock n where n.month = l.month and n.version > l.version));
      if exists (select from month_lock l where l.reopened_at is null and l.month >= copied) then
        new.paidmonth := copied;
        return new;
      end if;
      counted := coalesce(copied, counting_month());
    elsif exists (select from month_lock l where l.reopened_at is null and l.month >= new.paidmonth) then
      return new;
    end if;
    refusal := block_month_lock(counted);
    if refusal is not null then
      raise exception using errcode = 'ML409', message = refusal;
    end if;
    -- A lock may have closed the month while it was not held yet.
    exit when not exists (select from month_lock l where l.reopened_at is null and l.month >= counted);
  end loop;
  new.paidmonth := case when paid then counted end;
  return new;
end $$;
