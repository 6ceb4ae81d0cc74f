-- What a finding says, as its waiver knows it: the SHA-256 (hex) of the JSON text of the three.
create function finding_fingerprint(what text, place text, amount numeric) returns text
language sql immutable parallel safe as $$
  select encode(sha256(convert_to('[' || to_json(what) || ',' || to_json(place) || ','
    || coalesce(trim_scale(amount)::text, 'null') || ']', 'UTF8')), 'hex')
$$;

-- The findings that a month was locked in spite of (months 10), one row each: as one value of month_lock they
-- had a limit of 256 MB, which a million merchants can exceed, and were read whole to show some of them.
create table locked_finding (
  lockid   integer not null references month_lock,
  -- Their order.
  n        integer not null,
  key      text not null,
  kind     text not null,
  severity text not null check (severity in ('stop', 'warning', 'note')),
  what     text not null,
  "where"  text not null,
  -- Dollars.
  amount   numeric,
  link     text,
  -- {username, at (epoch seconds), reason}
  waiver   jsonb,
  primary key (lockid, n)
);
insert into locked_finding (lockid, n, key, kind, severity, what, "where", amount, link, waiver)
  select l.id, e.n, e.value ->> 'key', e.value ->> 'kind', e.value ->> 'severity', e.value ->> 'what',
    e.value ->> 'where', (e.value ->> 'amount')::numeric, e.value ->> 'link',
    nullif(e.value -> 'waiver', 'null')
  from month_lock l cross join lateral jsonb_array_elements(l.findings) with ordinality e (value, n);
alter table month_lock drop column findings;

-- A lock writes its findings and then, once, the waivers that are given with it.
create function locked_finding_is_final() returns trigger language plpgsql as $$
begin
  if old.waiver is null and (old.lockid, old.n, old.key, old.kind, old.severity, old.what, old."where",
      old.amount, old.link) is not distinct from (new.lockid, new.n, new.key, new.kind, new.severity,
      new.what, new."where", new.amount, new.link) then
    return new;
  end if;
  raise exception 'what a lock froze cannot be changed';
end $$;
create trigger locked_finding_waived before update on locked_finding
  for each row execute function locked_finding_is_final();
create trigger locked_finding_final before delete or truncate on locked_finding
  for each statement execute function snapshot_is_final();

-- The rows of one month: by the two-part keys the planner expects them all over the table, and reads all
-- months.
create index residual_month on residual (month);
