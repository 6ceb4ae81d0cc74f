import { secondsInDay } from '../../../../schemas/dates.ts'
import { everyone } from '../../../../schemas/permissions.ts'
import { agentInScope } from '../../../db/scope.ts'
import { epochSeconds } from '../../engine/days.ts'
import { asOfInput } from '../../engine/inputs.ts'
import { count, date, money, merchantColumns, placeholders, defineReport, text } from '../../engine/report.ts'

/**
 * Days from enrolment until a processor charges for non-compliance, and days a scan is valid (reports 26).
 */
const feeDays = 90
/** Processors with another number of days. */
const feeDaysByProcessor: Readonly<Record<string, number>> = {}
const scanDays = 90

/** Merchants that are not compliant, no longer are, or were never enrolled (reports 26). */
export const pci = defineReport({
  id: 'pci-non-compliance',
  name: 'PCI Non-Compliance',
  group: 'Risk and Compliance',
  description: 'Merchants without valid PCI compliance, and when a fee is due.',
  figure: { column: null, words: 'Merchants that are not compliant' },
  allow: everyone,
  inputs: { asof: asOfInput },
  columns: [
    ...merchantColumns,
    text('why', 'Reason'),
    text('compliancestatus', 'Status'),
    count('pcilevel', 'PCI Level'),
    text('saqtype', 'SAQ Type'),
    text('saqstatus', 'SAQ Status'),
    text('scanstatus', 'Scan Status'),
    date('lastscandate', 'Last Scan'),
    date('expirationdate', 'Expires'),
    date('enrolleddate', 'Enrolled'),
    count('daystofee', 'Days to Fee'),
    money('fee', 'Fee', 'sum'),
    text('feestate', 'Fee State'),
    text('vendor', 'Vendor'),
  ],
  query({ scope, inputs, today }) {
    const { values, bind } = placeholders()
    const [scopeParam, asOfParam, feeDaysParam] = [
      bind(scope),
      bind(inputs.asof ?? today),
      bind(JSON.stringify(feeDaysByProcessor)),
    ]
    const asOfSeconds = epochSeconds(asOfParam)
    const sql = `
      with state as (
        select coalesce(m.xmid, p.xmid) as xmid, coalesce(m.dba, p.dba) as dba, m.masteragentid,
          p.compliancestatus, p.pcilevel,
          p.saqtype, p.saqstatus, p.scanstatus, p.lastscandate, p.expirationdate, p.enrolleddate,
          p.noncompliancefee, p.vendor,
          case when p.id is null then 'Never enrolled'
            when not p.iscompliant then 'Not compliant'
            when p.expirationdate > 0 and p.expirationdate <= ${asOfSeconds} then 'Expired'
            when p.scanrequired and (coalesce(p.lastscandate, 0) = 0
              or p.lastscandate + ${scanDays} * ${secondsInDay} < ${asOfSeconds})
            then 'Scan lapsed' end as why,
          case when p.enrolleddate > 0 then
            (p.enrolleddate - ${asOfSeconds}) / ${secondsInDay}
              + coalesce((${feeDaysParam}::jsonb ->> m.processor)::int, ${feeDays}) end as daystofee
        from merchant m full join pci_compliance p on p.xmid = m.xmid
        where (m.accountstatus = 2 or m.id is null) and ${agentInScope(scopeParam, 'm.masteragentid')})
      select s.xmid, s.dba, a.displayid || ' - ' || a.name as agent, s.why, s.compliancestatus, s.pcilevel,
        s.saqtype, s.saqstatus,
        s.scanstatus, nullif(s.lastscandate, 0) as lastscandate,
        nullif(s.expirationdate, 0) as expirationdate,
        nullif(s.enrolleddate, 0) as enrolleddate, s.daystofee, coalesce(s.noncompliancefee, 0) as fee,
        case when s.noncompliancefee > 0 then 'Charged'
          when s.daystofee <= 0 then 'Due and not charged'
          when s.daystofee > 0 then 'Not yet due' end as feestate,
        s.vendor
      from state s left join master_agent a on a.id = s.masteragentid where s.why is not null
      order by s.daystofee nulls last, s.why, s.xmid collate "C"`
    return {
      sql,
      values,
      notes: [`Days to Fee count ${feeDays} days from enrolment. A scan is good for ${scanDays} days.`],
    }
  },
})
