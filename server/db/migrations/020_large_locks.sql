-- The lines of pay of a lock (months 5), up to 100,000 lines of an agent in one row of arrays: a month has
-- several lines for each merchant, and a row of its own for each took most of the time of a lock. The arrays of
-- a row are as long as each other and in the order of `lines`.
create table locked_pay_part (
  lockid        integer not null,
  masteragentid integer not null,
  part          integer not null,
  lines         integer[] not null,
  fromagentids  integer[] not null,
  percents      numeric(7, 4)[] not null,
  flats         numeric(14, 2)[] not null,
  amounts       numeric(14, 2)[] not null,
  withhelds     numeric(14, 2)[] not null,
  primary key (lockid, masteragentid, part)
);
-- Lines and amounts hardly become smaller by compression, which takes longer than to write them.
alter table locked_pay_part
  alter column lines set storage external,
  alter column amounts set storage external;

insert into locked_pay_part (lockid, masteragentid, part, lines, fromagentids, percents, flats, amounts,
    withhelds)
  select lockid, masteragentid, line / 100000, array_agg(line order by line),
    array_agg(fromagentid order by line), array_agg(percent order by line), array_agg(flat order by line),
    array_agg(amount order by line), array_agg(withheld order by line)
  from locked_pay group by lockid, masteragentid, line / 100000;
drop table locked_pay;
create view locked_pay as
  select p.lockid, p.masteragentid, u.fromagentid, u.line, u.percent, u.flat, u.amount, u.withheld
  from locked_pay_part p
    cross join lateral unnest(p.lines, p.fromagentids, p.percents, p.flats, p.amounts, p.withhelds)
      as u (line, fromagentid, percent, flat, amount, withheld);
create trigger locked_pay_part_final before update or delete or truncate on locked_pay_part
  for each statement execute function snapshot_is_final();

alter table month_lock alter column formula set default 3;

-- A large month has many thousand findings: compressing them takes longer than writing them.
alter table month_lock alter column findings set storage external;

-- A text as part of an address: encodeURIComponent of JavaScript.
create function uri_component(part text) returns text language sql immutable strict as $$
  select case when part ~ '^[A-Za-z0-9_.!~*''()-]*$' then part else (
    select string_agg(case when c ~ '[A-Za-z0-9_.!~*''()-]' then c
      else regexp_replace(upper(encode(convert_to(c, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by n)
    from regexp_split_to_table(part, '') with ordinality t (c, n)) end
$$;

-- Nobody waits for the lock of a month (months 13). Who changes what a month is worked out from holds the month,
-- shared, until the end of the transaction; the ledger is held as month 0. Who locks a month first announces
-- it, and then waits for those who hold it or a month before. Later ones find the announcement and are refused.
-- All are advisory locks, which end with the transaction, however it ends.
create function month_number(month date) returns integer language sql immutable as $$
  select (extract(year from month) * 12 + extract(month from month))::integer
$$;

-- The month that another transaction is locking, and a sentence that says so; nulls when there is none.
create function month_being_locked(out month date, out sentence text) language sql as $$
  with held as (
    select pid, classid, objid::bigint::integer as key from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database()))
  select n.month, to_char(n.month, 'FMMonth YYYY') || ' is being locked' || coalesce(' by ' || u.username, '')
    || '. Please try again when that is done'
  from held m cross join lateral (select make_date((m.key - 1) / 12, (m.key - 1) % 12 + 1, 1) as month) n
    left join held p on p.pid = m.pid and p.classid = hashtext('locker of a month')::oid
    left join portal_user u on u.id = p.key
  where m.classid = hashtext('month being locked')::oid
  order by m.key desc limit 1
$$;

-- Holds a month, or the ledger for null. Answers null, or the sentence why it cannot be held: it, or a later
-- month, is being locked. A month that a lock has closed already is left to the caller, who must look for that
-- lock afterwards.
create function hold_month(held_month date) returns text language plpgsql as $$
declare
  key integer := coalesce(month_number(held_month), 0);
  held text := coalesce(current_setting('portal.held_months', true), '');
  isheld boolean;
  locking record;
begin
  if key::text = any (string_to_array(held, ' ')) then return null; end if;
  -- The try fails while somebody locks the month, and for a moment after nobody does any more.
  loop
    isheld := pg_try_advisory_xact_lock_shared(hashtext('month'), key);
    select * into locking from month_being_locked();
    if isheld and (locking.month is null or locking.month < held_month) then
      perform set_config('portal.held_months', concat_ws(' ', nullif(held, ''), key), true);
      return null;
    end if;
    if locking.month is not null then
      return case when not exists (select from month_lock l
        where l.month >= held_month and l.reopened_at is null) then locking.sentence end;
    end if;
  end loop;
end $$;

-- Announces that a user locks a month, and waits for the transactions that hold it, a month before it, or the
-- ledger.
create function hold_month_for_lock(locked_month date, locker text) returns void language plpgsql as $$
declare
  number integer := month_number(locked_month);
  earlier integer;
begin
  perform pg_advisory_xact_lock(hashtext('month being locked'), number);
  perform pg_advisory_xact_lock(hashtext('locker of a month'), id) from portal_user
    where lower(username) = lower(locker);
  perform pg_advisory_xact_lock(hashtext('month'), 0);
  perform pg_advisory_xact_lock(hashtext('month'), number);
  for earlier in
    select distinct objid::bigint from pg_locks
    where locktype = 'advisory' and objsubid = 2 and pid <> pg_backend_pid()
      and classid = hashtext('month')::oid and objid::bigint between 1 and number - 1
      and database = (select oid from pg_database where datname = current_database())
    order by 1
  loop
    perform pg_advisory_xact_lock(hashtext('month'), earlier);
  end loop;
end $$;

-- A paid terminal counts in a month that is not being locked, and the month of a locked one stays.
create or replace function equipment_paid() returns trigger language plpgsql as $$
declare
  paid boolean := new.soldfor > 0 and new.paidsofar >= new.soldfor;
  counted date := new.paidmonth;
  refusal text;
begin
  if paid = (new.paidmonth is not null) then return new; end if;
  loop
    if paid then
      counted := counting_month();
    elsif exists (select from month_lock l where l.reopened_at is null and l.month >= new.paidmonth) then
      return new;
    end if;
    refusal := hold_month(counted);
    if refusal is not null then
      raise exception using errcode = 'ML409', message = refusal;
    end if;
    -- A lock may have closed the month while it was not held yet.
    exit when not exists (select from month_lock l where l.reopened_at is null and l.month >= counted);
  end loop;
  new.paidmonth := case when paid then counted end;
  return new;
end $$;
drop function hold_months();
