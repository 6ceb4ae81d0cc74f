-- Account numbers of payees to which nothing can be paid, with the reason (payouts 2): the key that opens them
-- is lost, or they are no account numbers. Each is named by the SHA-256 of its sealed bytes. The database cannot
-- open them, and says in sums what is paid; the portal writes them down at each start.
create table unpayable_account (
  sha256 text primary key,
  reason text not null
);
