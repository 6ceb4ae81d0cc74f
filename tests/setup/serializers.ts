import { createRequire } from 'node:module'

type Serialize = (value: unknown) => string
type BuildSerializer = (external: unknown, options: unknown) => (route: { schema: unknown }) => Serialize
type Compiler = { SerializerSelector: () => BuildSerializer }

/**
 * A portal compiles the schemas of some hundred answers when it starts, 0.07 s of a processor, and the tests
 * start more than five hundred portals in their own process. A schema is compiled once there. Set before
 * Fastify loads its compiler, which it does with the first portal.
 */
const held = globalThis as { serializers?: Map<string, Serialize> }
if (!held.serializers) {
  const compiled = (held.serializers = new Map<string, Serialize>())
  const require = createRequire(createRequire(import.meta.url).resolve('fastify'))
  const path = require.resolve('@fastify/fast-json-stringify-compiler')
  const { SerializerSelector } = require(path) as Compiler
  require.cache[path]!.exports = (): BuildSerializer => (external, options) => {
    const build = SerializerSelector()(external, options)
    return (route) => {
      const key = JSON.stringify([route.schema, external])
      const serialize = compiled.get(key) ?? build(route)
      compiled.set(key, serialize)
      return serialize
    }
  }
}
