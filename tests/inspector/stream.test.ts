import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { activeIds, updateActor, describeState, type Actor } from '../../inspector/actors.ts'
import { arrowsOf } from '../../inspector/arrows.ts'
import { chartOf } from '../../inspector/chart.ts'
import { redact } from '../../inspector/redact.ts'
import { createStream, type TabEvent } from '../../inspector/stream.ts'
import { uploadMachine } from '../../machines/upload.machine.ts'
import { declared } from '../mbt/coverage.ts'
import { machineFiles } from '../mbt/machines.ts'
import { password } from '../spec/account/password.table.ts'
import { session } from '../spec/account/session.table.ts'
import { verification } from '../spec/account/verification.table.ts'

const files = await machineFiles()
/** Milliseconds that an event of the inspector, which comes in a later turn, is waited for. */
const patience = 15_000

describe('what the inspector receives', () => {
  it.each([
    [
      { password: 'p', confirm_password: 'p' },
      { password: '***', confirm_password: '***' },
    ],
    [
      { access_token: 't', user: { access_token: 't', username: 'ann' } },
      { access_token: '***', user: { access_token: '***', username: 'ann' } },
    ],
    [
      { code: '123456', otp: '123456', email: 'a@example.com' },
      { code: '***', otp: '***', email: 'a@example.com' },
    ],
    [
      { routingnumber: '1', bankaccountnumber: '2', taxid: '3', taxtypeid: 1 },
      { routingnumber: '***', bankaccountnumber: '***', taxid: '***', taxtypeid: 1 },
    ],
    [{ list: [{ taxid: '' }, { taxid: null }] }, { list: [{ taxid: '' }, { taxid: null }] }],
    [{ headers: { Authorization: 'Bearer t' } }, { headers: { Authorization: '***' } }],
    [{ file: new File(['x'], 'merchants.csv') }, { file: '[file merchants.csv]' }],
  ])('%j becomes %j', (given, shown) => {
    expect(redact(given)).toEqual(shown)
  })

  it.each([
    ['the login form', session, 'correct horse battery'],
    ['the dialog of a new password', password, 'four words in a row'],
    ['the question for the present password', password, 'four words of old'],
    ['the form for the code of an email', verification, '123456'],
  ] as const)('holds nothing secret that is typed into %s', (_, { stimuli }, secret) => {
    const events = Object.values(stimuli)
    expect(JSON.stringify(events)).toContain(secret)
    expect(JSON.stringify(redact(events))).not.toContain(secret)
  })

  it('is sent again to an inspector that is opened later: every actor, and where it stands now', async () => {
    const stream = createStream(() => {})
    const first = createActor(uploadMachine, {
      input: { kind: 'merchant', dated: false },
      inspect: stream.inspect,
    }).start()
    const second = createActor(uploadMachine, {
      input: { kind: 'dailyvolume', dated: true },
      inspect: stream.inspect,
    }).start()
    first.send({ type: 'choose', file: { content: null, name: 'report.csv' } })
    for (let day = 1; day < 600; day++) second.send({ type: 'date', date: `day ${day}` })
    await vi.waitFor(() => {
      const actors = new Map<string, Actor>()
      for (const event of stream.replay())
        updateActor(actors, { tab: 'one', title: 'Home', event } as TabEvent)
      expect(
        [...actors.values()].map(({ name, stateText, isStarted }) => ({ name, stateText, isStarted })),
      ).toEqual([
        { name: 'upload', stateText: 'chosen', isStarted: true },
        { name: 'upload', stateText: 'idle', isStarted: true },
      ])
      expect(JSON.stringify(stream.replay().at(-1))).toContain('day 599')
    }, patience)
  })

  it('is enough to draw the machine anew', async () => {
    for (const { machine } of files) {
      const sent: TabEvent['event'][] = []
      const stream = createStream((event) => sent.push(event))
      createActor(machine, {
        inspect: stream.inspect,
        input: { kind: '', dated: false, stored: null, may: {} },
      } as never)
      const definition = await vi.waitFor(() => {
        const [first] = sent.flatMap((event) =>
          event.type === '@xstate.actor' ? [event.definition ?? ''] : [],
        )
        expect(first).toBeDefined()
        return first!
      }, patience)
      expect(
        arrowsOf(createMachine(JSON.parse(definition) as never))
          .map(({ id }) => id)
          .sort(),
      ).toEqual(declared(machine).sort())
    }
  })
})

describe('a chart', () => {
  it.each(files.map((file) => [file.name, file] as const))(
    'of %s shows every state and every transition',
    async (_, { machine }) => {
      const svg = await chartOf(machine)
      const named = (kind: string) =>
        [...svg.matchAll(new RegExp(`data-${kind}="([^"]+)"`, 'g'))].map(([, id]) =>
          id!.replaceAll('&#62;', '>'),
        )
      expect(named('transition').sort()).toEqual(declared(machine).sort())
      const states = new Set(arrowsOf(machine).flatMap(({ source, target }) => [source, target]))
      expect(named('state')).toEqual(expect.arrayContaining([...states]))
      expect(svg).not.toMatch(/NaN|undefined/)
    },
  )

  it('is coloured by where the actor is, from the outermost state in', () => {
    expect(activeIds({ id: 'session', value: { active: 'waiting' } })).toEqual(
      new Set(['session', 'session.active', 'session.active.waiting']),
    )
    expect(describeState({ active: 'waiting', side: { deep: 'here' } })).toBe(
      'active.waiting & side.deep.here',
    )
  })
})

describe('a build for production', () => {
  it('holds nothing of the inspector', () => {
    const built = new URL('../../dist/portal/', import.meta.url)
    if (!existsSync(built)) throw new Error('The portal is not built: npm run build')
    const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(js|html)$/.test(file),
    )
    expect(scripts.length).toBeGreaterThan(5)
    expect(
      scripts.filter((file) =>
        /inspector\.html|portal inspector|statelyai/.test(readFileSync(new URL(file, built), 'utf8')),
      ),
    ).toEqual([])
  })
})
