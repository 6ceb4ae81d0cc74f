-- An adjustment of a person who sees a branch alone is proposed until somebody who sees all accepts or refuses
-- it; only accepted ones are part of a statement (money 14).
alter table adjustment
  add column state text not null default 'accepted' check (state in ('accepted', 'proposed', 'refused')),
  add column decidedby text not null default '',
  -- Why it was refused.
  add column decisionreason text not null default '';
