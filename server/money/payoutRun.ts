import { agentInScope } from '../db/scope.ts'

/**
 * The names that the relations of a run begin with, and its placeholders. `stated` is the relation of the
 * month's statements (masteragentid, displayid, payeeid, isofficeaccount, due, hold, …); `lock` the id of
 * their lock, null while the month is open; `isClosed` whether another month was locked after this one.
 */
type RunOptions = {
  prefix: string
  stated: string
  month: string
  lock: string
  minimum: string
  isClosed: string
}

/** Whether a lock of a later month was ever made, which closes the run of this one for good (payouts 1). */
export const isClosedSql = (month: string) => `exists (select from month_lock n where n.month > ${month})`

/**
 * The account that money goes to (payouts 5). Where one was ever entered it is that of the record, which is
 * the confirmed one whenever nothing waits: the copy of the lock may hold one that waited then and was
 * rejected since. `payeeid` is the confirmed one also while another waits; `changed` is whether another
 * account was confirmed since the first lock of the month, whose payees a reopened month keeps.
 */
const accountCte = ({ prefix, lock }: RunOptions) => `
  ${prefix}run_account as materialized (
    select a.id as masteragentid, a.displayid, a.name, n.isentered, n.changed,
      case when w.masteragentid is not null then w.formerpayeeid
        when n.isentered or l.lockid is null then a.payeeid else l.payeeid end as payeeid,
      case when n.isentered or l.lockid is null then a.routingnumber else l.routingnumber end
        as routingnumber,
      case when n.isentered or l.lockid is null then a.bankaccountnumber else l.bankaccountnumber end
        as bankaccountnumber,
      case when n.isentered or l.lockid is null then a.isbankaccounttypechecking else l.ischecking end
        as ischecking,
      case when n.isentered or l.lockid is null then a.isbankaccounttypebusiness else l.isbusiness end
        as isbusiness,
      a.isofficeaccount or coalesce(l.isofficeaccount, false) as isofficeaccount,
      w.entered_by as pending_by
    from master_agent a left join locked_agent l on l.lockid = ${lock}::int and l.masteragentid = a.id
      left join bank_change w on w.masteragentid = a.id and w.decision is null
      cross join lateral (
        select count(*) > 0 as isentered, coalesce(bool_or(b.decision = 'confirmed'
          and b.decided_at > (select min(v.locked_at) from month_lock l join month_lock v using (month)
            where l.id = ${lock}::int)), false) as changed
        from bank_change b where b.masteragentid = a.id) n)`

/** Why nothing is paid to an office account, nor for it to another payee, before every other reason. */
export const officeHold = 'Office account'

/** Why nothing is paid to a payee, null when it can be (payouts 2). */
const payeeCte = ({ prefix }: RunOptions) => `
  ${prefix}run_hold as materialized (
    select k.masteragentid as payee, k.displayid,
      case when k.isofficeaccount then '${officeHold}'
        when k.pending_by is not null then 'Bank account changed by ' || k.pending_by || ' and not confirmed'
        when k.routingnumber = '' or k.bankaccountnumber is null then 'No bank data'
        when not passes_aba(k.routingnumber) then 'Routing number fails its check'
        else coalesce(
          (select 'Held by ' || h.username || ': ' || h.reason from active_hold h
            where h.masteragentid = k.masteragentid and not h.isstatement order by h.id desc limit 1),
          (select u.reason from unpayable_account u
            where u.sha256 = encode(sha256(k.bankaccountnumber), 'hex'))) end as hold
    from ${prefix}run_account k)`

/** By whom and why the statement `s` of a month is held; it begins and ends while the run is open alone. */
export const statementHold = (month: string) => `(
  select 'Held by ' || h.username || ': ' || h.reason from active_hold h
  where h.masteragentid = s.masteragentid and h.isstatement and h.month = ${month}
  order by h.id desc limit 1)`

/** The sum of the statements `o` of a payee: a held one is left out if it is positive (payouts 1). */
const countedSum = (amount: string) =>
  `coalesce(sum(${amount}) filter (where o.ownhold is null or ${amount} < 0), 0)`

/**
 * The payout run of a month as relations (payouts 1):
 *
 * - run_account: one row for each agent, with the account in force.
 * - run_statement (masteragentid, payee, isoffice, due, paid, offer, ownhold, hold, topay): what was paid
 *   already of each statement, what the run offers for it, and what it pays. An agent that became an office
 *   account after the lock is held; isoffice is as the lock has it.
 * - run_payee (payee, net, hold, topay, unpaid): one row for each payee; unpaid is why what is left is not
 *   paid when nothing is held.
 */
