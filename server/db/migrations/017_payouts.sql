-- What a lock copies of the records that a payment depends on (months 5). Locks made before have rows in none
-- of these tables.
alter table month_lock add column formula integer not null default 1;
alter table month_lock alter column formula set default 2;
alter table locked_merchant add column date_closed bigint;

create table locked_agent (
  lockid            integer not null references month_lock,
  masteragentid     integer not null,
  displayid         text not null,
  name              text not null,
  parentid          integer,
  payeeid           integer,
  isofficeaccount   boolean not null,
  payoninactive     boolean not null,
  percent           numeric(16, 4) not null,
  flat              numeric(14, 2) not null,
  eqpercent         numeric(16, 4) not null,
  eqflat            numeric(14, 2) not null,
  routingnumber     text not null,
  -- Encrypted as in master_agent.
  bankaccountnumber bytea,
  ischecking        boolean not null,
  isbusiness        boolean not null,
  primary key (lockid, masteragentid)
);
create table locked_terminal (
  lockid        integer not null references month_lock,
  id            integer not null,
  model         text not null,
  serialnumber  text not null,
  masteragentid integer not null,
  cost          numeric(14, 2) not null,
  soldfor       numeric(14, 2) not null,
  primary key (lockid, id)
);
create table locked_subscription (
  lockid        integer not null references month_lock,
  id            integer not null,
  masteragentid integer not null,
  amount        numeric(14, 2) not null,
  notes         text not null,
  primary key (lockid, id)
);
create trigger locked_agent_final before update or delete or truncate on locked_agent
  for each statement execute function snapshot_is_final();
create trigger locked_terminal_final before update or delete or truncate on locked_terminal
  for each statement execute function snapshot_is_final();
create trigger locked_subscription_final before update or delete or truncate on locked_subscription
  for each statement execute function snapshot_is_final();

-- A person's approval of the payout run of a lock (payouts 11). It counts while the run still has this hash.
create table payout_approval (
  id       integer generated always as identity primary key,
  lockid   integer not null references month_lock,
  hash     text not null,
  -- The entries as they were approved, without whole account numbers.
  entries  jsonb not null,
  total    numeric(14, 2) not null,
  username text not null,
  address  text not null,
  at       timestamptz not null default now()
);
create index payout_approval_lock on payout_approval (lockid);

-- One release of the payments of an approved run (payouts 4). `migrated`: paid before the portal kept a
-- ledger; `effective` is null where that day is not known.
create table payout_release (
  id         integer generated always as identity primary key,
  lockid     integer not null references month_lock,
  month      date not null,
  approvalid integer references payout_approval,
  how        text not null check (how in ('file', 'other', 'migrated')),
  effective  date,
  username   text not null,
  address    text not null,
  at         timestamptz not null default now(),
  -- Of a bank file: its name, its letter among the files of its day, and its bytes, encrypted.
  filename   text,
  modifier   text,
  file       bytea,
  sha256     text,
  check (how = 'migrated' or effective is not null and approvalid is not null),
  check ((how = 'file') = (file is not null))
);
create index payout_release_lock on payout_release (lockid);
create index payout_release_at on payout_release (at) where how = 'file';

-- The ledger: one payment to one payee (payouts 13), with the account, name and tax data of that day.
create table payout_payment (
  id                integer generated always as identity primary key,
  releaseid         integer not null references payout_release,
  payeeid           integer not null,
  displayid         text not null,
  name              text not null,
  routingnumber     text not null default '',
  -- Encrypted as in master_agent; null when not known.
  bankaccountnumber bytea,
  ischecking        boolean,
  isbusiness        boolean,
  amount            numeric(14, 2) not null check (amount > 0),
  effective         date,
  -- The 15 digits by which the bank names the entry of a file.
  trace             text unique,
  businessname      text not null default '',
  taxid             bytea,
  taxtypeid         integer,
  unique (releaseid, payeeid)
);
create index payout_payment_payee on payout_payment (payeeid);
create index payout_payment_effective on payout_payment (effective);

-- What of a payment counts for which agent and month; the allocations of a payment add up to it.
create table payout_allocation (
  paymentid     integer not null references payout_payment,
  masteragentid integer not null,
  month         date not null,
  version       integer not null,
  amount        numeric(14, 2) not null check (amount <> 0),
  primary key (paymentid, masteragentid)
);
create index payout_allocation_agent on payout_allocation (masteragentid, month);
create index payout_allocation_month on payout_allocation (month);

-- A payment that came back: all its allocations count no longer.
create table payout_return (
  paymentid integer primary key references payout_payment,
  code      text not null,
  note      text not null default '',
  day       date not null,
  username  text not null,
  address   text not null,
  at        timestamptz not null default now()
);

