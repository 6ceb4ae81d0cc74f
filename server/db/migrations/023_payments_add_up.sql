-- A payment is what its allocations add up to, looked at when the transaction ends (payouts 13).
create function payment_adds_up() returns trigger language plpgsql as $$
begin
  if new.amount is distinct from
    (select sum(amount) from payout_allocation where paymentid = new.id) then
    raise exception 'payment % does not add up to its allocations', new.id;
  end if;
  return null;
end $$;
create constraint trigger payment_adds_up after insert on payout_payment
  deferrable initially deferred for each row execute function payment_adds_up();
