-- Income that was missing when a month was locked, or when somebody dismissed it (variance 7, variance 8): a
-- merchant that was in no file of a month, with the figures it had.
create table missing_income (
  id       bigint generated always as identity primary key,
  month    date not null check (extract(day from month) = 1),
  xmid     text not null,
  -- Sales of the daily volume of the month.
  volume   numeric(16, 2) not null,
  -- Null where nothing tells what is missing.
  estimate numeric(16, 2),
  basis    text check (basis in ('history', 'processor', 'house')),
  -- The lock that it was missing at; null for a dismissal.
  lockid   integer references month_lock,
  -- Of a dismissal.
  reason   text,
  username text not null,
  address  text not null,
  at       timestamptz not null default now(),
  check ((estimate is null) = (basis is null)),
  check ((lockid is null) = (reason is not null))
);
create index missing_income_merchant on missing_income (xmid, month, id);
create index missing_income_month on missing_income (month);

create function missing_income_only_grows() returns trigger language plpgsql as $$
begin
  raise exception 'what was missing is kept as it was written down';
end $$;
create trigger missing_income_grows before update or delete or truncate on missing_income
  for each statement execute function missing_income_only_grows();
