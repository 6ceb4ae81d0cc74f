import { everyone } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { epochSeconds } from '../engine/days.ts'
import { asOfInput } from '../engine/inputs.ts'
import { count, date, id, money, placeholders, defineReport, text } from '../engine/report.ts'

/** Terminals that are not paid in full, or whose paperwork was requested and not completed (reports 29). */
export const equipmentOutstanding = defineReport({
  id: 'equipment-outstanding',
  name: 'Equipment Outstanding',
  allow: everyone,
  inputs: { asof: asOfInput },
  columns: [
    id('serialnumber', 'SN', { text: 'Total' }),
    text('model', 'Model'),
    id('licensingkey', 'LK/DID'),
    id('xmid', 'Merchant ID'),
    text('dba', 'DBA'),
    text('agent', 'Master Agent'),
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
    const sql = `
      select e.serialnumber, e.model, e.licensingkey, m.xmid, m.dba, a.displayid || ' - ' || a.name as agent,
        case e.equipmentownertypeid when 1 then 'PPS' when 2 then 'Master Agent'
          when 3 then 'Merchant' end as owner,
        e.soldfor, e.paidsofar, greatest(e.soldfor - e.paidsofar, 0) as balance, e.paymentterms,
        nullif(e.requestedpaperworkdate, 0) as requested,
        (${epochSeconds(asOfParam)} - nullif(e.requestedpaperworkdate, 0)) / 86400 as age,
        case when coalesce(e.requestedpaperworkdate, 0) = 0 then 'Not requested'
          when coalesce(e.completedpaperworkdate, 0) = 0
            or e.completedpaperworkdate > ${epochSeconds(asOfParam)} then 'Not completed'
          else 'Completed' end as paperwork
      from equipment e left join merchant m on m.id = e.merchantid
        left join master_agent a on a.id = coalesce(e.masteragentid, m.masteragentid)
      where (${agentInScope(scopeParam, 'e.masteragentid')} or ${agentInScope(scopeParam, 'm.masteragentid')})
        and coalesce(e.requestedpaperworkdate, 0) <= ${epochSeconds(asOfParam)}
        and (e.soldfor > e.paidsofar
          or (e.requestedpaperworkdate > 0
            and (coalesce(e.completedpaperworkdate, 0) = 0
              or e.completedpaperworkdate > ${epochSeconds(asOfParam)})))
      order by balance desc, e.requestedpaperworkdate nulls last, e.id`
    return { sql, values }
  },
})
