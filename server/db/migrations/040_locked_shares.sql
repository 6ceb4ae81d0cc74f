-- The lines of pay of a lock (months 5): what an agent earns by the merchants of one agent, `origin`, in the
-- order of `lines`, of up to 1,000,000 of them in a row. Percentage and link of the chain are the same for all
-- of them. To sort all lines by the agent who earns them took a quarter of the time of a lock. Locks of before
-- keep theirs in locked_pay_part. Amounts are cents.
create table locked_share (
  lockid        integer not null,
  masteragentid integer not null,
  origin        integer not null,
  part          integer not null,
  fromagentid   integer,
  percent       numeric(7, 4) not null,
  lines         integer[] not null,
  -- Null where no line holds a flat amount.
  flats         bigint[],
  amounts       bigint[] not null,
  -- Null where nothing is withheld.
  withhelds     bigint[],
  primary key (lockid, masteragentid, origin, part)
);
-- Lines and amounts hardly become smaller by compression, which takes longer than to write them.
alter table locked_share
  alter column lines set storage external,
  alter column amounts set storage external;
create trigger locked_share_final before update or delete or truncate on locked_share
  for each statement execute function snapshot_is_final();

create or replace view locked_pay as
  select p.lockid, p.masteragentid, u.fromagentid, u.line, u.percent, u.flat, u.amount, u.withheld
  from locked_pay_part p
    cross join lateral unnest(p.lines, p.fromagentids, p.percents, p.flats, p.amounts, p.withhelds)
      as u (line, fromagentid, percent, flat, amount, withheld)
  union all
  select s.lockid, s.masteragentid, s.fromagentid, u.line, s.percent, coalesce(u.flat, 0) * 0.01,
    u.amount * 0.01, coalesce(u.withheld, 0) * 0.01
  from locked_share s
    cross join lateral unnest(s.lines, s.flats, s.amounts, s.withhelds) as u (line, flat, amount, withheld);

alter table month_lock alter column formula set default 4;
