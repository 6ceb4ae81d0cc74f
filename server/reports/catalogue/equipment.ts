import { secondsInDay } from '../../../schemas/dates.ts'
import { everyone } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { epochSeconds } from '../engine/days.ts'
import { asOfInput } from '../engine/inputs.ts'
import {
  count,
  date,
  defineReport,
  id,
  money,
  namesAgent,
  namesMerchant,
  placeholders,
  text,
} from '../engine/report.ts'

/**
 * Terminals that are not paid in full, or whose paperwork was requested and not completed (reports 29,
 * equipment 7).
 */
export const equipmentOutstanding = defineReport({
  id: 'equipment-outstanding',
  name: 'Equipment Outstanding',
  group: 'Portfolio',
  description: 'Terminals that are not paid whole, or whose paperwork is not back.',
  figure: { column: 'balance', words: 'Balance to be paid' },
  allow: everyone,
  inputs: { asof: asOfInput },
  columns: [
    id('serialnumber', 'SN', { text: 'Total' }),
    text('model', 'Model'),
    id('licensingkey', 'LK/DID'),
    id('xmid', 'Merchant ID'),
    namesMerchant(text('dba', 'DBA')),
    namesAgent(text('agent', 'Master Agent')),
    text('owner', 'Equipment Owner'),
    money('soldfor', 'Sold For', 'sum'),
    money('paidsofar', 'Paid So Far', 'sum'),
    money('balance', 'Balance', 'sum'),
    text('paymentterms', 'Payment Terms'),
    date('requested', 'Requested Date'),
    count('age', 'Days Since Request'),
    text('paperwork', 'Paperwork'),
  ],
  query({ scope, inputs, today }) {
    const { values, bind } = placeholders()
    const [scopeParam, asOfParam] = [bind(scope), bind(inputs.asof ?? today)]
    const agentSeen = agentInScope(scopeParam, 'e.masteragentid')
    const merchantSeen = agentInScope(scopeParam, 'm.masteragentid')
    // Another branch has a part in the terminal: neither its merchant or agent nor what was paid is answered.
    const isShared = `not ((e.masteragentid is null or ${agentSeen}) and (m.id is null or ${merchantSeen}))`
    const ownPrice = (value: string) => `case when not shared then ${value} end`
    const sql = `
      select e.serialnumber, e.model, e.licensingkey, e.xmid, e.dba, a.displayid || ' - ' || a.name as agent,
        case e.equipmentownertypeid when 1 then 'PPS' when 2 then 'Master Agent'
          when 3 then 'Merchant' end as owner,
        ${ownPrice('e.soldfor')} as soldfor, ${ownPrice('e.paidsofar')} as paidsofar,
        ${ownPrice('greatest(e.soldfor - e.paidsofar, 0)')} as balance,
        ${ownPrice('e.paymentterms')} as paymentterms,
        nullif(e.requestedpaperworkdate, 0) as requested,
        (${epochSeconds(asOfParam)} - nullif(e.requestedpaperworkdate, 0)) / ${secondsInDay} as age,
        case when coalesce(e.requestedpaperworkdate, 0) = 0 then 'Not requested'
          when coalesce(e.completedpaperworkdate, 0) = 0
            or e.completedpaperworkdate > ${epochSeconds(asOfParam)} then 'Not completed'
          else 'Completed' end as paperwork
      from (
        select e.*, case when ${merchantSeen} then m.xmid end as xmid,
          case when ${merchantSeen} then m.dba end as dba, ${isShared} as shared,
          coalesce(e.masteragentid, m.masteragentid) as agentid
        from equipment e left join merchant m on m.id = e.merchantid
        where ${agentSeen} or ${merchantSeen}) e
        left join master_agent a on a.id = e.agentid and ${agentInScope(scopeParam, 'a.id')}
      where coalesce(e.requestedpaperworkdate, 0) <= ${epochSeconds(asOfParam)}
        and ((e.soldfor > e.paidsofar and not e.shared)
          or (e.requestedpaperworkdate > 0
            and (coalesce(e.completedpaperworkdate, 0) = 0
              or e.completedpaperworkdate > ${epochSeconds(asOfParam)})))
      order by balance desc nulls last, requested nulls last, e.id`
    return { sql, values }
  },
})
