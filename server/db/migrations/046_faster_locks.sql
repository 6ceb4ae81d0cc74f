-- The digest of a thousand lines of a lock, for its hash (months 7). As a function, which PostgreSQL calls in
-- several processes at once, told by its cost; a subquery for each thousand is worked out by one process.
create function locked_thousand_digest(lock integer, thousand integer) returns bytea
language sql stable parallel safe cost 1000000 as $$
  select sha256(convert_to(string_agg(row(line, xmid, dba, masteragentid, accountstatus, processor, txncount,
    sales, income, expense, net, house, isknown, date_closed)::text, '' order by line), 'UTF8'))
  from locked_merchant where lockid = lock and line >= thousand * 1000 and line < (thousand + 1) * 1000
$$;

-- Locks are never deleted, and the key is checked for each of up to a million findings.
alter table locked_finding drop constraint locked_finding_lockid_fkey;

-- MIDs hardly become smaller by compression, which takes longer than to write them.
alter table locked_portfolio
  alter column stayed set storage external,
  alter column lost set storage external,
  alter column joined set storage external;
