-- The net of each day of volume, for each agent whose merchants it belongs to, and in all as agent 0, so
-- that the chart of Home adds up no rows of the day. Each write appends its differences, as it does to
-- merchant_tally; `n` counts the rows of the day.
create table volume_sum (
  agent      integer not null,
  volumedate date not null,
  n          bigint not null,
  amount     numeric not null
);
create index volume_sum_key on volume_sum (agent, volumedate) include (n, amount);

-- Two transactions that write volume and move its merchant at once would each miss what the other does. Each
-- takes this lock without waiting; who does not get it marks the sums as stale, and they are not used until
-- they were worked out anew.
create table volume_sum_stale (at timestamptz not null default now());

-- Whoever holds the lock finds in its next statement all that earlier holders wrote.
create function volume_sum_locked(exclusively boolean) returns boolean language plpgsql as $$
declare acquired boolean;
begin
  if exclusively then acquired := pg_try_advisory_xact_lock(hashtext('volume sums'));
  else acquired := pg_try_advisory_xact_lock_shared(hashtext('volume sums'));
  end if;
  if not acquired then insert into volume_sum_stale default values; end if;
  return acquired;
end $$;

create function volume_sum_added() returns trigger language plpgsql as $$
begin
  if exists (select from added) and volume_sum_locked(true) then
    insert into volume_sum (agent, volumedate, n, amount)
      select coalesce(m.masteragentid, 0), v.volumedate, count(*), sum(v.netamount)
      from added v left join merchant m on m.xmid = v.xmid
      group by grouping sets ((v.volumedate), (m.masteragentid, v.volumedate))
      having grouping(m.masteragentid) = 1 or m.masteragentid is not null;
  end if;
  return null;
end $$;

create function volume_sum_removed() returns trigger language plpgsql as $$
begin
  if exists (select from removed) and volume_sum_locked(true) then
    insert into volume_sum (agent, volumedate, n, amount)
      select coalesce(m.masteragentid, 0), v.volumedate, -count(*), -sum(v.netamount)
      from removed v left join merchant m on m.xmid = v.xmid
      group by grouping sets ((v.volumedate), (m.masteragentid, v.volumedate))
      having grouping(m.masteragentid) = 1 or m.masteragentid is not null;
  end if;
  return null;
end $$;

create function volume_sum_changed() returns trigger language plpgsql as $$
begin
  if exists (select from added) and volume_sum_locked(true) then
    insert into volume_sum (agent, volumedate, n, amount)
      select coalesce(m.masteragentid, 0), v.volumedate, sum(v.n), sum(v.amount)
      from (select xmid, volumedate, 1 as n, netamount as amount from added
        union all select xmid, volumedate, -1, -netamount from removed) v
      left join merchant m on m.xmid = v.xmid
      group by grouping sets ((v.volumedate), (m.masteragentid, v.volumedate))
      having (grouping(m.masteragentid) = 1 or m.masteragentid is not null)
        and (sum(v.n) <> 0 or sum(v.amount) <> 0);
  end if;
  return null;
end $$;

create trigger volume_sum_insert after insert on daily_volume referencing new table as added
  for each statement execute function volume_sum_added();
create trigger volume_sum_delete after delete on daily_volume referencing old table as removed
  for each statement execute function volume_sum_removed();
create trigger volume_sum_update after update on daily_volume
  referencing old table as removed new table as added
  for each statement execute function volume_sum_changed();

create function volume_sum_merchants_added() returns trigger language plpgsql as $$
begin
  if exists (select from added) and volume_sum_locked(false) then
    insert into volume_sum (agent, volumedate, n, amount)
      select m.masteragentid, v.volumedate, count(*), sum(v.netamount)
      from added m join daily_volume v on v.xmid = m.xmid group by m.masteragentid, v.volumedate;
  end if;
  return null;
end $$;

create function volume_sum_merchants_removed() returns trigger language plpgsql as $$
begin
  if exists (select from removed) and volume_sum_locked(false) then
    insert into volume_sum (agent, volumedate, n, amount)
      select m.masteragentid, v.volumedate, -count(*), -sum(v.netamount)
      from removed m join daily_volume v on v.xmid = m.xmid group by m.masteragentid, v.volumedate;
  end if;
  return null;
end $$;

-- Compared as sets: a join of the rows before with those after is planned for few rows and used for many.
create function volume_sum_merchants_moved() returns trigger language plpgsql as $$
begin
  if exists (select xmid, masteragentid from added except select xmid, masteragentid from removed)
    and volume_sum_locked(false) then
    insert into volume_sum (agent, volumedate, n, amount)
      select m.agent, v.volumedate, sum(m.n), sum(m.n * v.netamount)
      from (
        select agent, xmid, sum(n) as n from (
          select masteragentid as agent, xmid, 1 as n from added
          union all select masteragentid, xmid, -1 from removed) c
        group by agent, xmid having sum(n) <> 0) m
      join daily_volume v on v.xmid = m.xmid group by m.agent, v.volumedate;
  end if;
  return null;
end $$;

create trigger volume_sum_merchant_insert after insert on merchant referencing new table as added
  for each statement execute function volume_sum_merchants_added();
create trigger volume_sum_merchant_delete after delete on merchant referencing old table as removed
  for each statement execute function volume_sum_merchants_removed();
create trigger volume_sum_merchant_update after update on merchant
  referencing old table as removed new table as added
  for each statement execute function volume_sum_merchants_moved();

-- Adds up rows of one key, as merchant_tally_merge does, and works out stale sums when nobody writes.
create function volume_sum_merge() returns void language plpgsql as $$
begin
  if exists (select from volume_sum_stale) then
    if not pg_try_advisory_xact_lock(hashtext('volume sums')) then return; end if;
    delete from volume_sum_stale;
    delete from volume_sum;
    insert into volume_sum (agent, volumedate, n, amount)
      select coalesce(m.masteragentid, 0), v.volumedate, count(*), sum(v.netamount)
      from daily_volume v left join merchant m on m.xmid = v.xmid
      group by grouping sets ((v.volumedate), (m.masteragentid, v.volumedate))
      having grouping(m.masteragentid) = 1 or m.masteragentid is not null;
    return;
  end if;
  with appended as (
      select agent, volumedate from volume_sum group by agent, volumedate having count(*) > 1),
    gone as (
      delete from volume_sum s using appended a
        where s.agent = a.agent and s.volumedate = a.volumedate
      returning s.agent, s.volumedate, s.n, s.amount)
  insert into volume_sum (agent, volumedate, n, amount)
    select agent, volumedate, sum(n), sum(amount) from gone group by agent, volumedate
    having sum(n) <> 0 or sum(amount) <> 0;
end $$;

insert into volume_sum (agent, volumedate, n, amount)
  select coalesce(m.masteragentid, 0), v.volumedate, count(*), sum(v.netamount)
  from daily_volume v left join merchant m on m.xmid = v.xmid
  group by grouping sets ((v.volumedate), (m.masteragentid, v.volumedate))
  having grouping(m.masteragentid) = 1 or m.masteragentid is not null;
