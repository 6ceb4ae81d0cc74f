import { adminsSee, holds, permissions } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { dateSpan } from '../engine/inputs.ts'
import {
  count,
  date,
  flag,
  id,
  monthColumn,
  namesAgent,
  placeholders,
  defineReport,
  text,
} from '../engine/report.ts'

/** SQL expression: epoch seconds of the UTC midnight before a timestamptz expression. */
const utcDaySql = (instant: string) =>
  `extract(epoch from date_trunc('day', ${instant} at time zone 'UTC'))::bigint`

/** Users who have not accepted the latest Terms and Conditions (reports 30). */
export const termsOutstanding = defineReport({
  id: 'terms-outstanding',
  name: 'Terms Outstanding',
  group: 'Access',
  description: 'Who has not accepted the latest Terms and Conditions; days are those of UTC.',
  figure: { column: null, words: 'People who have not accepted' },
  allow: adminsSee,
  inputs: {},
  columns: [
    text('username', 'Username'),
    namesAgent(text('agent', 'Master Agent')),
    count('latest', 'Latest Terms'),
    date('published', 'Published'),
    count('accepted', 'Last Accepted'),
    date('acceptedon', 'Accepted On'),
  ],
  query({ scope }) {
    const { values, bind } = placeholders()
    const scopeParam = bind(scope)
    const sql = `
      with latest as (select id, created_at from terms order by id desc limit 1),
      last as (select distinct on (userid) userid, termsid, acceptancedate
        from terms_acceptance order by userid, termsid desc)
      select u.username, a.displayid || ' - ' || a.name as agent, latest.id as latest,
        ${utcDaySql('latest.created_at')} as published, last.termsid as accepted,
        ${utcDaySql('last.acceptancedate')} as acceptedon
      from portal_user u cross join latest left join last on last.userid = u.id
        left join master_agent a on a.id = u.masteragentid
      where coalesce(last.termsid, 0) < latest.id and ${agentInScope(scopeParam, 'u.masteragentid')}
      order by u.username`
    return { sql, values }
  },
})

/** The permissions of each user, for a review of access (reports 31). */
export const userAccess = defineReport({
  id: 'user-access',
  name: 'User Access',
  group: 'Access',
  description: 'What each user may see and do, for the review of access; days are those of UTC.',
  figure: { column: null, words: 'Users' },
  allow: holds('manage_users'),
  inputs: {},
  columns: [
    text('username', 'Username'),
    id('displayid', 'Master Agent'),
    namesAgent(text('agent', 'Agent Name'), 'displayid'),
    text('sees', 'Sees'),
    flag('admin', 'Administrator'),
    ...permissions.map((name) => flag(name, name)),
    text('email', 'Email'),
    date('created', 'Created'),
    date('lastsignin', 'Last Sign-in'),
  ],
  query({ scope }) {
    const { values, bind } = placeholders()
    const scopeParam = bind(scope)
    const lastSignIn = `
      select max(at) from audit
      where audit.action = 'login' and audit.entity = 'user' and audit.username = u.username`
    const permissionColumns = permissions.map(
      (name) =>
        `(u.admin${name === 'manage_tickets' ? ' and false' : ''}
          or '${name}' = any (u.permissions)) as ${name}`,
    )
    const sql = `
      select u.username, a.displayid, a.name as agent,
        case when u.admin or a.isofficeaccount then 'All' when a.id is null then 'None'
          else 'Branch' end as sees,
        u.admin, ${permissionColumns.join(', ')}, u.email, ${utcDaySql('u.created_at')} as created,
        ${utcDaySql(`(${lastSignIn})`)} as lastsignin
      from portal_user u left join master_agent a on a.id = u.masteragentid
      where ${agentInScope(scopeParam, 'u.masteragentid')}
      order by u.username`
    return { sql, values }
  },
})

/** Every report that was taken as a file (reports 32). */
export const exportLog = defineReport({
  id: 'export-log',
  name: 'Export Log',
  group: 'Access',
  description: 'Every file that left the portal: who took it, when, and its hash.',
  figure: { column: null, words: 'Files' },
  allow: holds('reports_admin'),
  fullScopeOnly: true,
  ...dateSpan,
  columns: [
    text('at', 'Time (UTC)'),
    text('username', 'Username'),
    text('address', 'Address'),
    text('report', 'Report'),
    text('inputs', 'Inputs'),
    text('format', 'Format'),
    monthColumn('month', 'Locked Month'),
    count('lockversion', 'Version'),
    text('modifier', 'File ID Modifier'),
    count('copy', 'Copy'),
    flag('again', 'Taken Again'),
    count('rows', 'Rows'),
    count('bytes', 'Bytes'),
    text('result', 'Result'),
    id('sha256', 'SHA-256'),
  ],
  query({ inputs }) {
    const { values, bind } = placeholders()
    const [from, to] = [bind(inputs.from), bind(inputs.to)]
    const sql = `
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at, username, address, report,
        (select string_agg(key || ' ' || value, ', ' order by key) from jsonb_each_text(inputs)) as inputs,
        format, to_char(month, 'YYYY-MM') as month, lockversion, modifier, copy, copy > 1 as again, rows,
        bytes,
        case when finished_at is not null then 'Complete'
          when at < now() - interval '1 hour' then 'Broken off'
          else 'Not complete' end as result, sha256
      from report_export
      where at >= ${from}::timestamp at time zone 'UTC'
        and at < (${to}::timestamp + interval '1 day') at time zone 'UTC'
      order by id desc`
    return { sql, values }
  },
})
