import { holds } from '../../schemas/permissions.ts'
import { span } from './inputs.ts'
import { count, flag, id, placeholders, report, text } from './report.ts'

/** Every file that left the portal. */
export const exportLog = report({
  id: 'export-log',
  name: 'Export Log',
  allow: holds('reports_admin'),
  whole: true,
  ...span,
  columns: [
    text('at', 'Time (UTC)'),
    text('username', 'Username'),
    text('address', 'Address'),
    text('report', 'Report'),
    text('inputs', 'Inputs'),
    text('format', 'Format'),
    text('month', 'Locked Month'),
    count('lockversion', 'Version'),
    text('modifier', 'File ID Modifier'),
    count('copy', 'Copy'),
    flag('again', 'Taken Again'),
    count('rows', 'Rows'),
    count('bytes', 'Bytes'),
    text('result', 'Result'),
    id('sha256', 'SHA-256'),
  ],
  answer({ inputs }) {
    const { values, put } = placeholders()
    const [from, to] = [put(inputs.from), put(inputs.to)]
    const sql = `
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at, username, address, report,
        (select string_agg(key || ' ' || value, ', ' order by key) from jsonb_each_text(inputs) where value is not null) as inputs,
        format, to_char(month, 'YYYY-MM') as month, lockversion, modifier, copy, copy > 1 as again, rows, bytes,
        case when finished_at is not null then 'Complete'
          when at < now() - interval '1 hour' then 'Broken off'
          else 'Not complete' end as result, sha256
      from report_export
      where at >= ${from}::timestamp at time zone 'UTC' and at < (${to}::timestamp + interval '1 day') at time zone 'UTC'
      order by id desc`
    return { sql, values }
  },
})
