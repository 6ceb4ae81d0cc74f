import type { RJSFSchema } from '@rjsf/utils'
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/compileSchemaValidators'
import { runnerImport, type Plugin } from 'vite'

type Schema = RJSFSchema & { $id: string }
type Exports = Record<string, unknown>

const list = '?validators'
const one = '?validator='

/**
 * Form validators made while building, for the page may not evaluate code (Content-Security-Policy).
 *
 * `import { newPassword } from './session.ts?validators'` mirrors the exports of session.ts: an exported schema
 * becomes a function that loads its validator, an exported record of entities a record of such functions. Each
 * validator is a chunk of its own, so a further entity needs no file here or there.
 */
export const rjsfValidators = (): Plugin => ({
  name: 'rjsf-validators',
  enforce: 'pre',
  async load(id) {
    const [file, asked] = split(id)
    if (!file) return null
    const { module, dependencies } = await runnerImport<Exports>(file, {
      configFile: false,
      logLevel: 'error',
    })
    for (const path of [file, ...dependencies]) this.addWatchFile(path)
    const code = asked === null ? loaders(file, module) : validator(schemaAt(module, asked, file))
    return { code, map: null, moduleType: 'js' }
  },
})

const split = (id: string): [file: string | null, asked: string | null] => {
  const bare = id
    .replace(/[?&](import|t=\d+|v=\w+)/g, (found) => (found.startsWith('?') ? '?' : ''))
    .replace(/\?&/, '?')
  if (bare.endsWith(list)) return [bare.slice(0, -list.length), null]
  const at = bare.indexOf(one)
  return at < 0 ? [null, null] : [bare.slice(0, at), bare.slice(at + one.length)]
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '$id' in value && 'properties' in value

/** An exported thing as 'name of schema by name of entity', or the schema itself. */
const schemasIn = (value: unknown): Record<string, Schema> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([name, it]) =>
          isSchema((it as Exports | null)?.schema) ? [[name, (it as { schema: Schema }).schema]] : [],
        ),
      )

const loaders = (file: string, module: Exports): string => {
  const loader = (path: string) => `() => import(${JSON.stringify(`${file}${one}${path}`)})`
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

/** Our own sentences come from the keyword and its parameters (schemas/messages.ts): Ajv's, and its copies of the schema, stay out. */
const lean = { code: { lines: false }, messages: false, verbose: false }

/**
 * The compiled checks as a module. Ajv writes CommonJS, whose few requires (string length, formats) become imports;
 * its own ES output breaks on schemas with oneOf.
 */
const validator = (schema: Schema): string => {
  const imports = new Map<string, string>()
  const body = compileSchemaValidatorsCode(schema, { ajvOptionsOverrides: lean }).replace(
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
