-- Moves the entries of search indexes that were written since the last time to where they belong, and answers
-- how many pages they took. PostgreSQL collects them apart, and else moves 4 MB of them within the write that
-- finds the collection full: at a million merchants one save of some two thousand took a second. As the owner of
-- the indexes, which the role of the portal is not.
create function search_entries_merge() returns bigint language sql security definer
set search_path = pg_catalog, pg_temp as $$
  select coalesce(sum(gin_clean_pending_list(c.oid)), 0)::bigint
  from pg_class c join pg_am a on a.oid = c.relam
  where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace
    and pg_has_role(c.relowner, 'usage')
$$;
