-- The waivers of findings (months 10): each is of one finding with the figures it had, told by their
-- fingerprint.
create table month_waiver (
  id          integer generated always as identity primary key,
  month       date not null check (extract(day from month) = 1),
  kind        text not null,
  key         text not null,
  -- SHA-256 (hex) of what the finding says.
  fingerprint text not null,
  reason      text not null,
  username    text not null,
  address     text not null,
  at          timestamptz not null default now()
);
create index month_waiver_month on month_waiver (month);

create function waivers_only_grow() returns trigger language plpgsql as $$
begin
  raise exception 'waivers of findings cannot be changed or deleted';
end $$;
create trigger month_waiver_grows before update or delete or truncate on month_waiver
  for each statement execute function waivers_only_grow();

-- Findings of locks made before had neither a kind nor a key.
update month_lock l set findings = f.findings
from (
  select m.id, jsonb_agg(e.value || jsonb_build_object('key', k.kind || ':' || e.n, 'kind', k.kind,
      'amount', null, 'link', null, 'waiver', null) order by e.n) as findings
  from month_lock m cross join lateral jsonb_array_elements(m.findings) with ordinality e (value, n)
    cross join lateral (select case e.value ->> 'what'
      when 'The processor has neither a file nor a note that there is none' then 'missing-file'
      when 'The stated total differs from the file' then 'stated-total'
      when 'No total is typed from the processor''s statement' then 'no-stated-total'
      when 'The MID is not in the portfolio' then 'unknown-mid'
      when 'Income belongs to no agent and stays with the house' then 'house-income'
      when 'An active merchant with volume is in no file' then 'volume-without-file'
      when 'The merchant moved by more than 30 % and $100' then 'merchant-moved'
      when 'The agent moved by more than 30 % and $100' then 'agent-moved'
      when 'The merchant cost more than it brought' then 'merchant-loss'
      when 'The percentage is above the parent''s: the parent earns no override' then 'percent-above-parent'
      when 'The shares of a merchant add up to more than 100 %' then 'shares-above-100'
      when 'The month is not over' then 'month-not-over'
      when 'Bank data was changed in the last 30 days: have a second person confirm it' then 'bank-changed'
      else 'hold' end as kind) k
  group by m.id) f
where f.id = l.id;
