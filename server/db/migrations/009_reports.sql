-- Every download of a report (reports 13): by whom, with which inputs and with which result. `finished_at` is
-- null for a file that was not sent completely.
create table report_export (
  id          bigint generated always as identity primary key,
  at          timestamptz not null default now(),
  username    text not null,
  address     text not null,
  report      text not null,
  inputs      jsonb not null,
  format      text not null check (format in ('xlsx', 'csv', 'nacha')),
  month       date,
  lockversion integer,
  -- Of a bank file: its letter among the files of its day, and its number among the copies for its month
  -- (payouts 7).
  modifier    text,
  copy        integer,
  rows        integer,
  bytes       bigint,
  sha256      text,
  finished_at timestamptz,
  check ((finished_at is null) = (sha256 is null))
);
create index report_export_at on report_export (at);
create index report_export_bank on report_export (month) where format = 'nacha';
