-- Every file that left the portal: who took which report, with what inputs, and what came of it. A file that was not
-- sent to its end has no finished_at.
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
  -- Of a file for the bank: its letter among those of its day, and which copy for its month it is.
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
