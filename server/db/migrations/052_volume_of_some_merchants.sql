-- The volume of merchants that are added, removed or moved is found by their MIDs, one after another. A join
-- with the whole table was planned for many merchants, and read the volume of all: 4 seconds of an import of
-- 20,000 new merchants and of its undo, beside a million merchants.
create or replace function volume_sum_merchants_added() returns trigger language plpgsql as $$
begin
  if exists (select from added) and volume_sum_locked(false) then
    insert into volume_sum (agent, volumedate, n, amount)
      select m.masteragentid, v.volumedate, count(*), sum(v.netamount)
      from added m cross join lateral (
        select volumedate, netamount from daily_volume v where v.xmid = m.xmid offset 0) v
      group by m.masteragentid, v.volumedate;
  end if;
  return null;
end $$;

create or replace function volume_sum_merchants_removed() returns trigger language plpgsql as $$
begin
  if exists (select from removed) and volume_sum_locked(false) then
    insert into volume_sum (agent, volumedate, n, amount)
      select m.masteragentid, v.volumedate, -count(*), -sum(v.netamount)
      from removed m cross join lateral (
        select volumedate, netamount from daily_volume v where v.xmid = m.xmid offset 0) v
      group by m.masteragentid, v.volumedate;
  end if;
  return null;
end $$;

create or replace function volume_sum_merchants_moved() returns trigger language plpgsql as $$
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
      cross join lateral (
        select volumedate, netamount from daily_volume v where v.xmid = m.xmid offset 0) v
      group by m.agent, v.volumedate;
  end if;
  return null;
end $$;
