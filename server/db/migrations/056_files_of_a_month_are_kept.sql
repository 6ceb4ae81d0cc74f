-- The rows and the net of each file of a month, written down with the bits of its merchants and as long true
-- (variance 10): the screen Month shows them without reading all rows of the month.
create table month_file (
  month     date not null,
  processor text not null,
  batchid   integer not null,
  rows      integer not null,
  net       numeric not null,
  primary key (month, processor, batchid)
);
insert into month_file (month, processor, batchid, rows, net)
  select r.month, r.processor, r.batchid, count(*), sum(r.net)
  from residual r join month_presence_state s on s.month = r.month
  where s.iskept group by r.month, r.processor, r.batchid;
