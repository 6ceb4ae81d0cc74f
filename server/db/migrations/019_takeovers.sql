-- The merchants that a month's adjustments name and no file of it does, as a lock found them (months 5).
create table locked_adjusted_merchant (
  lockid        integer not null references month_lock,
  xmid          text not null,
  dba           text not null,
  masteragentid integer not null,
  accountstatus integer not null,
  date_closed   bigint,
  primary key (lockid, xmid)
);
create trigger locked_adjusted_merchant_final before update or delete or truncate on locked_adjusted_merchant
  for each statement execute function snapshot_is_final();

-- What differs from the copies of a reopened lock and counts in the next version nevertheless (months 14). The
-- newest row of a key counts; with `isback` the copy counts again.
create table month_takeover (
  id       integer generated always as identity primary key,
  lockid   integer not null references month_lock,
  kind     text not null,
  key      text not null,
  entity   text not null,
  recordid text not null,
  -- The columns that replace those of the copy.
  value    jsonb not null,
  isback   boolean not null,
  what     text not null,
  was      text not null,
  now      text not null,
  username text not null,
  address  text not null,
  at       timestamptz not null default now()
);
create index month_takeover_lock on month_takeover (lockid, key, id);
create function takeovers_only_grow() returns trigger language plpgsql as $$
begin
  raise exception 'what was taken over cannot be changed or deleted';
end $$;
create trigger month_takeover_grows before update or delete or truncate on month_takeover
  for each statement execute function takeovers_only_grow();
