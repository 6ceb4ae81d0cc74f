-- Which merchants are in the files of a month, 512 of them in a row by their ids, so that missing income need not
-- read every row of twelve months (variance 10). A bit that is set says that there is a row; one that is not says
-- nothing, and the rows are asked.
create table month_presence (
  month date not null,
  slice integer not null,
  bits  bit(512) not null,
  primary key (month, slice)
);
-- The months with files. `iskept` is false from a change of the files on until their bits are written anew;
-- `newest` is the newest merchant at that time.
create table month_presence_state (
  month  date primary key,
  iskept boolean not null default false,
  newest integer not null default 0
);
-- Merchants that were removed or got another MID: what is said of their ids does not count.
create table month_presence_doubt (merchantid integer not null);

-- Who changes the files of a month holds its row until the end of the transaction, so that nobody writes its bits
-- meanwhile from what was there before.
create function month_presence_ends() returns trigger language plpgsql as $$
begin
  insert into month_presence_state as s (month) select distinct month from changed order by month
    on conflict (month) do update set iskept = false where s.iskept;
  return null;
end $$;
create trigger residual_presence_insert after insert on residual referencing new table as changed
  for each statement execute function month_presence_ends();
create trigger residual_presence_delete after delete on residual referencing old table as changed
  for each statement execute function month_presence_ends();
create trigger residual_presence_leave after update on residual referencing old table as changed
  for each statement execute function month_presence_ends();
create trigger residual_presence_enter after update on residual referencing new table as changed
  for each statement execute function month_presence_ends();
create function month_presence_end_all() returns trigger language plpgsql as $$
begin
  update month_presence_state set iskept = false;
  return null;
end $$;
create trigger residual_presence_truncate after truncate on residual
  for each statement execute function month_presence_end_all();

create function month_presence_doubted() returns trigger language plpgsql as $$
begin
  insert into month_presence_doubt (merchantid) select id from removed;
  return null;
end $$;
create trigger merchant_presence_delete after delete on merchant referencing old table as removed
  for each statement execute function month_presence_doubted();
create function month_presence_renamed() returns trigger language plpgsql as $$
begin
  insert into month_presence_doubt (merchantid) values (old.id);
  return null;
end $$;
create trigger merchant_presence_rename after update of xmid, id on merchant
  for each row when (old.xmid <> new.xmid or old.id <> new.id) execute function month_presence_renamed();

insert into month_presence_state (month) select distinct month from residual;

-- What a merchant brought in the months before, read without its rows, which lie a month apart (variance 6).
create index residual_history on residual (xmid, month) include (income, net);
drop index residual_merchant;
alter index residual_history rename to residual_merchant;

-- An import that is under way, as others see it (imports 41): its file and who imports it. Null for dry runs and reports.
alter table job_progress
  add column filename   text,
  add column username   text,
  add column started_at timestamptz not null default now();
