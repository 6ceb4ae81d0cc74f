import { describe, expect, it } from 'vitest'
import { createActor, setup } from 'xstate'
import { sessionMachine } from '../../machines/account/session.machine.ts'
import { uploadMachine } from '../../machines/upload.machine.ts'
import { declared, recorder, takenIn } from '../mbt/coverage.ts'
import { explore } from '../mbt/explore.ts'
import { everyTransition, names } from '../mbt/paths.ts'

const chosen = { type: 'choose', file: { content: null, name: 'report.csv' } } as const

describe('the recorder', () => {
  it('distinguishes the branches of a guard, counts transitions taken at once, and records several machines at a time', () => {
    const seen = recorder()
    createActor(sessionMachine, { input: { stored: null }, inspect: seen.inspect }).start()
    const upload = createActor(uploadMachine, {
      input: { kind: 'merchant', dated: false },
      inspect: seen.inspect,
    }).start()
    upload.send(chosen)
    expect([...seen.taken].sort()).toEqual(['session.starting | always | 1', 'upload.idle | choose | 0'])
    expect(seen.missing(sessionMachine, uploadMachine)).toHaveLength(
      declared(sessionMachine).length + declared(uploadMachine).length - 2,
    )
  })

  it('can be put into a page as text', () => {
    const alone = new Function(`return (${takenIn})`)() as typeof takenIn
    const seen = recorder()
    const actor = createActor(uploadMachine, {
      input: { kind: 'merchant', dated: false },
      inspect: (event) => seen.take(alone(event)),
    })
    actor.start().send(chosen)
    expect([...seen.taken]).toEqual(['upload.idle | choose | 0'])
  })
})

describe('explore', () => {
  const light = setup({ types: { events: {} as { type: 'press'; by: string } } }).createMachine({
    id: 'light',
    initial: 'off',
    states: {
      off: { on: { press: [{ guard: ({ event }) => event.by === 'owner', target: 'on' }] } },
      on: { on: { press: 'off' } },
    },
  })
  const starts = { 'comes home': undefined }
  const owner = { type: 'press', by: 'owner' } as const

  it('reads a model in words: one stimulus for each answer, and what is to be ignored', () => {
    const graph = explore({
      machine: light,
      starts,
      stimuli: { 'the owner presses': owner, 'a guest presses': { type: 'press', by: 'guest' } },
    })
    expect(everyTransition(graph).map(names)).toEqual([
      ['comes home'],
      ['comes home', 'the owner presses'],
      ['comes home', 'the owner presses', 'the owner presses'],
      ['comes home', 'the owner presses', 'a guest presses'],
    ])
    expect(graph.ignored.map(({ at, stimulus }) => `${at.key}: ${stimulus}`)).toEqual([
      'off: a guest presses',
    ])
  })

  it('stops at an event that no stimulus stands for', () => {
    expect(() => explore({ machine: light, starts, stimuli: {} })).toThrow('no stimulus for press in off')
  })
})
