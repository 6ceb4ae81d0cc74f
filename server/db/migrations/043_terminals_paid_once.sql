-- A terminal that becomes paid counts in the current month, or in the first one that is open. Where it was set
-- to unpaid while a month was open again, the copy of that month still pays it: it counts in that month then,
-- open or locked, because it would be paid twice otherwise.
create or replace function equipment_paid() returns trigger language plpgsql as $$
declare
  paid boolean := new.soldfor > 0 and new.paidsofar >= new.soldfor;
  counted date := new.paidmonth;
  copied date;
  refusal text;
begin
  if paid = (new.paidmonth is not null) then return new; end if;
  loop
    if paid then
      copied := (select max(l.month) from locked_terminal t join month_lock l on l.id = t.lockid
        where t.id = new.id
          and not exists (select from month_lock n where n.month = l.month and n.version > l.version));
      if exists (select from month_lock l where l.reopened_at is null and l.month >= copied) then
        new.paidmonth := copied;
        return new;
      end if;
      counted := coalesce(copied, counting_month());
    elsif exists (select from month_lock l where l.reopened_at is null and l.month >= new.paidmonth) then
      return new;
    end if;
    refusal := hold_month(counted);
    if refusal is not null then
      raise exception using errcode = 'ML409', message = refusal;
    end if;
    -- A lock may have closed the month while it was not held yet.
    exit when not exists (select from month_lock l where l.reopened_at is null and l.month >= counted);
  end loop;
  new.paidmonth := case when paid then counted end;
  return new;
end $$;
