-- A merchant's month in the file of a processor (imports 27). Net is income less expense, to the cent.
create table residual (
  id             bigint generated always as identity primary key,
  month          date not null check (extract(day from month) = 1),
  processor      text not null,
  xmid           text not null,
  dba            text not null default '',
  txncount       integer not null default 0,
  sales          numeric(14, 2) not null default 0,
  income         numeric(14, 2) not null default 0,
  expense        numeric(14, 2) not null default 0,
  net            numeric(14, 2) not null default 0,
  -- The processor's own results: shown for comparison, not used for payments.
  sourcepercent  numeric(9, 4),
  sourceagentnet numeric(14, 2),
  extra          jsonb,
  batchid        integer not null references import_batch,
  check (net between income - expense - 0.01 and income - expense + 0.01)
);
create unique index residual_key on residual (month, processor, xmid);
create index residual_merchant on residual (xmid, month);
create index residual_batch on residual (batchid);

-- One row for each lock of a month. The lock with reopened_at null is in force: the month cannot change.
create table month_lock (
  id          integer generated always as identity primary key,
  month       date not null check (extract(day from month) = 1),
  version     integer not null,
  hash        text not null,
  username    text not null,
  locked_at   timestamptz not null default now(),
  reopened_at timestamptz,
  reopened_by text,
  reason      text,
  unique (month, version),
  check ((reopened_at is null) = (reopened_by is null) and (reopened_at is null) = (reason is null))
);
create unique index month_lock_holds on month_lock (month) where reopened_at is null;
