import { AxiosError, CanceledError, type AxiosAdapter } from 'axios'
import { endpoints } from '../../schemas/api/endpoints.ts'
import type { SessionReply } from '../../schemas/api/session.ts'
import { effectivePermissions, noPermissions, type Permission } from '../../schemas/permissions.ts'
import { createCall } from '../../src/api/http.ts'
import { sentOf, settle, type Given, type Sent } from './adapter.ts'

type Answer = Given | 'unreachable' | Promise<Given> | ((sent: Sent) => Given | Promise<Given>)

export const replyFor = (
  given: {
    admin?: boolean
    permissions?: readonly Permission[]
    token?: string
    tc_accepted?: boolean
    /** Of who belongs to one branch alone. */
    masteragentid?: number
    email?: string
  } = {},
): SessionReply => ({
  access_token: given.token ?? 'token-1',
  admin: given.admin ?? false,
  permissions: effectivePermissions(given.admin ?? false, {
    ...noPermissions,
    ...Object.fromEntries((given.permissions ?? []).map((name) => [name, true])),
  }),
  tc_accepted: given.tc_accepted ?? true,
  email: given.email ?? null,
  masteragentid: given.masteragentid ?? null,
  seesall: given.masteragentid === undefined,
})

/** The answers a quiet portal gets. */
const usual = (): Record<string, Answer> => ({
  [endpoints.session.login.route]: { body: replyFor() },
  [endpoints.session.renew.route]: { body: replyFor() },
  [endpoints.session.logout.route]: { status: 204 },
  [endpoints.terms.latest.route]: { body: { id: 2, tctext: 'These are the terms.' } },
  [endpoints.terms.accept.route]: { status: 204 },
  [endpoints.home.profit.route]: { body: { data: [] } },
  [endpoints.home.portal.route]: {
    body: { links: [], store: null, training: null, widget: null, backup: null },
  },
  [endpoints.inbox.count.route]: { body: { waiting: 0 } },
  [endpoints.drive.manifest.route]: { body: { data: [] } },
  ...Object.fromEntries(
    Object.values(endpoints.entities).map(({ list }) => [
      list.route,
      { body: { data: [], total_length: 0 } },
    ]),
  ),
})

/**
 * A server that gives scripted answers, for what the real one cannot be made to do. `calls` holds what was
 * sent.
 */
export const scripted = (answers: Record<string, Answer> = {}) => {
  const script = { ...usual(), ...answers }
  const calls: Sent[] = []
  const adapter: AxiosAdapter = async (config) => {
    const sent = sentOf(config)
    calls.push(sent)
    const answer = script[`${sent.method} ${sent.path}`]
    if (answer === undefined) throw new Error(`${sent.method} ${sent.path} has no answer`)
    if (answer === 'unreachable') throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config)
    const cancelled = new Promise<never>((_, reject) => {
      config.signal?.addEventListener?.('abort', () => reject(new CanceledError('', config)))
    })
    return settle(
      config,
      await Promise.race([typeof answer === 'function' ? answer(sent) : answer, cancelled]),
    )
  }
  const count = (route: string) => calls.filter(({ method, path }) => `${method} ${path}` === route).length
  return { adapter, calls, count, answer: (route: string, to: Answer) => void (script[route] = to) }
}

/** The calls of somebody who is signed in, answered by this server. */
export const signedInCall = ({ adapter }: { adapter: AxiosAdapter }) =>
  createCall(
    {
      token: () => 'token-1',
      unauthorized() {},
      termsRequired: async () => false,
      showFailure() {},
      showDone() {},
    },
    adapter,
  )
