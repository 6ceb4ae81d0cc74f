-- The form in which names are compared. JavaScript folds: the server fills the column at its start, and where it
-- writes a name (users 8). Null for an older name that folds like another one.
alter table portal_user add column foldedname text;
create unique index portal_user_foldedname on portal_user (foldedname);
drop index portal_user_name;

-- Attempts count by account and household together (session 2), for a day.
drop index login_attempt_account;
create index login_attempt_account on login_attempt (account, address, at);
create index login_attempt_at on login_attempt (at);

-- From where a user signed in, for 30 days: while many guess, these may go on trying (session 2).
create table known_address (
  userid  integer not null references portal_user on delete cascade,
  address text not null,
  at      timestamptz not null default now(),
  primary key (userid, address)
);

-- What people know a session by (session 13); confirmed_at is when its user last gave the password (session 11).
alter table session
  add column id integer generated always as identity,
  add column address text not null default '',
  add column useragent text not null default '',
  add column confirmed_at timestamptz;
update session set confirmed_at = created_at;
alter table session
  alter column confirmed_at set not null,
  alter column confirmed_at set default now();
create unique index session_id on session (id);
