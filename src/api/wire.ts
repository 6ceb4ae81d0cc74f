import { fromPromise } from 'xstate'
import { listMachine, type Found, type Query } from '../../machines/list.machine.ts'
import { loadMachine } from '../../machines/load.machine.ts'
import { modalMachine, type Draft, type Stored } from '../../machines/modal.machine.ts'
import { passwordMachine } from '../../machines/password.machine.ts'
import { sessionMachine, type Login, type Reply } from '../../machines/session.machine.ts'
import { uploadMachine, type Imported, type Sent } from '../../machines/upload.machine.ts'
import type { Entity } from '../../schemas/entity.ts'
import type { ImportName } from '../../schemas/imports.ts'
import type { LiteName } from '../../schemas/lites.ts'
import type { User } from '../../schemas/session.ts'
import { renewOnce } from '../session/renewal.ts'
import type { Store } from '../session/stored.ts'
import type { Client } from './client.ts'
import { Failure } from './failure.ts'
import { changesOf, fileForm } from './bodies.ts'

/** What the session does outside itself. */
export type SessionEffects = { leaving: () => void; reloadScreen: () => void; startOver: () => void }

/** The session with its calls and its effects on the stored user. */
export const wireSession = (api: Client, store: Store, { leaving, reloadScreen, startOver }: SessionEffects) => {
  const named = async (reply: Promise<object>, username: string) => ({ ...(await reply), username }) as User
  const renewed = (user: Reply, signal: AbortSignal) => named(api.session.renew(user.access_token, signal), user.username)
  const signedIn = (user: Reply | null) => {
    if (!user) throw new Failure(401, 'Please sign in')
    return user as User
  }
  return sessionMachine.provide({
    actors: {
      login: fromPromise<Reply, Login>(({ input, signal }) => named(api.session.login(input, signal), input.username)),
      renew: fromPromise<Reply, { user: Reply | null }>(async ({ input, signal }) => {
        const user = signedIn(input.user)
        return renewOnce({ user, store, signal, renew: () => renewed(user, signal) })
      }),
      acceptTerms: fromPromise<Reply, { user: Reply | null }>(async ({ input, signal }) => {
        const user = signedIn(input.user)
        await api.terms.accept(user.access_token, signal)
        return renewed(user, signal)
      }),
    },
    actions: {
      storeUser: ({ context }) => context.user && store.keep(context.user as User),
      clearStoredUser: ({ context }) => store.clear(context.user?.access_token ?? null),
      revokeToken: ({ context }) => {
        leaving()
        // Best effort: the token ends by itself 15 minutes later.
        if (context.user) void api.session.logout(context.user.access_token).catch(() => {})
      },
      reloadScreen,
      startOver,
    },
  })
}

/** Every other machine with its calls. Each is made once, for a machine must not change while a screen uses it. */
export const wire = (api: Client) => ({
  list: once((it: Entity) =>
    listMachine.provide({ actors: { load: fromPromise<Found, Query>(({ input, signal }) => api.rows.list(it, input, signal)) } }),
  ),
  modal: once((it: Entity) =>
    modalMachine.provide({
      actors: {
        read: fromPromise<Stored, { id: number | null }>(({ input, signal }) => api.rows.read(it, input.id ?? 0, signal)),
        save: fromPromise<unknown, { row: Stored | null; draft: Draft; overwrite: boolean }>(async ({ input, signal }) => {
          const { id: _id, labels: _labels, ...body } = input.draft
          if (!input.row) return api.rows.create(it, body, signal)
          const { id, version } = input.row
          if (!input.overwrite) return api.rows.update(it, id, { ...body, version }, signal)
          const latest = await api.rows.read(it, id, signal)
          return api.rows.update(it, id, { ...changesOf(body, input.row), version: latest.version }, signal)
        }),
        remove: fromPromise<unknown, { row: Stored | null }>(({ input, signal }) => api.rows.remove(it, input.row?.id ?? 0, signal)),
      },
    }),
  ),
  upload: uploadMachine.provide({
    actors: {
      upload: fromPromise<Imported, Sent>(({ input, signal, self }) =>
        api.upload(input.kind as ImportName, fileForm(input), {
          signal,
          onProgress: (percent) => self._parent?.send({ type: 'progress', percent }),
        }),
      ),
    },
  }),
  password: passwordMachine.provide({
    actors: {
      changePassword: fromPromise<unknown, { password: string }>(({ input, signal }) => api.session.changePassword(input.password, signal)),
    },
  }),
  chart: loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.home.profit(signal)) } }),
  terms: loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.terms.latest(signal)) } }),
  settings: loadMachine.provide({ actors: { load: fromPromise<unknown>(({ signal }) => api.home.portal(signal)) } }),
  /** The records a picker offers: those that match a text, or the one with this id. */
  lookup: (to: LiteName, search: string, id: number | null, signal: AbortSignal) => api.lites(to, id === null ? { search } : { id }, signal),
})
export type Wired = ReturnType<typeof wire>

const once = <It extends object, Made>(make: (it: It) => Made) => {
  const made = new WeakMap<It, Made>()
  return (it: It): Made => {
    const known = made.get(it)
    if (known) return known
    const fresh = make(it)
    made.set(it, fresh)
    return fresh
  }
}
