-- The hold of a payee need not begin in the run of a month; that of a statement names its month.
alter table payout_hold alter column month drop not null,
  add check (month is not null or not isstatement and paymentid is null);

-- The list of agents holds who is held: writes of holds are numbered, as those of what else it shows (migration 042).
create trigger searched_state_changed after insert or update or delete on payout_hold
  for each statement execute function searched_state_changed();
create trigger searched_state_changed after insert or update or delete on payout_hold_end
  for each statement execute function searched_state_changed();
