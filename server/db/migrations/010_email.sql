-- One row for each code that was sent to validate an address (email 5); only the newest of a user is valid.
-- The hash is an HMAC of user, address and code with the installation's secret. Rows stay for a day, because
-- the limits count them.
create table email_code (
  id        bigint generated always as identity primary key,
  userid    integer not null references portal_user on delete cascade,
  email     text not null,
  code_hash bytea not null,
  attempts  integer not null default 0,
  sent_at   timestamptz not null default now()
);
create index email_code_user on email_code (userid, id desc);
