-- How much a lock copies (months 5). 1: no closing dates; 2: neither portfolio counts nor the months of what
-- is carried; 3: all.
alter table month_lock add column copies integer not null default 3;
update month_lock set copies = case formula when 1 then 1 else 2 end;

-- The portfolio of each agent as it was at a lock (reports 21, reports 23). The row without an agent holds the
-- sums of the MIDs that were in no portfolio.
create table locked_portfolio (
  lockid        integer not null references month_lock,
  masteragentid integer,
  merchants     integer not null,
  -- Account status 2.
  active        integer not null,
  -- Date Added and Date Closed in the month.
  fresh         integer not null,
  closed        integer not null,
  -- Daily volume of the month's days.
  volume        numeric(16, 2) not null,
  txncount      bigint not null,
  -- Of the processors' files of the month.
  income        numeric(16, 2) not null,
  net           numeric(16, 2) not null,
  sales         numeric(16, 2) not null,
  -- XMIDs: there at the start and at the end of the month, at the start alone, at the end alone.
  stayed        text[] not null,
  lost          text[] not null,
  joined        text[] not null,
  unique nulls not distinct (lockid, masteragentid)
);

-- What the rows of a lock must add up to; the sums of its files stand in month_lock.inputs.
create table locked_portfolio_total (
  lockid    integer primary key references month_lock,
  -- By the maintained count of merchants.
  merchants integer not null,
  -- How many XMIDs are kept.
  accounts  integer not null,
  volume    numeric(16, 2) not null,
  txncount  bigint not null
);

-- What is carried into a locked month, by the months it comes from (money 16): what each agent earned of a
-- month, and what it was paid for it and did not come back.
create table locked_carry (
  lockid        integer not null references month_lock,
  masteragentid integer not null,
  month         date not null,
  earned        numeric(14, 2) not null,
  paid          numeric(14, 2) not null,
  primary key (lockid, masteragentid, month)
);

create trigger locked_portfolio_final before update or delete or truncate on locked_portfolio
  for each statement execute function snapshot_is_final();
create trigger locked_portfolio_total_final before update or delete or truncate on locked_portfolio_total
  for each statement execute function snapshot_is_final();
create trigger locked_carry_final before update or delete or truncate on locked_carry
  for each statement execute function snapshot_is_final();
