import axios from 'axios'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { browserOf, waitWhileChanging } from './adapter.ts'

/** A server that answers `/held` once `answer` is called; `found` makes a wait that fails once for each step. */
function setUp() {
  const app = fastify()
  onTestFinished(() => app.close())
  app.get('/healthz', async () => '')
  let answer = () => {}
  const until = new Promise<void>((resolve) => (answer = resolve))
  app.get('/held', async () => (await until, 'answered'))
  const client = axios.create({ adapter: browserOf(app) })
  const found = (name: string, ...inTurn: (() => unknown)[]) => {
    let turn = 0
    return async () => {
      await inTurn[turn++]?.()
      if (turn <= inTurn.length) throw Object.assign(new Error('Not found'), { name })
      return turn
    }
  }
  return { ask: () => client.get('/held'), answer, found }
}

it('a wait that ends while the server works begins again until the limit has passed after its answer', async () => {
  const { ask, answer, found } = setUp()
  const asked = ask()
  const answered = async () => {
    answer()
    await asked
  }
  const wait = found('TestingLibraryElementError', () => {}, answered)
  expect(await waitWhileChanging(wait)).toBe(3)
})

it('a wait that ends while the page changes begins again until the limit has passed without a change', async () => {
  const { found } = setUp()
  const change = () => document.body.append(document.createElement('p'))
  expect(await waitWhileChanging(found('AssertionError', change, change))).toBe(3)
  document.body.replaceChildren()
})

it('a wait that ends with nothing under way fails at once, and so does an error that is none of a wait', async () => {
  const { ask, answer, found } = setUp()
  await expect(waitWhileChanging(found('TestingLibraryElementError', () => {}))).rejects.toThrow('Not found')
  const asked = ask()
  await expect(waitWhileChanging(found('TypeError', () => {}))).rejects.toThrow('Not found')
  answer()
  await asked
})
