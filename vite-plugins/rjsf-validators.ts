import type { RJSFSchema } from '@rjsf/utils'
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/compileSchemaValidators'
import { runnerImport, type Plugin } from 'vite'

type Schema = RJSFSchema & { $id: string }
type Exports = Record<string, unknown>

const listSuffix = '?validators'
const itemSuffix = '?validator='

/**
 * Compiles form validators at build time, because the page's Content-Security-Policy forbids evaluating code.
 *
 * `import { newPassword } from './session.ts?validators'` mirrors the exports of session.ts: an exported
 * schema becomes a function that loads its validator, an exported record of entities a record of such
 * functions. Each validator is a chunk of its own.
 */
export const rjsfValidators = (): Plugin => ({
  name: 'rjsf-validators',
  enforce: 'pre',
  async load(id) {
    const [file, path] = parseId(id)
    if (!file) return null
    const { module, dependencies } = await runnerImport<Exports>(file, {
      configFile: false,
      logLevel: 'error',
    })
    for (const watched of [file, ...dependencies]) this.addWatchFile(watched)
    const code = path === null ? loadersCode(file, module) : validatorCode(schemaAt(module, path, file))
    return { code, map: null, moduleType: 'js' }
  },
})

/** The file of an id with one of the suffixes, and the path of one schema in it. */
const parseId = (id: string): [file: string | null, path: string | null] => {
  const bare = id
    .replace(/[?&](import|t=\d+|v=\w+)/g, (found) => (found.startsWith('?') ? '?' : ''))
    .replace(/\?&/, '?')
  if (bare.endsWith(listSuffix)) return [bare.slice(0, -listSuffix.length), null]
  const at = bare.indexOf(itemSuffix)
  return at < 0 ? [null, null] : [bare.slice(0, at), bare.slice(at + itemSuffix.length)]
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '$id' in value && 'properties' in value

/** The schemas of an exported record of entities, by the name of the entity. */
const schemasIn = (value: unknown): Record<string, Schema> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([name, it]) =>
          isSchema((it as Exports | null)?.schema) ? [[name, (it as { schema: Schema }).schema]] : [],
        ),
      )

const loadersCode = (file: string, module: Exports): string => {
  const loader = (path: string) => `() => import(${JSON.stringify(`${file}${itemSuffix}${path}`)})`
  return Object.entries(module)
    .flatMap(([name, value]) => {
      if (isSchema(value)) return [`export const ${name} = ${loader(name)}`]
      const inside = Object.keys(schemasIn(value)).map(
        (key) => `${JSON.stringify(key)}: ${loader(`${name}:${key}`)}`,
      )
      return inside.length > 0 ? [`export const ${name} = { ${inside.join(', ')} }`] : []
    })
    .join('\n')
}

const schemaAt = (module: Exports, path: string, file: string): Schema => {
  const [name = '', key] = path.split(':')
  const schema = key === undefined ? module[name] : schemasIn(module[name])[key]
  if (!isSchema(schema))
    throw new Error(`${file} exports no form schema ${path}: a schema needs an $id and properties`)
  return schema
}

/** Leaves out Ajv's messages and its copies of the schema: schemas/messages.ts makes the messages. */
const ajvOptions = { code: { lines: false }, messages: false, verbose: false }

/**
 * The compiled validator as an ES module. Ajv generates CommonJS, whose few `require` calls (string length,
 * formats) become imports; Ajv's own ES output fails for schemas with oneOf.
 */
const validatorCode = (schema: Schema): string => {
  const imports = new Map<string, string>()
  const body = compileSchemaValidatorsCode(schema, { ajvOptionsOverrides: ajvOptions }).replace(
    /require\("([^"]+)"\)/g,
    (_, from: string) => {
      if (!imports.has(from)) imports.set(from, `given${imports.size}`)
      return `plain(${imports.get(from)})`
    },
  )
  return [
    ...[...imports].map(([from, name]) => `import * as ${name} from ${JSON.stringify(from)}`),
    'const plain = (module) => (module.default && module.default.__esModule ? module.default : module)',
    'const exports = {}',
    body,
    'export default exports',
  ].join('\n')
}
