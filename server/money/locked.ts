import { within } from '../scope.ts'

/** The same relations from the snapshot of a lock; given the parameters that hold the lock's id and the agents asked for or null. */
export const lockedMonth = (lock: string, agents: string) => `
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown
    from locked_merchant where lockid = ${lock}),
  pay_line as (
    select p.masteragentid, p.fromagentid, m.xmid, m.dba, m.processor, m.txncount, m.sales, m.net, p.percent, p.flat, p.amount, p.withheld,
      case when p.fromagentid is null then 'own' else 'override' end as kind
    from locked_pay p join locked_merchant m on m.lockid = p.lockid and m.line = p.line
    where p.lockid = ${lock} and ${within(agents, 'p.masteragentid')}),
  statement_line as (
    select masteragentid, kind, label, amount, source from locked_statement_line where lockid = ${lock} and ${within(agents, 'masteragentid')}),
  statement as (
    select masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld, equipment,
      adjustments, subscriptions, carryin, due, carryout, payable, hold
    from locked_statement where lockid = ${lock} and ${within(agents, 'masteragentid')})`
