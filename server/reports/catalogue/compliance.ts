import { admins, holds, permissions } from '../../../schemas/permissions.ts'
import { within } from '../../db/scope.ts'
import { span } from '../engine/inputs.ts'
import { count, date, flag, id, placeholders, report, text } from '../engine/report.ts'

/** SQL: epoch seconds of the UTC day of an instant. */
const day = (instant: string) =>
  `extract(epoch from date_trunc('day', ${instant} at time zone 'UTC'))::bigint`

/** Who has not accepted the latest terms. */
export const termsOutstanding = report({
  id: 'terms-outstanding',
  name: 'Terms Outstanding',
  allow: admins,
  inputs: {},
  columns: [
    text('username', 'Username'),
    text('agent', 'Master Agent'),
    count('latest', 'Latest Terms'),
    date('published', 'Published'),
    count('accepted', 'Last Accepted'),
    date('acceptedon', 'Accepted On'),
  ],
  answer({ scope }) {
    const { values, put } = placeholders()
    const mine = put(scope)
    const sql = `
      with latest as (select id, created_at from terms order by id desc limit 1),
      last as (select distinct on (userid) userid, termsid, acceptancedate from terms_acceptance order by userid, termsid desc)
      select u.username, a.displayid || ' - ' || a.name as agent, latest.id as latest,
        ${day('latest.created_at')} as published, last.termsid as accepted, ${day('last.acceptancedate')} as acceptedon
      from portal_user u cross join latest left join last on last.userid = u.id left join master_agent a on a.id = u.masteragentid
      where coalesce(last.termsid, 0) < latest.id and ${within(mine, 'u.masteragentid')}
      order by u.username`
    return { sql, values }
  },
})

/** What each user may do, for the yearly review. */
export const userAccess = report({
  id: 'user-access',
  name: 'User Access',
  allow: holds('manage_users'),
  inputs: {},
  columns: [
    text('username', 'Username'),
    id('displayid', 'Master Agent'),
    text('agent', 'Agent Name'),
    text('sees', 'Sees'),
    flag('admin', 'Administrator'),
    ...permissions.map((name) => flag(name, name)),
    text('email', 'Email'),
    date('created', 'Created'),
    date('lastsignin', 'Last Sign-in'),
  ],
  answer({ scope }) {
    const { values, put } = placeholders()
    const mine = put(scope)
    const signedIn =
      "select max(at) from audit where audit.action = 'login' and audit.entity = 'user' and audit.username = u.username"
    const held = permissions.map(
      (name) =>
        `(u.admin${name === 'manage_tickets' ? ' and false' : ''} or '${name}' = any (u.permissions)) as ${name}`,
    )
    const sql = `
      select u.username, a.displayid, a.name as agent,
        case when u.admin or a.isofficeaccount then 'All' when a.id is null then 'None' else 'Branch' end as sees,
        u.admin, ${held.join(', ')}, u.email, ${day('u.created_at')} as created,
        ${day(`(${signedIn})`)} as lastsignin
      from portal_user u left join master_agent a on a.id = u.masteragentid
      where ${within(mine, 'u.masteragentid')}
      order by u.username`
    return { sql, values }
  },
})

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
