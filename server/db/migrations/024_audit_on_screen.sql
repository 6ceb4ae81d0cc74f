-- The audit is read newest first, by each of its filters (permissions 12).
create index audit_at on audit (at desc, id desc);
create index audit_person on audit (lower(username), at desc, id desc);
create index audit_action on audit (action, at desc, id desc);
create index audit_entity on audit (entity, at desc, id desc);
create index audit_search on audit using gin
  ((username || ' ' || entityid || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, ''))
    gin_trgm_ops);

-- What happened once is in the audit; what is repeated within a minute of it is counted here, and written to
-- the audit as one row with the number (permissions 11).
create table audit_repeat (
  username  text not null,
  address   text not null,
  action    text not null,
  entity    text not null,
  entityid  text not null,
  since     timestamptz not null default now(),
  repeats   integer not null default 0,
  after     jsonb not null,
  primary key (username, address, action, entity, entityid)
);
create index audit_repeat_since on audit_repeat (since);

-- The filters of the audit that a person keeps (permissions 13).
create table audit_filter (
  id      integer generated always as identity primary key,
  userid  integer not null references portal_user on delete cascade,
  name    text not null,
  filters jsonb not null,
  unique (userid, name)
);
