-- Changes of many records at once, and of each record what undoes it (many 5).
create table many_action (
  id        integer generated always as identity primary key,
  entity    text not null,
  operation      text not null check (operation in ('set', 'delete')),
  -- The fields that were set, with their values as they were sent.
  sent      jsonb not null,
  userid    integer references portal_user on delete set null,
  username  text not null,
  done_at   timestamptz not null default now(),
  changed   integer not null,
  unchanged integer not null,
  refused   integer not null,
  undone_at timestamptz,
  undone_by text,
  constraint many_action_undone check ((undone_at is null) = (undone_by is null))
);
create index many_action_entity on many_action (entity, id);
create index many_action_user on many_action (userid);

-- {"field": [before, after]} of the written fields of a record, or all columns of a deleted one; `version` is
-- that of the record after the change.
create table many_change (
  actionid integer not null references many_action on delete cascade,
  rowid    integer not null,
  name     text not null,
  version  integer not null,
  changed  jsonb,
  removed  jsonb,
  primary key (actionid, rowid),
  check ((changed is null) <> (removed is null))
);
