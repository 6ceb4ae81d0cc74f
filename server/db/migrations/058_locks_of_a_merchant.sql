-- The lines of one merchant in all locks (reports 45). The rows of a lock are stored in the order of their
-- Merchant IDs, so an index of the ranges of blocks finds them, and costs a lock next to nothing.
create index locked_merchant_ranges on locked_merchant using brin (xmid)
  with (pages_per_range = 16, autosummarize = on);
