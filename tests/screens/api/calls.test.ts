import { describe, expect, it, test, vi, type Mock } from 'vitest'
import { createActor, toPromise, type AnyActorLogic } from 'xstate'
import type { Endpoint } from '../../../schemas/api/endpoint.ts'
import { endpoints } from '../../../schemas/api/endpoints.ts'
import { equipment } from '../../../schemas/entities/equipment.ts'
import { createClient } from '../../../src/api/client.ts'
import { genericText, type Failure } from '../../../src/api/failure.ts'
import { uploadFormData } from '../../../src/api/files.ts'
import { createHeldCalls } from '../../../src/api/heldCalls.ts'
import { createCall, type Call, type CallHooks, type GivenOptions } from '../../../src/api/http.ts'
import { provideMonth } from '../../../src/api/provide/fetched/payouts.ts'
import { provideReports } from '../../../src/api/provide/fetched/reports.ts'
import { sessionClientOf } from '../../../src/api/sessionClient.ts'
import { scripted } from '../../journeys/scripted.ts'

const list = endpoints.entities.merchant!.list
const update = endpoints.entities.merchant!.update
const open = (
  given: Pick<Partial<CallHooks>, 'token'> & { termsRequired?: Mock<CallHooks['termsRequired']> } = {},
) => {
  const server = scripted()
  const hub = {
    token: () => 'token-1' as string | null,
    unauthorized: vi.fn<CallHooks['unauthorized']>(),
    termsRequired: vi.fn<CallHooks['termsRequired']>(async () => false),
    showFailure: vi.fn<CallHooks['showFailure']>(),
    showDone: vi.fn<CallHooks['showDone']>(),
    ...given,
  }
  const call = createCall(hub, server.adapter)
  const failing = <E extends Endpoint>(endpoint: E, ...options: GivenOptions<E>) =>
    call(endpoint, ...options).then(
      () => Promise.reject(new Error('the call went through')),
      (failure: Failure) => failure,
    )
  return { server, hub, call, failing }
}
const listRoute = 'GET /api/v1/merchant'

describe('a record', () => {
  it('is created without an id, and changed with that of its address', async () => {
    const { server, call } = open()
    const { rows } = createClient(call)
    server.answer('POST /api/v1/equipment', { status: 201, body: { id: 7, version: 1 } })
    server.answer('PUT /api/v1/equipment/7', { body: { id: 7, version: 2 } })
    await rows.create(equipment, { model: 'T' })
    await rows.update(equipment, 7, { model: 'U', version: 1 })
    expect(server.calls.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/v1/equipment', { model: 'T' }],
      ['PUT', '/api/v1/equipment/7', { id: 7, model: 'U', version: 1 }],
    ])
  })
})

test.each<[string, object, object, string, object]>([
  [
    'payment that was chosen',
    { payment: { id: 7, month: '2026-10', trace: '', payee: 'MA0002', amount: 5 } },
    { code: 'R03', date: '2026-11-10' },
    'return',
    { payment: 7, code: 'R03', date: '2026-11-10' },
  ],
  [
    'payment whose trace number was typed',
    {},
    { trace: '091000010000007', code: 'R03', date: '2026-11-10', amount: 5 },
    'return',
    { trace: '091000010000007', code: 'R03', date: '2026-11-10', amount: 5 },
  ],
  [
    'release that was chosen',
    { release: { id: 4 } },
    { code: 'R17', date: '2026-11-10' },
    'release/4/return',
    { code: 'R17', date: '2026-11-10' },
  ],
])('the return of a %s is booked of that', async (_, chosen, values, path, body) => {
  const { server, call } = open()
  server.answer(`POST /api/v1/month/2026-10/${path}`, { body: {} })
  const { step } = provideMonth(call).settling.implementations.actors
  const question = { step: 'return', entry: null, ...chosen }
  const input = { month: '2026-10', hash: '', question, values }
  await toPromise(createActor(step as AnyActorLogic, { input }).start())
  expect(server.calls.map((it) => [it.method, it.path, it.body])).toEqual([
    ['POST', `/api/v1/month/2026-10/${path}`, body],
  ])
})

