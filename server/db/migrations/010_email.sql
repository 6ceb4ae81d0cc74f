-- One row for each code that was sent to validate an address; the newest of a user is the one that counts. The hash is
-- keyed with the installation's secret over user, address and code. Rows stay for a day: they are the limits' memory.
create table email_code (
  id        bigint generated always as identity primary key,
  userid    integer not null references portal_user on delete cascade,
  email     text not null,
  code_hash bytea not null,
  attempts  integer not null default 0,
  sent_at   timestamptz not null default now()
);
create index email_code_user on email_code (userid, id desc);