-- A hold on a payee, in every month until it ends, or on the statement of one agent in one month. That of a
-- returned payment ends, too, when another account of the payee is confirmed.
create table payout_hold (
  id            integer generated always as identity primary key,
  masteragentid integer not null,
  month         date not null,
  isstatement   boolean not null,
  paymentid     integer references payout_payment,
  reason        text not null,
  username      text not null,
  address       text not null,
  at            timestamptz not null default now()
);
create index payout_hold_agent on payout_hold (masteragentid);
create table payout_hold_end (
  holdid   integer primary key references payout_hold,
  reason   text not null,
  username text not null,
  address  text not null,
  at       timestamptz not null default now()
);

create function ledger_only_grows() returns trigger language plpgsql as $$
begin
  raise exception 'rows of the payout ledger cannot be changed or deleted';
end $$;
create trigger payout_approval_grows before update or delete or truncate on payout_approval
  for each statement execute function ledger_only_grows();
create trigger payout_release_grows before update or delete or truncate on payout_release
  for each statement execute function ledger_only_grows();
create trigger payout_payment_grows before update or delete or truncate on payout_payment
  for each statement execute function ledger_only_grows();
create trigger payout_allocation_grows before update or delete or truncate on payout_allocation
  for each statement execute function ledger_only_grows();
create trigger payout_return_grows before update or delete or truncate on payout_return
  for each statement execute function ledger_only_grows();
create trigger payout_hold_grows before update or delete or truncate on payout_hold
  for each statement execute function ledger_only_grows();
create trigger payout_hold_end_grows before update or delete or truncate on payout_hold_end
  for each statement execute function ledger_only_grows();

-- Allocations that were not returned.
create view paid_allocation as
  select a.paymentid, a.masteragentid, a.month, a.version, a.amount
  from payout_allocation a
  where not exists (select from payout_return r where r.paymentid = a.paymentid);
-- What each agent earned by the locks in force; an office account earns nothing that is ever paid.
create view earned_statement as
  select l.month, l.version, l.id as lockid, s.masteragentid,
    s.own + s.override + s.equipment + s.adjustments - s.subscriptions as amount
  from month_lock l join locked_statement s on s.lockid = l.id
  where l.reopened_at is null and not s.isofficeaccount;
-- The holds that did not end.
create view active_hold as
  select h.id, h.masteragentid, h.month, h.isstatement, h.paymentid, h.reason, h.username, h.at
  from payout_hold h
  where not exists (select from payout_hold_end e where e.holdid = h.id)
    and (h.paymentid is null or not exists (select from bank_change b
      where b.masteragentid = h.masteragentid and b.decision = 'confirmed' and b.decided_at > h.at));

-- Payments made before there was a ledger (payouts 16): every month after which another one was locked counts
-- as paid with what was payable; the newest one only if its bank file was taken.
create temporary table migrated on commit drop as
  select l.id as lockid, l.month, l.version, f.username, f.at, f.modifier, f.effective,
    row_number() over (order by l.month) as n
  from month_lock l
    left join lateral (select username, at, modifier,
        at::date + case extract(isodow from at)::int when 5 then 3 when 6 then 2 else 1 end as effective
      from report_export e where e.format = 'nacha' and e.month = l.month and e.lockversion = l.version order by id desc limit 1) f
      on true
  where l.reopened_at is null
    and (f.at is not null
      or l.month < (select max(month) from month_lock where reopened_at is null));
insert into payout_release (lockid, month, how, effective, username, address, at, modifier)
  select lockid, month, 'migrated', effective, coalesce(username, 'portal'), '', coalesce(at, now()), modifier
  from migrated order by n;
insert into payout_payment (releaseid, payeeid, displayid, name, amount, effective)
  select r.id, p.payee, coalesce(s.displayid, a.displayid), coalesce(s.name, a.name), p.amount, r.effective
  from payout_release r
    cross join lateral (select coalesce(payeeid, masteragentid) as payee, sum(payable) as amount
      from locked_statement where lockid = r.lockid and payable > 0 group by 1) p
    left join locked_statement s on s.lockid = r.lockid and s.masteragentid = p.payee
    left join master_agent a on a.id = p.payee
  order by r.id, p.payee;
insert into payout_allocation (paymentid, masteragentid, month, version, amount)
  select p.id, s.masteragentid, r.month, l.version, s.payable
  from payout_payment p join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
    join locked_statement s on s.lockid = r.lockid and coalesce(s.payeeid, s.masteragentid) = p.payeeid
      and s.payable > 0;
-- A bank file of a version that is not in force any more may have been sent as well: what it paid is proposed
-- to be taken back, for a person to decide.
insert into adjustment (masteragentid, month, amount, reason, author, state)
  select s.masteragentid, counting_month(), -s.payable,
    'Paid by the bank file of ' || to_char(l.month, 'FMMonth YYYY') || ', version ' || l.version
      || ', which was opened again', 'portal', 'proposed'
  from month_lock l join locked_statement s on s.lockid = l.id and s.payable > 0
    join master_agent a on a.id = s.masteragentid
  where l.reopened_at is not null and exists (select from report_export e
    where e.format = 'nacha' and e.month = l.month and e.lockversion = l.version);
