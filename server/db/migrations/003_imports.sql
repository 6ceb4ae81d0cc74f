create table import_batch (
  id          integer generated always as identity primary key,
  kind        text not null,
  filename    text not null,
  sha256      text not null,
  size        bigint not null,
  userid      integer references portal_user on delete set null,
  username    text not null,
  imported_at timestamptz not null default now(),
  fordate     date,
  rows        integer not null,
  inserted    integer not null,
  updated     integer not null,
  unchanged   integer not null,
  totals      jsonb not null default '{}'
);
create index import_batch_kind on import_batch (kind, imported_at desc);

create table daily_volume (
  id             bigint generated always as identity primary key,
  volumedate     date not null,
  xmid           text not null,
  batchnumber    text,
  dba            text not null default '',
  batchdate      bigint,
  salescount     integer not null default 0,
  salesamount    numeric(14, 2) not null default 0,
  refundcount    integer not null default 0,
  refundamount   numeric(14, 2) not null default 0,
  netamount      numeric(14, 2) not null default 0,
  currency       text not null default 'USD',
  terminalnumber text not null default '',
  status         text not null default '',
  extra          jsonb,
  batchid        integer not null references import_batch
);
create unique index daily_volume_key on daily_volume (volumedate, xmid, batchnumber) nulls not distinct;
create index daily_volume_merchant on daily_volume (xmid, volumedate);