/** What a step of a month sends: its method, path and body. */
const sentByStep = async (question: object, values: object, hash = 'a1') => {
  const { server, call } = open()
  for (const path of ['waive', 'lock', 'approve', 'release', 'hold', 'unhold', 'reopen', 'takeover'])
    server.answer(`POST /api/v1/month/2026-10/${path}`, { body: {} })
  for (const path of ['', '/2'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      server.answer(`${method} /api/v1/processorstatement${path}`, { body: {} })
  const { step } = provideMonth(call).settling.implementations.actors
  const input = { month: '2026-10', hash, question: { entry: null, ...question }, values }
  await toPromise(createActor(step as AnyActorLogic, { input }).start())
  return server.calls.map(({ method, path, body }) => [method, path.replace('/api/v1/', ''), body])
}
const [first, other] = ['a', 'b'].map((key) => ({ kind: 'hold', key }))
const single = { processor: 'Aurora', id: 2, version: 3, statednet: null, nofile: true }
test.each<[question: { step: string }, values: object, sent: readonly [string, string, object][]]>([
  [
    { step: 'waive', waived: [first] } as never,
    { reason: 'Known' },
    [['POST', 'waive', { kind: 'hold', key: 'a', reason: 'Known' }]],
  ],
  [
    { step: 'waive', waived: [first, other] } as never,
    { reason: 'Known' },
    [['POST', 'waive', { kind: 'hold', reason: 'Known' }]],
  ],
  [{ step: 'lock' }, { reason: '' }, [['POST', 'lock', {}]]],
  [
    { step: 'lock' },
    { reason: 'All', stated: { 'stated-total:Aurora': 'A cent' } },
    [
      ['POST', 'waive', { kind: 'stated-total', key: 'stated-total:Aurora', reason: 'A cent' }],
      ['POST', 'lock', { waive: 'All' }],
    ],
  ],
  [{ step: 'approve' }, {}, [['POST', 'approve', { hash: 'a1' }]]],
  [
    { step: 'release' },
    { how: 'other', date: '2026-11-10' },
    [['POST', 'release', { hash: 'a1', how: 'other', date: '2026-11-10' }]],
  ],
  [{ step: 'release' }, { how: 'other' }, [['POST', 'release', { hash: 'a1', how: 'other' }]]],
  [
    { step: 'hold' },
    { masteragentid: '2', reason: 'Asked' },
    [['POST', 'hold', { masteragentid: 2, reason: 'Asked' }]],
  ],
  [
    { step: 'unhold' },
    { masteragentid: 2, reason: 'Sure', statement: false },
    [['POST', 'unhold', { masteragentid: 2, reason: 'Sure', statement: false }]],
  ],
  [{ step: 'reopen' }, { reason: 'Late' }, [['POST', 'reopen', { reason: 'Late' }]]],
  [
    { step: 'takeover', chosen: { keys: ['a'] } } as never,
    {},
    [['POST', 'takeover', { keys: ['a'], back: false }]],
  ],
  [
    { step: 'countCopy', chosen: { keys: ['a'] } } as never,
    {},
    [['POST', 'takeover', { keys: ['a'], back: true }]],
  ],
])('the step %j with %j sends %j', async (question, values, sent) => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  expect(await sentByStep(question, values)).toEqual(
    sent.map(([method, path, body]) => [method, `month/2026-10/${path}`, body]),
  )
  expect(saved).not.toHaveBeenCalled()
  saved.mockRestore()
})

test.each([
  [true, ['PUT', 'processorstatement/2', { id: 2, version: 3, statednet: null, nofile: true }]],
  [false, ['DELETE', 'processorstatement/2', undefined]],
])('a stated total that was emptied stays where no file comes: %s', async (nofile, sent) => {
  expect(await sentByStep({ step: 'total', totals: [{ ...single, nofile }] }, {})).toEqual([sent])
})

describe('stated totals', () => {
  const route = '/api/v1/processorstatement'
  const typed = (processor: string, id: number | null, statednet: number | null) => ({
    processor,
    id,
    statednet,
    version: 1,
    nofile: false,
  })
  const totals = [typed('Aurora', null, 5), typed('Borealis', 2, 6), typed('Corona', 3, null)]
  const save = async (statusOfLast: number) => {
    const { server, hub, call } = open()
    server.answer(`POST ${route}`, { status: 201, body: { id: 1 } })
    server.answer(`PUT ${route}/2`, { body: { id: 2 } })
    server.answer(`DELETE ${route}/3`, { status: statusOfLast })
    const { step } = provideMonth(call).settling.implementations.actors
    const question = { step: 'total', entry: null, totals } as const
    const actor = createActor(step as AnyActorLogic, {
      input: { month: '2026-10', hash: '', question, values: {} },
    })
    actor.start()
    await toPromise(actor).catch(() => {})
    return { sent: server.calls.map(({ method, body }) => [method, body]), told: hub.showDone.mock.calls }
  }

  it('are stored one after the other, and one message says so after the last', async () => {
    const { sent, told } = await save(204)
    expect(sent).toEqual([
      ['POST', { processor: 'Aurora', month: '2026-10', statednet: 5, nofile: false }],
      ['PUT', { id: 2, statednet: 6, nofile: false, version: 1 }],
      ['DELETE', undefined],
    ])
    expect(told).toEqual([[{ text: 'The totals are saved.' }]])
  })

  it('show no message that they are saved when the last was refused', async () => {
    expect((await save(422)).told).toEqual([])
  })
})

describe('a lock with a reason for a stated total', () => {
  const values = { reason: 'Known', stated: { 'stated-total:Aurora': 'A cent' } }
  const report = {
    id: 'r',
    inputs: [{ inputname: 'month', datatype: 'Query3', constraints: [{ id: '2026-10' }] }],
  }
  test.each([
    ['of the month', (call: Call) => provideMonth(call).settling, 'step'],
    ['of the report runner', (call: Call) => provideReports(call), 'lock'],
  ] as const)('%s tells of the lock alone', async (_, provided, name) => {
    const { server, hub, call } = open()
    const month = 'POST /api/v1/month/2026-10'
    server.answer(`${month}/waive`, { body: {} })
    server.answer(`${month}/lock`, { body: {} })
    server.answer('POST /api/v1/report/r/publish', { body: {} })
    const actors = provided(call).implementations.actors as Record<string, unknown>
    const question = { step: 'lock', entry: null }
    const actor = createActor(actors[name] as AnyActorLogic, {
      input: {
        month: '2026-10',
        hash: '',
        question,
        report,
        waivers: values,
        values: { ...values, month: '2026-10' },
      },
    }).start()
    await toPromise(actor)
    expect(server.calls.map(({ path }) => path.split('/').at(-1))).toEqual(['waive', expect.any(String)])
    expect(hub.showDone.mock.calls.map(([{ text }]) => text)).toEqual(['Locked.'])
  })
})

describe('a refused upload', () => {
  const { file, batches } = endpoints
  const row = { row: 2, column: 'MID', value: '', message: 'MID is required' }
  test.each<[string, Endpoint, object, number]>([
    ['a file with listed faults', file.merchant, { rows: [row], more: 0 }, 0],
    ['a file without listed faults', file.merchant, { rows: [], more: 0 }, 1],
    ['a file that cannot be read', file.merchant, {}, 1],
    ['a fix file', batches.rejected, { rows: [row], more: 0 }, 1],
  ])('of %s opens the error dialog unless the faults are listed: %j', async (_, endpoint, more, shown) => {
    const { server, hub, failing } = open()
    const route = endpoint.route.replace(':kind', 'merchant')
    server.answer(route, { status: 422, body: { error: 'Not imported', ...more } })
    await failing(endpoint, { params: { kind: 'merchant' }, body: new FormData() } as never)
    expect(hub.showFailure).toHaveBeenCalledTimes(shown)
  })
})

describe('a volume that is uploaded', () => {
  it('carries the picked day and its midnight in this browser before the file', () => {
    const file = { content: new File(['MID'], 'v.csv'), name: 'v.csv' }
    const form = uploadFormData({ kind: 'dailyvolume', file, date: '2025-11-18', answers: {} })
    expect([...form.keys()]).toEqual(['date', 'day', 'file'])
    expect(form.get('day')).toBe('2025-11-18')
    expect(new Date(Number(form.get('date')) * 1000)).toEqual(new Date(2025, 10, 18))
  })
})

test.each<[what: string, endpoint: Endpoint, options: object, told: object[]]>([
  [
    'record that was created',
    endpoints.entities.merchant!.create,
    {},
    [{ text: 'Created.', view: '/manage/merchants?open=a%26b' }],
  ],
  [
    'record that was deleted',
    endpoints.entities.merchant!.remove,
    { params: { id: 7 } },
    [{ text: 'Deleted.' }],
  ],
  [
    'file that was imported',
    endpoints.file.merchant,
    { query: { job: 'x' } },
    [{ text: 'Imported.', view: '/manage/merchants' }],
  ],
  ['file that was previewed', endpoints.file.merchant, { query: { dryrun: 1 } }, []],
])('of a %s the message after it says what fits', async (_, endpoint, options, told) => {
  const { server, hub, call } = open()
  server.answer(endpoint.route.replace(':id', '7'), { status: 200, body: { id: 'a&b' } })
  await call(endpoint as typeof list, options as object)
  expect(hub.showDone.mock.calls.map(([{ text, view }]) => ({ text, ...(view && { view }) }))).toEqual(told)
})

const { file, batches } = endpoints
test.each<[what: string, endpoint: Endpoint, timeout: number]>([
  ['a list', list, 60_000],
  ['what works on a whole month', endpoints.months.lock, 0],
  ['what waits for a turn', endpoints.reports.run, 0],
  ['a file that is sent', file.merchant, 0],
  ['a file that is received', batches.template, 0],
])('%s is waited for, and the percent that came is never said too high', async (...row) => {
  const [, endpoint, timeout] = row
  const timeouts: unknown[] = []
  const percents: number[] = []
  const hooks: CallHooks = {
    token: () => 'token-1',
    unauthorized: () => {},
    termsRequired: async () => false,
    showFailure: () => {},
    showDone: () => {},
  }
  const call = createCall(hooks, async (config) => {
    timeouts.push(config.timeout)
    const onProgress = config.onDownloadProgress ?? config.onUploadProgress
    for (const [loaded, total] of [
      [0, 200],
      [199, 200],
      [200, 200],
      [5, undefined],
    ] as const)
      onProgress?.({ loaded, total, bytes: 0, lengthComputable: true })
    return { data: {}, status: 200, statusText: '', headers: {}, config }
  })
  const onProgress = (percent: number) => percents.push(percent)
  const params = { kind: 'merchant', month: '2026-01', type: 'attrition' }
  await call(endpoint as typeof list, { params, onProgress } as object)
  expect(timeouts).toEqual([timeout])
  expect(percents).toEqual([0, 99, 100, 0])
})

describe('a call', () => {
  it('carries the bearer token, the query and the parameters of its path', async () => {
    const { server, call } = open()
    await call(list, { query: { page: 2, size: 10, search: 'a&b', sort: undefined } })
    expect(server.calls[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/merchant',
      token: 'token-1',
      query: { page: '2', size: '10', search: 'a&b' },
    })
    server.answer('PUT /api/v1/merchant/a%2F7', { body: {} })
    await call(update, { params: { id: 'a/7' }, body: { dba: 'x' } })
    expect(server.calls[1]).toMatchObject({ path: '/api/v1/merchant/a%2F7', body: { dba: 'x' } })
  })

  it('is not sent without a token, and asks for the login', async () => {
    const { server, hub, failing } = open({ token: () => null })
    expect(await failing(list)).toMatchObject({ status: 401 })
    expect(server.calls).toEqual([])
    expect(hub.unauthorized).toHaveBeenCalledOnce()
  })

  it.each(['token-1', null])(
    'to log in carries none of %s, and its 401 is nobody else’s business',
    async (token) => {
      const { server, hub, failing } = open({ token: () => token })
      server.answer(endpoints.session.login.route, {
        status: 401,
        body: { error: 'Invalid Username or Password' },
      })
      expect(
        await failing(endpoints.session.login, { body: { username: 'ann', password: 'wrong' } }),
      ).toMatchObject({
        status: 401,
        message: 'Invalid Username or Password',
      })
      expect(server.calls[0]?.token).toBeNull()
      expect(hub.unauthorized).not.toHaveBeenCalled()
      expect(hub.showFailure).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['401', { status: 401, body: { error: 'Please sign in' } }, { unauthorized: 1, showFailure: 0 }],
    [
      '500',
      { status: 500, body: { error: 'It broke', requestId: 'r1' } },
      { unauthorized: 0, showFailure: 1 },
    ],
    [
      '403',
      { status: 403, body: { error: 'You may not change product', fields: { product: 'No' } } },
      { unauthorized: 0, showFailure: 1 },
    ],
    [
      '409 of a lost update',
      { status: 409, body: { error: 'Changed meanwhile', code: 'stale' } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '400 of a filter, which the list names itself',
      { status: 400, body: { error: 'Filter Notes: it is there twice', code: 'filter' } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '409 of findings, which the lock names itself',
      { status: 409, body: { error: 'Look', code: 'findings', findings: [] } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '403 that asks for the present password',
      { status: 403, body: { error: 'Sign in again', code: 'reauthenticate' } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '409 of a bulk change that is no longer as previewed',
      { status: 409, body: { error: 'Changed meanwhile', code: 'previewed' } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '409 of a file that was imported before',
      { status: 409, body: { error: 'Again', code: 'repeated', username: 'bob', importedat: 7 } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '409 of a file that does not say what it is of',
      { status: 409, body: { error: 'Look', code: 'asks', asks: {} } },
      { unauthorized: 0, showFailure: 0 },
    ],
    [
      '409 of a duplicate',
      { status: 409, body: { error: 'This XMID is already taken' } },
      { unauthorized: 0, showFailure: 1 },
    ],
    ['unreachable', 'unreachable', { unauthorized: 0, showFailure: 1 }],
  ] as const)('%s is reported once', async (_, answer, reported) => {
    const { server, hub, failing } = open()
    server.answer(listRoute, answer)
    await failing(list)
    expect({
      unauthorized: hub.unauthorized.mock.calls.length,
      showFailure: hub.showFailure.mock.calls.length,
    }).toEqual(reported)
  })

  test.each([
    [
      { status: 500, body: { error: 'It broke', requestId: 'r1' } },
      { message: 'It broke', requestId: 'r1' },
    ],
    [
      { status: 500, body: { error: 'It broke' }, headers: { 'x-request-id': 'r2' } },
      { message: 'It broke', requestId: 'r2' },
    ],
    [
      { status: 500, body: '' },
      { message: 'Unable to get merchants. Please try again.', requestId: undefined },
    ],
    [
      { status: 502, body: '<html>Bad Gateway</html>' },
      { message: 'Unable to get merchants. Please try again.' },
    ],
    [{ status: 500, body: { error: '  ' } }, { message: 'Unable to get merchants. Please try again.' }],
    [
      { status: 500, body: { error: { nested: true } } },
      { message: 'Unable to get merchants. Please try again.' },
    ],
    [
      { status: 422, body: { error: 'Not imported', rows: [{ row: 2 }], more: 3 } },
      { refused: { rows: [{ row: 2 }], more: 3 } },
    ],
    [
      { status: 500, body: { error: 'It broke', requestId: 'r1' }, headers: { 'x-request-id': 'r2' } },
      { requestId: 'r1' },
    ],
    [
      {
        status: 409,
        body: { error: 'Again', code: 'repeated', username: 'bob', importedat: 7, subject: 'May' },
      },
      { repeated: { username: 'bob', importedat: 7, subject: 'May' } },
    ],
    [{ status: 409, body: { error: 'Again', code: 'repeated', username: 'bob' } }, { repeated: undefined }],
    [
      { status: 409, body: { error: 'Look', asks: { questions: [] }, findings: [] } },
      { asks: undefined, findings: undefined },
    ],
    [
      { status: 409, body: { error: 'Look', code: 'asks', asks: { questions: [] } } },
      { asks: { questions: [] }, findings: undefined },
    ],
    [
      { status: 409, body: { error: 'Look', code: 'findings', findings: [] } },
      { asks: undefined, findings: [] },
    ],
    [
      { status: 422, body: { error: 'Look', fields: { xmid: 'Taken' } } },
      { fields: { xmid: 'Taken' }, refused: undefined },
    ],
  ])('fails with the sentence of the server: %j', async (answer, expected) => {
    const { server, failing } = open()
    server.answer(listRoute, answer)
    expect(await failing(list)).toMatchObject({ status: answer.status, ...expected })
  })

  test.each([
    ['equipment', 'list', 'get equipment'],
    ['equipment', 'read', 'get equipment'],
    ['equipment', 'remove', 'delete equipment'],
    ['masteragent', 'list', 'get master agents'],
    ['masteragent', 'create', 'create master agent'],
    ['masteragent', 'update', 'update master agent'],
    ['user', 'list', 'get users'],
    ['user', 'create', 'create user'],
    ['tc', 'list', 'get terms and conditions'],
  ] as const)('without a sentence of the server, %s %s: Unable to %s', async (entity, verb, task) => {
    const { server, failing } = open()
    const call: Endpoint = endpoints.entities[entity]![verb]
    server.answer(call.route.replace(':id', '1'), { status: 502, body: '<html>Bad Gateway</html>' })
    const message = `Unable to ${task}. Please try again.`
    expect(await failing(call as typeof list, { params: { id: 1 } } as object)).toMatchObject({ message })
  })

  it('of every kind that may open the error dialog says what it was for', () => {
    const all = (rows: object): Endpoint[] =>
      Object.values(rows).flatMap((row: Endpoint | object) => ('route' in row ? [row as Endpoint] : all(row)))
    const shown = all(endpoints).filter(({ quiet }) => !quiet)
    expect(shown.length).toBeGreaterThan(50)
    expect(shown.filter(({ task }) => !task).map(({ route }) => route)).toEqual([])
  })

  it('shows the generic text when no answer comes', async () => {
    const { server, failing } = open()
    server.answer(listRoute, 'unreachable')
    expect(await failing(list)).toMatchObject({ status: 0, message: genericText })
  })

  it('that nobody waits for fails in silence', async () => {
    const { server, hub, failing } = open()
    const leaving = new AbortController()
    server.answer(listRoute, new Promise(() => {}))
    const failed = failing(list, { signal: leaving.signal })
    leaving.abort()
    expect(await failed).toMatchObject({ code: 'ERR_CANCELED' })
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  it('that nobody waits for any more when its answer is read fails in silence', async () => {
    const { server, hub, failing } = open()
    const leaving = new AbortController()
    const file = endpoints.entities.merchant!.export
    server.answer(file.route, { status: 500, body: { error: 'It broke' } })
    const read = Blob.prototype.text
    vi.spyOn(Blob.prototype, 'text').mockImplementationOnce(function (this: Blob) {
      leaving.abort()
      return read.call(this)
    })
    const failed = failing(file, { signal: leaving.signal })
    expect(await failed).toMatchObject({ status: 500, message: 'It broke' })
    expect(leaving.signal.aborted).toBe(true)
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  it('in the background never interrupts', async () => {
    const { server, hub, failing } = open()
    server.answer(endpoints.home.profit.route, { status: 500, body: { error: 'It broke' } })
    expect(await failing(endpoints.home.profit)).toMatchObject({ status: 500 })
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  it('whose token is no longer the current one logs nobody out', async () => {
    let token = 'token-1'
    const { server, hub, failing } = open({ token: () => token })
    server.answer(listRoute, () => {
      token = 'token-2'
      return { status: 401, body: { error: 'Please sign in' } }
    })
    expect(await failing(list)).toMatchObject({ status: 401 })
    expect(hub.unauthorized).not.toHaveBeenCalled()
  })

  it('refused for an old XSRF cookie is sent once more', async () => {
    const { server, hub, call, failing } = open()
    server.answer(listRoute, () =>
      server.count(listRoute) === 1
        ? { status: 403, body: { error: 'No', code: 'xsrf' } }
        : { body: { data: [] } },
    )
    await call(list)
    expect(server.count(listRoute)).toBe(2)
    server.answer(listRoute, { status: 403, body: { error: 'No', code: 'xsrf' } })
    expect(await failing(list)).toMatchObject({ status: 403 })
    expect(server.count(listRoute)).toBe(4)
    expect(hub.showFailure).toHaveBeenCalledOnce()
  })

  it('answered 428 waits for the terms and is sent again once they are accepted', async () => {
    const room = createHeldCalls()
    const termsRequired = vi.fn<CallHooks['termsRequired']>((signal) => room.hold(signal))
    const { server, hub, call } = open({ termsRequired })
    server.answer(listRoute, () =>
      server.count(listRoute) === 1 ? { status: 428, body: { error: 'Terms' } } : { body: { data: [1] } },
    )
    const answered = call(list)
    await expect.poll(() => termsRequired.mock.calls.length).toBe(1)
    expect(server.count(listRoute)).toBe(1)
    room.resend()
    expect(await answered).toEqual({ data: [1] })
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  it('answered 428 fails in silence when the person leaves instead, or does not wait', async () => {
    const room = createHeldCalls()
    const termsRequired = vi.fn<CallHooks['termsRequired']>((signal) => room.hold(signal))
    const { server, hub, failing } = open({ termsRequired })
    server.answer(listRoute, { status: 428, body: { error: 'Terms' } })
    const leaving = new AbortController()
    const [first, second] = [failing(list), failing(list, { signal: leaving.signal })]
    await expect.poll(() => termsRequired.mock.calls.length).toBe(2)
    leaving.abort()
    expect(await second).toMatchObject({ status: 428 })
    room.drop()
    expect(await first).toMatchObject({ status: 428 })
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  test.each([
    ['renew the session', 'session', 'renew'],
    ['log out', 'session', 'logout'],
    ['accept the terms', 'terms', 'accept'],
  ] as const)('to %s neither asks for the terms nor ends the session', async (_, group, name) => {
    const { server, hub, call } = open()
    const { route } = endpoints[group][name as never] as Endpoint
    const client = sessionClientOf(call)
    const send = { renew: client.renew, logout: client.logout, accept: client.acceptTerms }[name]
    for (const status of [428, 401]) {
      server.answer(route, { status, body: { error: 'Terms' } })
      await expect(send('token-1')).rejects.toMatchObject({ status })
    }
    expect(hub.termsRequired).not.toHaveBeenCalled()
    expect(hub.unauthorized).not.toHaveBeenCalled()
    expect(hub.showFailure).not.toHaveBeenCalled()
  })

  it('to accept the terms names the version that was read last', async () => {
    const { server, call } = open()
    const { latestTerms, acceptTerms } = sessionClientOf(call)
    for (const id of [2, 3]) {
      server.answer(endpoints.terms.latest.route, { body: { id, tctext: 'Terms' } })
      await latestTerms()
    }
    await acceptTerms('token-1')
    expect(server.calls.at(-1)).toMatchObject({ body: { id: 3 }, token: 'token-1' })
  })

  it('for a file answers what came and the header with its name', async () => {
    const { server, call } = open()
    const endpoint = batches.template
    const headers = { 'content-disposition': 'attachment; filename="a.csv"' }
    server.answer(endpoint.route.replace(':kind', 'merchant'), { body: 'MID', headers })
    const { content, disposition } = await call(endpoint, {
      params: { kind: 'merchant' },
      query: { format: 'csv' },
    })
    expect([await content.text(), disposition]).toEqual(['MID', headers['content-disposition']])
  })

  it('answered 428 is not held for a person who has gone already', async () => {
    const gone = new AbortController()
    gone.abort()
    expect(await createHeldCalls().hold(gone.signal)).toBe(false)
  })

  it('reads the error of a download, which arrives as a Blob', async () => {
    const { parseFailure: failureOf } = await import('../../../src/api/failure.ts')
    const body = new Blob([JSON.stringify({ error: 'The report is gone', requestId: 'r3' })])
    expect(await failureOf({ status: 404, body, header: () => undefined })).toMatchObject({
      status: 404,
      message: 'The report is gone',
      requestId: 'r3',
    })
  })
})
