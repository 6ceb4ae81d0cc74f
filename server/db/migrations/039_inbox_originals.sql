-- The files of the watched folder that were taken, as they were then, so that one that grows afterwards under
-- its writer is noticed (inbox 11). Several files with the same bytes may belong to one file that waits.
create table inbox_original (
  -- Its name in `.taken` of the watched folder.
  name   text primary key,
  fileid integer not null references inbox_file on delete cascade,
  sha256 text not null,
  size   bigint not null,
  -- Milliseconds, as the disk tells them.
  mtime  double precision not null
);
create index inbox_original_file on inbox_original (fileid);

-- `outgrown`: the copy holds less, or other, than the original does, so nobody may import it. `note` says what
-- became of the original, beside what a check says of the content.
alter table inbox_file
  add column outgrown boolean not null default false,
  add column note text;
