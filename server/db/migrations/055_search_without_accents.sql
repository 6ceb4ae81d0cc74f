-- A search finds 'José' by 'jose' (lists 14): both are compared in small letters and without accents, whether
-- these were typed with their letter or after it. Accents are the ranges of schemas/reportOrder.ts. A text with
-- as many bytes as characters has none.
create function search_text(words text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(words) = length(words) then
    return lower(words);
  end if;
  return lower(regexp_replace(normalize(words, NFD),
    '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'));
end $$;

alter table merchant drop column searched;
alter table merchant add column searched text not null generated always as (search_text(
  xmid || ' ' || dba || ' ' || businesstype || ' ' || product || ' ' || status || ' ' || sales_rep || ' '
  || tinstatus || ' ' || notes)) stored;
create index merchant_search on merchant using gin (searched gin_trgm_ops);
alter table master_agent drop column searched;
alter table master_agent add column searched text not null generated always as (search_text(
  'MA' || case when id < 10000 then lpad(id::text, 4, '0') else id::text end || ' ' || name || ' '
  || routingnumber || ' ' || businessname)) stored;
create index master_agent_search on master_agent using gin (searched gin_trgm_ops);
alter table equipment drop column searched;
alter table equipment add column searched text not null generated always as (search_text(
  model || ' ' || serialnumber || ' ' || licensingkey || ' ' || trackingnumber)) stored;
create index equipment_search on equipment using gin (searched gin_trgm_ops);
alter table adjustment drop column searched;
alter table adjustment add column searched text not null generated always as (search_text(
  month_words(month) || ' ' || reason || ' ' || author || ' ' || decidedby || ' ' || decisionreason || ' '
  || coalesce(latexmid || ', ' || lateprocessor || ', ' || month_words(latemonth), ''))) stored;
create index adjustment_search on adjustment using gin (searched gin_trgm_ops);
alter table processor drop column searched;
alter table processor add column searched text not null generated always as (search_text(
  name || ' ' || othernames || ' ' || month_words(since))) stored;
create index processor_search on processor using gin (searched gin_trgm_ops);
alter table processor_statement drop column searched;
alter table processor_statement add column searched text not null generated always as (search_text(
  processor || ' ' || month_words(month) || ' ' || note)) stored;
create index processor_statement_search on processor_statement using gin (searched gin_trgm_ops);
alter table portal_user drop column searched;
alter table portal_user add column searched text not null generated always as (search_text(username)) stored;
create index portal_user_search on portal_user using gin (searched gin_trgm_ops);

drop index merchant_names, master_agent_names;
create index merchant_names on merchant using gin (search_text(xmid || ' ' || dba) gin_trgm_ops);
create index master_agent_names on master_agent using gin (search_text(displayid || ' ' || name) gin_trgm_ops);

drop index ticket_search;
create index ticket_search on ticket using gin
  (search_text(subject || ' ' || agentoffice || ' ' || agentname || ' ' || email
    || ' ' || reporter || ' ' || description) gin_trgm_ops);

-- No row counts as changed by this, so nothing else would learn what is in the new columns.
analyze merchant, master_agent, equipment, adjustment, processor, processor_statement, portal_user,
  ticket;
