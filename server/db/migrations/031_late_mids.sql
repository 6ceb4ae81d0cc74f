-- What a MID that became known after its month was locked would have brought an agent of its chain: an
-- adjustment that the portal proposes (money 21). The three columns name the row of the locked month.
alter table adjustment
  add column latexmid text,
  add column lateprocessor text,
  add column latemonth date check (extract(day from latemonth) = 1),
  -- It holds the flat amount of its agent.
  add column lateflat boolean not null default false,
  add check (num_nonnulls(latexmid, lateprocessor, latemonth) in (0, 3)),
  add check (latexmid is null or masteragentid is not null);
create unique index adjustment_late on adjustment (latexmid, latemonth, lateprocessor, masteragentid)
  where latexmid is not null;

-- The rows of locks whose MID was in no portfolio.
create index locked_merchant_unknown on locked_merchant (xmid, lockid) where not isknown;
