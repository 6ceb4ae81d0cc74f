import { admins, holds, permissions } from '../../schemas/permissions.ts'
import { date, flag, count, id, placeholders, report, text } from './report.ts'
import { within } from '../scope.ts'

/** SQL: epoch seconds of the UTC day of an instant. */
const day = (instant: string) => `extract(epoch from date_trunc('day', ${instant} at time zone 'UTC'))::bigint`

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
    const signedIn = "select max(at) from audit where audit.action = 'login' and audit.entity = 'user' and audit.username = u.username"
    const held = permissions.map(
      (name) => `(u.admin${name === 'manage_tickets' ? ' and false' : ''} or '${name}' = any (u.permissions)) as ${name}`,
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
