-- Files that wait until a person imports them (inbox 1). The copy of a file is named by its hash in the folder inbox of the data
-- folder (inbox 3).
create table inbox_file (
  id          integer generated always as identity primary key,
  filename    text not null,
  sha256      text not null,
  size        bigint not null,
  source      text not null check (source in ('folder', 'upload')),
  -- Whose it is; null and '' for a file of the folder.
  userid      integer references portal_user on delete set null,
  username    text not null,
  received_at timestamptz not null default now(),
  kind        text,
  -- What the file is of, as far as it is known: '2026-10', a name.
  month       text,
  processor   text,
  state       text not null default 'waiting'
    check (state in ('waiting', 'ready', 'asks', 'refused', 'repeated', 'imported', 'dismissed')),
  asks        jsonb,
  answers     jsonb not null default '{}',
  preview     jsonb,
  faults      jsonb,
  message     text,
  repeated    jsonb,
  -- Under whose rights the last check was made; null for those of the house.
  checkedby   integer,
  checked_at  timestamptz,
  batchid     integer references import_batch on delete set null,
  -- Who imported or dismissed it.
  endedby     text,
  ended_at    timestamptz,
  -- While a process checks or imports it; renewed meanwhile, so that the claim of a killed process runs out (inbox 6).
  claim       uuid,
  claimfor    text check (claimfor in ('check', 'import')),
  claimedby   text,
  claimed_at  timestamptz
);
-- The same bytes wait once for the folder, and once for each person (inbox 5).
create unique index inbox_file_waiting on inbox_file (sha256, source, username)
  where state not in ('imported', 'dismissed');
create index inbox_file_sha256 on inbox_file (sha256);
create index inbox_file_batch on inbox_file (batchid);
