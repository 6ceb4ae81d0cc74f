-- What was changed by a transaction that began before this time is in the copies of the lock. One that was in
-- progress when they were made may have begun before `locked_at`, and is not in them.
alter table month_lock add column changes_since timestamptz not null default now();
update month_lock set changes_since = locked_at;
