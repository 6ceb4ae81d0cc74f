-- Who has the name of a deleted user is another person (payouts 12), so who may confirm an account depends on
-- when a name was free: found by an index, since the audit is large, and numbered for the kept pages of agents,
-- which say it.
create index audit_deleted_user on audit ((before ->> 'username'), at)
  where entity = 'user' and action = 'delete';
create trigger searched_state_changed after insert on audit
  for each row when (new.entity = 'user' and new.action = 'delete')
  execute function searched_state_changed();
