-- The named views of lists (views 1). The saved filters of the audit become views of its list; each of their
-- values is written as the percent-encoded bytes of an address.
create table saved_view (
  id      integer generated always as identity primary key,
  userid  integer not null references portal_user on delete cascade,
  list    text not null,
  name    text not null,
  shared  boolean not null default false,
  search  text not null,
  unique (userid, list, name)
);
create index saved_view_shared on saved_view (list) where shared;

insert into saved_view (userid, list, name, search)
  select f.userid, 'audit', f.name, coalesce(string_agg(
      entry.key || '=' || regexp_replace(encode(convert_to(entry.value, 'UTF8'), 'hex'), '(..)', '%\1', 'g'),
      '&' order by entry.key), '')
    from audit_filter f left join lateral jsonb_each_text(f.filters) entry on true
   group by f.id, f.userid, f.name;
drop table audit_filter;
