-- The sums of the files of a month, written down with the bits of its merchants and as long true (variance 10): the
-- months before a month are shown without reading the rows of all of them (cockpit 7).
alter table month_presence_state add column net numeric, add column sales numeric;
update month_presence_state s set net = r.net, sales = r.sales
  from (
    select k.month, coalesce(sum(r.net), 0) as net, coalesce(sum(r.sales), 0) as sales
    from month_presence_state k left join residual r on r.month = k.month
    where k.iskept group by k.month) r
  where r.month = s.month;
