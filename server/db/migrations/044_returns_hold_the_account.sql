-- The holds that did not end. That of a returned payment ends when money goes to another account: a confirmed
-- payee of the agent, or that it is a business, leaves the account to which the bank could not pay.
create or replace view active_hold as
  select h.id, h.masteragentid, h.month, h.isstatement, h.paymentid, h.reason, h.username, h.at
  from payout_hold h
  where not exists (select from payout_hold_end e where e.holdid = h.id)
    and (h.paymentid is null or not exists (select from bank_change b
      where b.masteragentid = h.masteragentid and b.decision = 'confirmed' and b.decided_at > h.at
        and b.fields && array['routingnumber', 'bankaccountnumber', 'isbankaccounttypechecking']));
