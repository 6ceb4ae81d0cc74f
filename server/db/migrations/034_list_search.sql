-- What the search of a list looks into (lists 14): the texts that the list shows of a row, in small letters.
-- The index finds it by pieces of three characters. Names of references are found in their own tables.
create function month_words(month date) returns text language sql immutable parallel safe as $$
  select coalesce((array['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august',
    'september', 'october', 'november', 'december'])[extract(month from month)::int]
    || ' ' || extract(year from month), '')
$$;

drop index merchant_search;
alter table merchant add column searched text not null generated always as (lower(
  xmid || ' ' || dba || ' ' || businesstype || ' ' || product || ' ' || status || ' ' || sales_rep || ' '
  || tinstatus || ' ' || notes)) stored;
create index merchant_search on merchant using gin (searched gin_trgm_ops);

drop index master_agent_search;
alter table master_agent add column searched text not null generated always as (lower(
  'MA' || case when id < 10000 then lpad(id::text, 4, '0') else id::text end || ' ' || name || ' '
  || routingnumber || ' ' || businessname)) stored;
create index master_agent_search on master_agent using gin (searched gin_trgm_ops);

drop index equipment_search;
alter table equipment add column searched text not null generated always as (lower(
  model || ' ' || serialnumber || ' ' || licensingkey || ' ' || trackingnumber)) stored;
create index equipment_search on equipment using gin (searched gin_trgm_ops);

drop index adjustment_search;
alter table adjustment add column searched text not null generated always as (lower(
  month_words(month) || ' ' || reason || ' ' || author || ' ' || decidedby || ' ' || decisionreason || ' '
  || coalesce(latexmid || ', ' || lateprocessor || ', ' || month_words(latemonth), ''))) stored;
create index adjustment_search on adjustment using gin (searched gin_trgm_ops);

drop index processor_search;
alter table processor add column searched text not null generated always as (lower(
  name || ' ' || othernames || ' ' || month_words(since))) stored;
create index processor_search on processor using gin (searched gin_trgm_ops);

drop index processor_statement_search;
alter table processor_statement add column searched text not null generated always as (lower(
  processor || ' ' || month_words(month) || ' ' || note)) stored;
create index processor_statement_search on processor_statement using gin (searched gin_trgm_ops);

alter table portal_user add column searched text not null generated always as (lower(username)) stored;
create index portal_user_search on portal_user using gin (searched gin_trgm_ops);