export const runCtes = (options: RunOptions) => {
  const { prefix, stated, month, minimum, isClosed, lock } = options
  return `${accountCte(options)},${payeeCte(options)},
  ${prefix}run_paid as (
    select masteragentid, sum(amount) filter (where month = ${month}) as here, sum(amount) as everywhere
    from paid_allocation group by masteragentid),
  ${prefix}run_balance as (
    select masteragentid, sum(amount) as earned from earned_statement group by masteragentid),
  ${prefix}run_offer as (
    select s.masteragentid, s.isofficeaccount as isoffice, s.due, coalesce(p.here, 0) as paid,
      coalesce(case when k.isentered then k.payeeid else s.payeeid end, s.masteragentid) as payee,
      case when s.isofficeaccount or ${isClosed} then 0
        when ${lock}::int is null then s.due - coalesce(p.here, 0)
        else least(s.due - coalesce(p.here, 0), coalesce(b.earned, 0) - coalesce(p.everywhere, 0)) end
        as offer,
      case when s.isofficeaccount or k.isofficeaccount then '${officeHold}'
          || case when coalesce(k.payeeid, s.masteragentid) <> s.masteragentid then ' ' || s.displayid
            else '' end
        when k.pending_by is not null and coalesce(k.payeeid, s.masteragentid) <> s.masteragentid
          then 'Bank account changed by ' || k.pending_by || ' and not confirmed'
        else ${statementHold(month)} end as ownhold
    from ${stated} s left join ${prefix}run_account k on k.masteragentid = s.masteragentid
      left join ${prefix}run_paid p on p.masteragentid = s.masteragentid
      left join ${prefix}run_balance b on b.masteragentid = s.masteragentid),
  ${prefix}run_payee as materialized (
    select payee, hold, net, case when hold is null and net >= least then net else 0 end as topay,
      case when rest <= 0 then 'Negative balance' when rest < least then 'Below the minimum payout'
        else 'Carried forward' end as unpaid
    from (
      select o.payee, y.hold, greatest(${minimum}::numeric, 0.01) as least, ${countedSum('o.offer')} as net,
        ${countedSum('(o.due - o.paid)')} as rest
      from ${prefix}run_offer o left join ${prefix}run_hold y on y.payee = o.payee
      group by o.payee, y.hold) p),
  ${prefix}run_statement as materialized (
    select o.masteragentid, o.payee, o.isoffice, o.due, o.paid, o.offer, o.ownhold,
      coalesce(o.ownhold, r.hold || case when o.payee = o.masteragentid then ''
        when r.hold = 'No bank data' then ' of the payee ' || y.displayid
        else ', payee ' || y.displayid end) as hold,
      case when r.topay > 0 and (o.ownhold is null or o.offer < 0) then o.offer else 0 end as topay
    from ${prefix}run_offer o join ${prefix}run_payee r on r.payee = o.payee
      left join ${prefix}run_hold y on y.payee = o.payee)`
}

/**
 * SQL: part (payee, masteragentid, amount, rest, hold, payment, account, ischecking, isbusiness, isused) is
 * what was paid of the statements of a month, to the accounts of then, and what the run pays and leaves of
 * them; isused is false for an account to which none of it went, where some went to another.
 */
export const partCtes = (month: string, scope: string) => `
  every_part as (
    select p.payeeid as payee, a.masteragentid, a.amount, 0 as rest, null as hold, p.id as payment,
      p.bankaccountnumber as account, p.ischecking, p.isbusiness
    from paid_allocation a join payout_payment p on p.id = a.paymentid
    where a.month = ${month}::date and ${agentInScope(scope, 'a.masteragentid')}
    union all
    select r.payee, r.masteragentid, r.topay, s.due - s.payable, s.hold, null, k.bankaccountnumber,
      k.ischecking, k.isbusiness
    from statement s join run_statement r on r.masteragentid = s.masteragentid
      join run_account k on k.masteragentid = r.payee
    where r.topay <> 0 or s.due <> s.payable),
  part as (
    select *, amount <> 0 or not bool_or(amount <> 0) over (partition by payee) as isused from every_part)`

/**
 * What a row of the parts `p` of one payee says of the accounts: `encrypted` holds one for each part, and the
 * names are those of the columns for the types and entry classes, each once.
 */
export const partAccountColumns = ({ type, entryClass }: { type: string; entryClass: string }) => `
  array_agg(p.account order by p.payment) filter (where p.isused) as encrypted,
  string_agg(distinct case when p.ischecking then 'Checking' when not p.ischecking then 'Savings' end, ', ')
    filter (where p.isused) as ${type},
  string_agg(distinct case when p.isbusiness then 'CCD' when not p.isbusiness then 'PPD' end, ', ')
    filter (where p.isused) as ${entryClass}`
