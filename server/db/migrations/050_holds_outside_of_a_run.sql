-- The hold of a payee need not begin in the run of a month; that of a statement names its month.
alter table payout_hold alter column month drop not null,
  add check (month is not null or not isstatement and paymentid is null);
