-- How files with headings of their own are read (mapping 4): one mapping for each kind and heading. What it was before
-- a change is in the audit.
create table import_mapping (
  id          integer generated always as identity primary key,
  kind        text not null,
  -- Of compensation data; '' for the other kinds.
  processor   text not null,
  -- SHA-256 (hex) of the kind and the normalised names of the columns.
  fingerprint text not null,
  mapping     jsonb not null,
  userid      integer references portal_user on delete set null,
  username    text not null,
  saved_at    timestamptz not null default now(),
  unique (kind, fingerprint)
);
