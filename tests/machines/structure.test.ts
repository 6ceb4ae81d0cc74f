import { parseAst, transformWithOxc } from 'vite'
import { describe, expect, it } from 'vitest'
import * as xstate from 'xstate'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import {
  fileNamePattern,
  importMessage,
  progressInterval,
  readinessPoll,
  renewInterval,
  searchDebounce,
} from '../../schemas/constants.ts'
import { declared } from '../mbt/coverage.ts'
import { type MachineFile, machineFiles } from '../mbt/machines.ts'
import { importsOf } from '../structure.ts'

type Node = { type: string; [key: string]: unknown }

const files = await machineFiles()
const named = (name: string) => files.find((file) => file.name === name)!
const nodesOf = (machine: AnyStateMachine): AnyStateNode[] => [machine.root, ...getStateNodes(machine)]
const shape = (machine: AnyStateMachine) => ({
  states: nodesOf(machine).map((node) => node.id),
  transitions: declared(machine),
})

/** Every node of the syntax tree, from the top down. */
function syntax(tree: unknown): Node[] {
  if (Array.isArray(tree)) return tree.flatMap(syntax)
  if (typeof tree !== 'object' || tree === null) return []
  const inner = Object.values(tree).flatMap(syntax)
  return 'type' in tree && typeof tree.type === 'string' ? [tree as Node, ...inner] : inner
}

/**
 * The one literal of `export const nameMachine = setup({...}).createMachine({...})`; null for any other
 * shape.
 */
function literalOf({ name, source }: MachineFile): Node | null {
  const exported = (parseAst(source, { lang: 'ts' }).body as unknown as Node[]).flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : null
    return declaration?.type === 'VariableDeclaration'
      ? (declaration.declarations as { id: { name: string }; init: Node }[])
      : []
  })
  const call = exported.find(({ id }) => id.name === `${name}Machine`)?.init
  const callee = call?.callee as (Node & { object?: Node; property?: { name: string } }) | undefined
  const setup = callee?.object as { callee?: { name?: string }; arguments?: Node[] } | undefined
  const literal = (call?.arguments as Node[] | undefined)?.[0]
  const isSetup = setup?.callee?.name === 'setup' && setup.arguments?.[0]?.type === 'ObjectExpression'
  return exported.length === 1 &&
    isSetup &&
    callee?.property?.name === 'createMachine' &&
    literal?.type === 'ObjectExpression'
    ? literal
    : null
}

// What the drawing tools read: they blank the types, have only xstate's names at hand and evaluate the file.
describe.each(files.map((file) => [file.name, file] as const))('%s.machine.ts', (name, file) => {
  it('takes nothing at run time but xstate and the functions of machines/errors', () => {
    const values = importsOf(file.path).filter(({ isType }) => !isType)
    const [first, ...others] = values.map(({ to }) => to)
    expect(first).toBe('xstate')
    expect(others.filter((to) => !to.startsWith('machines/errors/'))).toEqual([])
  })

  it('is one literal, exported under the name of the file', () => {
    expect(literalOf(file)).not.toBeNull()
    expect(Object.keys(file.exported)).toEqual([`${name}Machine`])
    expect(file.machine.id).toBe(name)
  })

  it('has plain keys, and names for targets, guards and actions', () => {
    const properties = syntax(literalOf(file)).filter(
      ({ type }) => type === 'Property' || type === 'SpreadElement',
    )
    const odd = properties.filter((it) => it.type === 'SpreadElement' || it.computed === true)
    expect(odd).toEqual([])
    const valuesOf = (key: string) =>
      properties.filter((it) => (it.key as { name?: string }).name === key).map((it) => it.value as Node)
    const nodes = nodesOf(file.machine)
    const transitions = nodes.flatMap((node) => [
      ...[...node.transitions.values()].flat(),
      ...(node.always ?? []),
    ])
    expect(
      valuesOf('target').filter(({ type, value }) => type !== 'Literal' || typeof value !== 'string'),
    ).toEqual([])
    expect(
      transitions
        .flatMap(({ guard, actions }) => [guard, ...actions])
        .filter((it) => typeof it === 'function'),
    ).toEqual([])
    expect(
      nodes
        .flatMap(({ config }) => [config.entry ?? [], config.exit ?? []].flat(2))
        .filter((it) => typeof it === 'function'),
    ).toEqual([])
  })

  it('means the same when it is evaluated with nothing but xstate at hand', async () => {
    const { code } = await transformWithOxc(file.source, `${name}.machine.ts`, { lang: 'ts' })
    const body = code.replace(/^import .*$/gm, '').replace(/^export /gm, '')
    const made = new Function(...Object.keys(xstate), `${body}\nreturn ${name}Machine`)(
      ...Object.values(xstate),
    ) as AnyStateMachine
    expect(shape(made)).toEqual(shape(file.machine))
  })

  it('names every call, and says what comes of its answer and of its failure', () => {
    const calls = nodesOf(file.machine).flatMap((node) => node.invoke.map((call) => ({ node, call })))
    const loose = calls.filter(({ node, call }) => {
      const own = [node.config.invoke ?? []].flat().some(({ id }) => id === call.id)
      return (
        !own ||
        !node.transitions.has(`xstate.done.actor.${call.id}`) ||
        !node.transitions.has(`xstate.error.actor.${call.id}`)
      )
    })
    expect(loose.map(({ call }) => call.id)).toEqual([])
    const ids = calls.map(({ call }) => call.id)
    expect(ids).toEqual([...new Set(ids)])
  })

  it('has no state that nothing leads to', () => {
    const nodes = nodesOf(file.machine)
    const targets = nodes
      .flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])
      .flatMap(({ target }) => target ?? [])
    const led = new Set(targets.flatMap((node) => lineOf(node)))
    const begun = nodes.flatMap((node) =>
      (node === file.machine.root || led.has(node)) && node.type === 'compound'
        ? (node.initial.target ?? [])
        : [],
    )
    const reached = new Set([file.machine.root, ...led, ...begun.flatMap(lineOf)])
    expect(nodes.filter((node) => !reached.has(node)).map(({ id }) => id)).toEqual([])
  })
})

/** A state and all it stands in. */
const lineOf = (node: AnyStateNode): AnyStateNode[] => [node, ...(node.parent ? lineOf(node.parent) : [])]

// A machine file can import no value, so these are written twice.
describe('the machines agree with schemas/constants.ts', () => {
  it.each([
    ['session', 'renewInterval', renewInterval],
    ['upload', 'importMessage', importMessage],
    ['upload', 'progressInterval', progressInterval],
    ['list', 'searchDebounce', searchDebounce],
    ['widget', 'readinessPoll', readinessPoll],
  ])('%s: %s is %i ms', (name, delay, ms) => {
    expect(named(name).machine.implementations.delays).toHaveProperty(delay, ms)
  })

  it('upload: the rule for file names', () => {
    const rules = syntax(parseAst(named('upload').source, { lang: 'ts' })).filter((node) => 'regex' in node)
    expect(rules.map(({ regex }) => regex)).toEqual([
      { pattern: fileNamePattern.source, flags: fileNamePattern.flags },
    ])
  })
})
