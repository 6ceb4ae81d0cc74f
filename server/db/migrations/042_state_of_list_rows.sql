-- What a list shows of a merchant or an agent besides its own row: late months, an account that waits to be
-- confirmed, and subscriptions. Writes of these are numbered too (bucket -9 of agent 0, migration 037), so an
-- equal number means that all rows of these lists are as they were.
create trigger searched_state_changed after insert or update or delete on adjustment
  for each statement execute function searched_state_changed();
create trigger searched_state_changed after insert or update or delete on bank_change
  for each statement execute function searched_state_changed();
create trigger searched_state_changed after insert or update or delete on collection_subscription
  for each statement execute function searched_state_changed();
