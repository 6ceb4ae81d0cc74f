-- The month from which a changed rate holds unless another is named (agents 5): the oldest open month that
-- holds residuals, else the current one, else the first that is not closed.
create function rate_month() returns date language sql stable as $$
  select coalesce((select min(month) from residual where month > coalesce(
      (select max(month) from month_lock where reopened_at is null), '-infinity')), counting_month())
$$;

-- A rate pays nothing before its oldest month (money 6). The oldest rates of open months begin with the first
-- of them, so that these pay what they paid.
update agent_rate r set from_month = first.month
from (select min(month) as month from month_with_data where month > coalesce(
    (select max(month) from month_lock where reopened_at is null), '-infinity')) first
where r.from_month > first.month and not exists (select from agent_rate o
  where o.masteragentid = r.masteragentid and o.field = r.field and o.from_month < r.from_month);
